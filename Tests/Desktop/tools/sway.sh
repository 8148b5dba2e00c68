# shellcheck shell=bash
# For servers that need a Wayland compositor (wlr-layer-shell): sway, in a window as large as the private desktop's screen.

# exec_under_sway PROGRAM: becomes a sway that starts the server. Where sway ends, so does the server.
exec_under_sway() {
    printf '%s\n' 'output * resolution 1280x1024' 'xwayland disable' "exec '$1'" >"$STATE/sway.conf"
    unset WAYLAND_DISPLAY
    export WLR_BACKENDS=x11 WLR_RENDERER=pixman XDG_SESSION_TYPE=wayland GSK_RENDERER=cairo
    exec setsid sway --config "$STATE/sway.conf"
}

# The screen is of one color: what differs from it is a popup, or several.
popup_windows() {
    local picture=$STATE/popups.png
    take_picture "$picture" || return 0
    [ "$(identify -format '%k' "$picture")" -gt 1 ] || return 0
    "$(command -v magick || command -v convert)" "$picture" -trim -format '%X %Y %w %h\n' info: | tr -d +
}
