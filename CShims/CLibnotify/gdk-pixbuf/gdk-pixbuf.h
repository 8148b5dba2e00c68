#ifndef BELFRY_GDK_PIXBUF_H
#define BELFRY_GDK_PIXBUF_H

/*
 * What libnotify's header needs of gdk-pixbuf: one pointer type. The package manager finds this file first, so Belfry
 * doesn't ask pkg-config for gdk-pixbuf, whose flags have -pthread. SwiftPM warns about that flag in every app that
 * depends on Belfry, whether or not it uses libnotify. Belfry passes pixels to libnotify as bytes.
 */
typedef struct _GdkPixbuf GdkPixbuf;

#endif
