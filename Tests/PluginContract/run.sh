#!/bin/sh
# Proves the libnotify plug-in against the contract: run.sh [plain|shared|asan|tsan|valgrind]... (default: plain shared)
# Needs a C compiler, libnotify-dev, dbus-daemon; for the scenario with a real server also Xvfb and dunst (else that one is
# skipped, with a line that says so).
# shellcheck disable=SC2035,SC2086 # flags and file lists are words on purpose
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/belfry-contract.XXXXXX")
xvfb=
clean_up() {
    [ -z "$xvfb" ] || kill "$xvfb" 2>/dev/null || :
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

plugin_sources=$(ls "$root"/Plugins/Libnotify/C/*.c)
flags="-std=gnu11 -g -O1 -Wall -Wextra -Werror -I$root/Plugins/Libnotify/C/include -I$root/CShims/CBelfryPlugin/include"
libraries=$(pkg-config --cflags --libs libnotify)
compiler=${CC:-gcc}

build() { # NAME EXTRA-FLAGS
    $compiler $flags $2 *.c $plugin_sources -o "$work/$1" $libraries -lpthread -ldl
}

# A plug-in that isn't told of a display or of the desktop of whoever runs this.
export HOME="$work" XDG_RUNTIME_DIR="$work/run" GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1 LC_ALL=C.UTF-8
export BELFRY_CONTRACT_BUS="--config-file=$PWD/nosvc.conf" BELFRY_CONTRACT_DUNST="$PWD/dunst.conf"
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset DISPLAY WAYLAND_DISPLAY NOTIFY_FORCE_PORTAL || :
failed=0

scenario() { # VARIANT NAME COMMAND...
    variant=$1 name=$2
    shift 2
    if timeout 600 dbus-run-session --config-file=nosvc.conf -- "$@" "$name" >"$work/log" 2>&1; then
        grep "^ok" "$work/log" | sed "s/^/$variant: /"
    else
        echo "$variant: FAILED $name" >&2
        tail -40 "$work/log" >&2
        failed=1
    fi
}

# Xvfb finds a free display itself and says which.
start_display() {
    command -v Xvfb >/dev/null && command -v dunst >/dev/null || return 1
    Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp 3>"$work/display" >/dev/null 2>&1 &
    xvfb=$!
    tries=0
    until [ -s "$work/display" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] && kill -0 "$xvfb" 2>/dev/null || return 1
        sleep 0.1
    done
    display=":$(cat "$work/display")"
}

scenarios="contract wire text limits events stale refusals silent late stuck-stop many no-server no-bus bus-dies shared-bus-dies other-calls"
all() { # VARIANT COMMAND...
    variant=$1
    shift
    for each in $scenarios; do scenario "$variant" "$each" "$@"; done
    if [ -n "$display" ]; then
        DISPLAY=$display scenario "$variant" dunst "$@"
    else
        echo "$variant: skipped dunst (Xvfb and dunst aren't both here, or Xvfb didn't start)"
    fi
}

display=
start_display || display=
[ $# -gt 0 ] || set -- plain shared
for variant; do
    case $variant in
    plain)
        build plain ""
        all plain "$work/plain" ;;
    shared) # the same code, loaded from a file that exports one symbol
        build plain ""
        $compiler $flags -DBELFRY_PLUGIN_SHARED -fPIC -shared -fvisibility=hidden $plugin_sources -o "$work/libnotify.so" $libraries
        exported=$(nm -D --defined-only "$work/libnotify.so" | awk '$2 ~ /[TDBR]/ {print $3}')
        if [ "$exported" != belfry_plugin_entry ]; then
            echo "shared: FAILED, it exports: $exported" >&2
            failed=1
        fi
        all shared env BELFRY_CONTRACT_PLUGIN="$work/libnotify.so" "$work/plain" ;;
    asan)
        build asan "-fsanitize=address,undefined -fno-sanitize-recover=all"
        all asan "$work/asan" ;;
    tsan) # see tsan.supp for what it does not look at
        build tsan "-fsanitize=thread"
        export TSAN_OPTIONS="suppressions=$PWD/tsan.supp:print_suppressions=0:halt_on_error=1" G_SLICE=always-malloc
        all tsan "$work/tsan" ;;
    valgrind)
        build plain ""
        all valgrind valgrind -q --error-exitcode=9 --suppressions=/usr/share/glib-2.0/valgrind/glib.supp "$work/plain" ;;
    *) echo "run.sh: unknown variant $variant" >&2; exit 64 ;;
    esac
done
exit $failed
