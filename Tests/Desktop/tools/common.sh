# shellcheck shell=bash
# What the tools of the private desktop share.

set -euo pipefail

complain() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() {
    complain "$@"
    exit 1
}

[ "${BELFRY_TEST_DESKTOP:-}" = 1 ] && [ -d "${BELFRY_TEST_DESKTOP_STATE:-}" ] ||
    die "this works on a private desktop alone: run it under .ci/desktop"

STATE=$BELFRY_TEST_DESKTOP_STATE
TOOLS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
NOTIFICATIONS=org.freedesktop.Notifications
export STATE TOOLS NOTIFICATIONS

# The process of the running server; fails when none runs.
server_pid() {
    local pid
    pid=$(cat "$STATE/server.pid" 2>/dev/null) || return 1
    kill -0 "$pid" 2>/dev/null || return 1
    printf '%s' "$pid"
}

# The bus's own word, which no cache and no process list can replace.
name_is_owned() {
    gdbus call --session --timeout 5 --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
        --method org.freedesktop.DBus.NameHasOwner "$NOTIFICATIONS" 2>/dev/null | grep -q true
}
