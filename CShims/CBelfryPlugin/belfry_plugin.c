/* Compiles the header by itself, so that its layout checks run in every build. */
#include "belfry_plugin.h"
