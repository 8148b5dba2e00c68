#!/usr/bin/env bash
# Proves Plugins/CExample: does what its README says, in a copy of its folder elsewhere, and tries the plug-in that comes of it.
#
#   run.sh [plain|asan|tsan|valgrind]…     without: plain, and those of the others that this machine has
#
# Needs a C compiler (CC, cc, gcc or clang).

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/belfry-example.XXXXXX")
trap 'rm -rf "$work"' EXIT

compiler=${CC:-}
for candidate in cc gcc clang; do
    if [ -z "$compiler" ] && command -v "$candidate" >/dev/null; then compiler=$candidate; fi
done
[ -n "$compiler" ] || { echo "run.sh: no C compiler: install gcc" >&2 && exit 1; }

# The README's first block of commands, in a folder where nothing else of Belfry is, with `cc` for the compiler that is there.
cp -r "$root/Plugins/CExample" "$work/copy"
mkdir "$work/bin"
ln -s "$(command -v "$compiler")" "$work/bin/cc"
awk '/^```/ { if (open) exit; open = ($0 == "```sh"); next } open' "$work/copy/README.md" >"$work/commands"
grep -q 'cc ' "$work/commands" || { echo "run.sh: the README has no command that compiles" >&2 && exit 1; }
(cd "$work/copy" && BELFRY=$root PATH="$work/bin:$PATH" bash -eu "$work/commands")
[ -f "$work/copy/json-lines.so" ] || { echo "run.sh: the README's commands made no json-lines.so" >&2 && exit 1; }
exported=$(nm -D --defined-only "$work/copy/json-lines.so" | awk '$2 == "T" { print $3 }')
[ "$exported" = belfry_plugin_entry ] || { echo "run.sh: it exports '$exported'" >&2 && exit 1; }
echo "readme: ok, built in a copy of the folder; it exports belfry_plugin_entry alone"

host=("$here/scenarios.c" "$root/Tests/PluginContract/host.c" -I"$root/Tests/PluginContract" -I"$root/CShims/CBelfryPlugin/include")
flags=(-std=gnu11 -g -O1 -Wall -Wextra -Werror -pthread)

# build VARIANT FLAG…: the host and, beside it, the plug-in with the same flags.
build() {
    local variant=$1
    shift
    "$compiler" "${flags[@]}" "$@" -rdynamic "${host[@]}" -o "$work/$variant" -ldl
    "$compiler" "${flags[@]}" "$@" -shared -fPIC -fvisibility=hidden -I"$root/CShims/CBelfryPlugin/include" \
        "$root"/Plugins/CExample/*.c -o "$work/$variant.so"
}

failed=0
# try VARIANT COMMAND…
try() {
    local variant=$1 folder=$work/files-$1
    shift
    mkdir "$folder"
    if timeout 600 "$@" "$folder" >"$work/log" 2>&1; then
        sed "s/^/$variant: /" "$work/log"
    else
        echo "$variant: FAILED" >&2
        tail -n 40 "$work/log" >&2
        failed=1
    fi
}

# Whether the compiler has a sanitizer's library, and the kernel lets it run.
has_sanitizer() {
    echo 'int main(void) { return 0; }' >"$work/empty.c"
    "$compiler" "-fsanitize=$1" "$work/empty.c" -o "$work/empty" 2>/dev/null && "$work/empty" 2>/dev/null
}

variants=("$@")
if [ ${#variants[@]} -eq 0 ]; then
    variants=(plain)
    for sanitizer in address:asan thread:tsan; do
        if has_sanitizer "${sanitizer%:*}"; then variants+=("${sanitizer#*:}"); else echo "skipped ${sanitizer#*:}: $compiler can't"; fi
    done
    if command -v valgrind >/dev/null; then variants+=(valgrind); else echo "skipped valgrind: not installed"; fi
fi
for variant in "${variants[@]}"; do
    case $variant in
        plain)
            build plain
            try plain "$work/plain" "$work/copy/json-lines.so"
            ;;
        asan)
            build asan -fsanitize=address,undefined -fno-sanitize-recover=all
            try asan "$work/asan" "$work/asan.so"
            ;;
        tsan)
            build tsan -fsanitize=thread
            TSAN_OPTIONS=halt_on_error=1 try tsan "$work/tsan" "$work/tsan.so"
            ;;
        valgrind)
            build plain-v
            try valgrind valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$work/plain-v" "$work/plain-v.so"
            ;;
        *) echo "run.sh: unknown variant $variant" >&2 && exit 64 ;;
    esac
done
exit "$failed"
