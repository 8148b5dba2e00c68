/* Compiles the header by itself in every build: a target in C needs a source. */
#include "belfry_plugin.h"
