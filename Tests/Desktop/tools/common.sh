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
    gdbus call --session --timeout 60 --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
        --method org.freedesktop.DBus.NameHasOwner "$NOTIFICATIONS" 2>/dev/null | grep -q true
}

# Which server this desktop has: a file of Tests/Desktop/servers, which says how to start it and where to click.
SERVER=${BELFRY_TEST_SERVER:-dunst}
export SERVER
[ -f "$TOOLS/../servers/$SERVER" ] || die "unknown server '$SERVER'; known are: $(cd "$TOOLS/../servers" && echo *)"

# What a server's file may put in place of these. SERVICES, for .ci/desktop, are the D-Bus services it has the bus start.
export START_SECONDS=60 SMALLEST_POPUP=100
NEEDS=
server_ready() { :; }
sweep() { :; }
take_picture() { import -silent -window root "png:$1"; }
# Without a window on it the screen has one color, and nothing would be left of it.
crop_picture() {
    [ "$(identify -format '%k' "$1")" -gt 1 ] || return 1
    mogrify -bordercolor black -border 1 -fuzz 0% -trim +repage -border 8 "$1"
}
screen_is_empty() { [ -z "$(popup_windows)" ]; }

# click_at X Y [BUTTON]
click_at() {
    # Two movements: a server that learns of the pointer by its entering sees it move inside, too.
    xdotool mousemove $(($1 - 2)) "$2" mousemove "$1" "$2" click "${3:-1}"
    # Away again: a pointer over a popup holds its time.
    xdotool mousemove 10 600
}

# Without any system bus some shells end; an empty one will do.
start_system_bus() {
    local tries=0
    sed 's|<listen>.*</listen>|<listen>unix:path='"$STATE"'/run/system-bus</listen>|' "$TOOLS/../session-bus.conf" >"$STATE/system-bus.conf"
    rm -f "$STATE/run/system-bus"
    dbus-daemon --config-file="$STATE/system-bus.conf" --nofork --nopidfile >/dev/null 2>&1 &
    until [ -S "$STATE/run/system-bus" ] || [ $((tries += 1)) -gt 1200 ]; do sleep 0.05; done
    export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$STATE/run/system-bus"
}

# window_shape WINDOW: "X Y WIDTH HEIGHT" of it; fails where it is gone.
window_shape() {
    # shellcheck disable=SC2034 # xdotool says more than is wanted.
    local shape WINDOW X Y WIDTH HEIGHT SCREEN
    shape=$(xdotool getwindowgeometry --shell "$1" 2>/dev/null) || return 1
    eval "$shape"
    printf '%s %s %s %s\n' "$X" "$Y" "$WIDTH" "$HEIGHT"
}

# "X Y WIDTH HEIGHT" of each window of a popup's size: the root window and helpers of a pixel aren't popups, nor is a desktop's
# background or panel.
popup_windows() {
    local window shape width height
    for window in $(xdotool search --onlyvisible '' 2>/dev/null); do
        shape=$(window_shape "$window") || continue
        read -r _ _ width height <<<"$shape"
        [ "$width" -gt "$SMALLEST_POPUP" ] && [ "$height" -gt 30 ] && [ "$width" -lt 1000 ] && [ "$height" -lt 600 ] || continue
        printf '%s\n' "$shape"
    done
}

# shellcheck source-path=SCRIPTDIR source=../system-program.sh
. "$TOOLS/../system-program.sh"
# shellcheck source=/dev/null
. "$TOOLS/../servers/$SERVER"

# Everything that the server needs is installed.
server_is_installed() {
    [ -n "$PROGRAM" ] && [ -x "$PROGRAM" ] || return 1
    [ -z "$NEEDS" ] || [ -e "$NEEDS" ] || command -v "$NEEDS" >/dev/null 2>&1
}
