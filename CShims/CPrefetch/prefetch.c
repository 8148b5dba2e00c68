#include "belfry_prefetch.h"

/* For callers that the compiler does not inline it into. */
extern inline void belfry_prefetch(const void *address);
