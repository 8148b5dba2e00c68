/*
 * belfry_prefetch.h: asks the processor for memory that will be read soon, which Swift has no word for.
 */
#ifndef BELFRY_PREFETCH_H
#define BELFRY_PREFETCH_H

/* Any address will do, also one that can't be read: then nothing happens. */
inline void belfry_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
