#include "losses.h"

#include <stdarg.h>
#include <string.h>

static void free_loss(gpointer data) {
    belfry_loss *loss = data;
    g_free((char *)loss->detail.bytes);
    g_free(loss);
}

GPtrArray *belfry_libnotify_losses_new(void) { return g_ptr_array_new_with_free_func(free_loss); }

void belfry_libnotify_losses_add(GPtrArray *losses, belfry_loss_kind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    char *detail = g_utf8_make_valid(text, -1);
    g_free(text);
    belfry_loss *loss = g_new0(belfry_loss, 1);
    loss->struct_size = sizeof *loss;
    loss->kind = kind;
    loss->detail = (belfry_string){detail, strlen(detail)};
    g_ptr_array_add(losses, loss);
}
