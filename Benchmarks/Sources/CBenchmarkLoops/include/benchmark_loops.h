/*
 * benchmark_loops.h: what Belfry is measured against, each in the language and the loop that is best for it.
 *
 * Nothing here keeps state. Times are in seconds unless the name says otherwise.
 */
#ifndef BENCHMARK_LOOPS_H
#define BENCHMARK_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- libical --------------------------------------------------------------------------------------------------- */

/* A rule that was read and a zone that was loaded. Made by benchmark_ical_open, freed by benchmark_ical_close. */
typedef struct benchmark_ical benchmark_ical;

/*
 * Reads an RRULE, a start as local time ("20250101T080000") and a zone of the system's zone data. Warms the zone's
 * table up to the year 2037, which is as far as libical expands it. NULL where one of them can't be read. Owned by the caller.
 */
benchmark_ical *benchmark_ical_open(const char *rule, const char *start, const char *zone);
void benchmark_ical_close(benchmark_ical *rule);

/*
 * Walks the rule with one iterator, made before the clock starts, from its start over `count` dates at most, each turned
 * into seconds since 1970, and puts them into `dates`. Returns how many there were; `elapsed` is the time of the walk alone.
 */
size_t benchmark_ical_walk(const benchmark_ical *rule, int64_t *dates, size_t count, double *elapsed);

/* Makes an iterator and takes its first date, `rounds` times. Returns the date; `elapsed` is the time of all rounds. */
int64_t benchmark_ical_first(const benchmark_ical *rule, size_t rounds, double *elapsed);

/* Turns the start into seconds since 1970, `rounds` times: what is left of a date when there is no rule. */
int64_t benchmark_ical_convert(const benchmark_ical *rule, size_t rounds, double *elapsed);

/* Reads the rule's text anew and takes its first date, `rounds` times. */
int64_t benchmark_ical_parse_and_first(
    const char *rule, const char *start, const char *zone, size_t rounds, double *elapsed);

/* ---- timerfd and epoll ----------------------------------------------------------------------------------------- */

/*
 * Waits with one timerfd and epoll for `count` deadlines in ascending order, nanoseconds on CLOCK_BOOTTIME, arming for each
 * when the one before has come, and puts the clock's reading at each wake-up into `woke`. Returns 0 or a negated errno.
 */
int benchmark_epoll_wait(const int64_t *deadlines, int64_t *woke, size_t count);

/* ---- The machine ----------------------------------------------------------------------------------------------- */

/* Nanoseconds on CLOCK_BOOTTIME and CLOCK_MONOTONIC, and of processor time that the calling thread has used. */
int64_t benchmark_boot_nanoseconds(void);
int64_t benchmark_monotonic_nanoseconds(void);
int64_t benchmark_thread_nanoseconds(void);

/* Bytes that malloc has given out and not got back, mapped blocks included. */
size_t benchmark_allocated_bytes(void);

/* Gives what malloc holds in reserve back to the kernel, so that the resident size means something. */
void benchmark_trim(void);

#endif
