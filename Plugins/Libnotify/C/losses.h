/* What was lost on the way to the screen, collected while a notice is made ready. */
#ifndef BELFRY_LIBNOTIFY_LOSSES_H
#define BELFRY_LIBNOTIFY_LOSSES_H

#include <glib.h>

#include "belfry_plugin.h"

/* An empty list of belfry_loss *, to be freed with g_ptr_array_unref; its elements own their details. */
GPtrArray *belfry_libnotify_losses_new(void);

/* Adds one. `format` as in printf; the result is the detail, valid UTF-8 whatever goes in. */
void belfry_libnotify_losses_add(GPtrArray *losses, belfry_loss_kind kind, const char *format, ...) G_GNUC_PRINTF(3, 4);

#endif
