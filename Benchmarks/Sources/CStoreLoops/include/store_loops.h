#ifndef STORE_LOOPS_H
#define STORE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

/* What a C program does with SQLite where Belfry's store does its work: the same file, the same settings, the same columns. */

typedef struct store_loop store_loop;

typedef struct store_loop_bytes {
    const void *bytes; /* borrowed for the call; NULL is SQL's NULL */
    int count;
} store_loop_bytes;

/* A new file with the tables of Belfry's store, WAL, synchronous=FULL, exclusive; NULL where that fails. store_loop_close frees. */
store_loop *store_loop_make(const char *path);
void store_loop_close(store_loop *loop);

/* One transaction with the two rows of a request that is due at a date; 0 when it is durable. */
int store_loop_insert(store_loop *loop, int64_t revision, store_loop_bytes id, store_loop_bytes body, store_loop_bytes kind,
                      store_loop_bytes payload, int64_t anchor, double date);

/* How many rows stand in both tables. */
int64_t store_loop_count(store_loop *loop);

/*
 * Opens a store's file and reads each column of all pending requests, by revision; returns how many there are, or -1. `sum`
 * gets a number that depends on every value read, so that none of it is left out.
 */
int64_t store_loop_scan(const char *path, uint64_t *sum);

#endif
