/*
 * libnotify's own header, for C targets of this package. The target provides pkg-config's flags for GLib and the name
 * of the Debian package. No Swift code calls libnotify.
 */
#include <libnotify/notify.h>
