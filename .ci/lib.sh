# shellcheck shell=bash
# What the scripts in .ci share: where the project is, how they speak, how they fail.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
PROGRAM=$(basename "$0")

# A step's headline, so that a long log can be skimmed and a failure be placed.
headline() { printf '\n==> %s\n' "$*"; }

say() { printf '%s\n' "$*"; }

complain() { printf '%s: %s\n' "$PROGRAM" "$*" >&2; }

# die REASON [WHAT TO DO]
die() {
    complain "$1"
    [ $# -lt 2 ] || printf '    %s\n' "$2" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

export ROOT

require_swift() {
    have swift || die "no 'swift' on the PATH" \
        "Install Swift 6.2 or later (swift.org/install) and run this again; everything else is installed from here."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | sed -n 1p)
    local major=${version% *} minor=${version#* }
    if [ -z "$version" ]; then
        die "'swift --version' does not name a version" "Check the toolchain: $(command -v swift)"
    fi
    if [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
        die "Swift $major.$minor is too old" "Belfry's manifest needs Swift 6.2 or later."
    fi
}

# The files that belong to the project, as paths from its root, NUL-separated: what git tracks or would track, or, in
# an unpacked archive without git, what is there.
project_files() {
    if git -C "$ROOT" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        # A file deleted from the work tree but not yet from the index is listed and can't be read.
        git -C "$ROOT" ls-files -z --cached --others --exclude-standard -- "$@" |
            while IFS= read -r -d '' file; do
                [ ! -e "$ROOT/$file" ] || printf '%s\0' "$file"
            done
    else
        (cd "$ROOT" && find "${@:-.}" -type d \( -name .build -o -name .swiftpm \) -prune -o -type f -print0 2>/dev/null)
    fi
}

# Runs a command and says every 30 seconds that it still runs, so that nobody takes a long silence for a hang.
# patiently WHAT COMMAND…
patiently() {
    local what=$1
    shift
    local begun=$SECONDS ticker status=0
    # It starts no program, which would keep a pipe open that somebody reads to its end.
    (
        exec 9<> <(:) # Nobody writes there.
        until read -rt 30 -u 9; do printf '    … %s: %d s\n' "$what" $((SECONDS - begun)); done
    ) </dev/null &
    ticker=$!
    "$@" || status=$?
    # Not TERM: a shell that has just been forked runs the EXIT trap of this one, which may remove what is still needed.
    kill -KILL "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    return "$status"
}

# The first Debian mirror of apt's sources, in either of their forms; nothing where there is none.
mirror() {
    { grep -rhE '^(URIs:|deb) ' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null || true; } |
        awk '{ for (i = 2; i <= NF; i++) if (!found && $i ~ /:\/\/.*\/debian\/?$/) { print $i; found = 1 } }'
}

# build_belfry OPTION…: the package itself into .build, with all traits, as the examples and benchmarks name them: a trait is a flag for
# every module, and so each other choice compiles all of them again.
build_belfry() { patiently "swift build" swift build --enable-all-traits "$@" </dev/null; }

# expect WHAT COMMAND…: prints what was expected; the command's last lines only where it fails.
expect() {
    local what=$1 log status=0
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        tail -n 20 "$log" | sed 's/^/    /' >&2
        die "$what: '$*' failed with status $status (its last lines are above)"
    fi
    say "ok    $what"
    rm -f "$log"
}

# soon COMMAND…: tries it for 20 seconds.
soon() {
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        if "$@"; then return 0; fi
        sleep 0.2
    done
    return 1
}

# public_types PATH…: the public types at the top level of Swift files and folders, one a line, as FILE:LINE: DECLARATION. A name that is
# declared to be unavailable is none.
public_types() {
    # shellcheck disable=SC2016 # It is awk's.
    find "$@" -name '*.swift' -not -path '*/.build/*' -not -path '*.docc/*' -print0 | sort -z | xargs -0 -r awk '
        FNR == 1 { attributes = "" }
        /^@/ || (attributes != "" && /^[ )]/) { attributes = attributes $0 }
        { line = $0; sub(/^@.* public /, "public ", line) }
        line ~ /^public ([a-z]+ )*(struct|class|enum|protocol|actor|typealias) / && attributes !~ /unavailable/ {
            print FILENAME ":" FNR ": " line
        }
        line ~ /^[a-z}]/ { attributes = "" }'
}
