/*
 * libnotify's own header, for C targets of this package: the target stands in the manifest for pkg-config's flags and for
 * the name of the Debian package. No Swift code calls libnotify.
 */
#include <libnotify/notify.h>
