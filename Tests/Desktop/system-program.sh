# shellcheck shell=bash
# Where Debian's releases put programs that users don't start themselves: the folder changes from one release to the next.

# system_program NAME: the path of an installed program, on the PATH or below /usr/libexec and /usr/lib; nothing where there is none.
system_program() {
    local candidate
    command -v "$1" && return
    for candidate in "/usr/libexec/$1" /usr/libexec/*/"$1" /usr/lib/*/"$1" /usr/lib/*/*/"$1" /usr/lib/*/*/*/"$1"; do
        if [ -f "$candidate" ] && [ -x "$candidate" ]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 0
}
