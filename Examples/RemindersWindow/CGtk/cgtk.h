/* GTK 4 for Swift. Its header is imported as it is. */
#include <gtk/gtk.h>
