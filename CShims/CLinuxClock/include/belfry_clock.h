/*
 * belfry_clock.h: the kernel's clocks, timers and watches that Swift's Glibc module doesn't import.
 *
 * Every function returns 0 or more on success and a negated errno value on failure, so that Swift never has to read
 * errno. The caller owns the descriptors and closes them with close(2). All are close-on-exec and nonblocking. The
 * functions keep no state and may be called from any thread; the caller serializes reads of one descriptor.
 */
#ifndef BELFRY_CLOCK_H
#define BELFRY_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading --------------------------------------------------------------------------------------------------- */

/* Seconds and nanoseconds since the clock's own zero; nanoseconds are 0 to 999 999 999, also before zero. */
typedef struct belfry_clock_time {
    int64_t seconds;
    int32_t nanoseconds;
} belfry_clock_time;

/*
 * CLOCK_REALTIME and CLOCK_BOOTTIME at one instant: boot, wall and boot are read in this order, `boot` is the middle of
 * the two, and the wall reading is within `uncertainty` nanoseconds of it.
 */
typedef struct belfry_clock_reading {
    belfry_clock_time wall;
    belfry_clock_time boot;
    int64_t uncertainty;
} belfry_clock_reading;

/*
 * Reads both clocks. If the two boot readings are more than 20 µs apart (the thread was interrupted), it tries again,
 * up to 8 times in all, and keeps the closest pair.
 */
int belfry_clock_read(belfry_clock_reading *reading);

/* Whether the kernel reports the wall clock as synchronized: 1, 0, or a negated errno (adjtimex(2), STA_UNSYNC). */
int belfry_clock_is_synchronized(void);

/* ---- One timer ------------------------------------------------------------------------------------------------- */

/* Creates a disarmed timerfd on the wall clock (CLOCK_REALTIME). Returns the descriptor. */
int belfry_clock_timer_open(void);

/*
 * Arms the timer for an absolute time, replacing the previous one. A time in the past expires at once, and one beyond
 * what the kernel can count never does. A time of zero or less becomes the first nanosecond, since zero would disarm
 * (timerfd_settime(2)). A discontinuous change of the clock also makes the timer readable (TFD_TIMER_CANCEL_ON_SET).
 * Returns -ECANCELED if such a change happened since the last read: the timer is armed nevertheless, and the caller has
 * to read the clock again.
 */
int belfry_clock_timer_arm(int timer, belfry_clock_time deadline);

#define BELFRY_CLOCK_TIMER_PENDING 0 /* neither expired nor canceled */
#define BELFRY_CLOCK_TIMER_EXPIRED 1
#define BELFRY_CLOCK_TIMER_CLOCK_SET 2 /* the wall clock was set: arm again to detect the next change */

/* Returns what made the timer readable, one of the above, and makes it unreadable. Never blocks. */
int belfry_clock_timer_read(int timer);

/* ---- A wake-up from another thread ----------------------------------------------------------------------------- */

/* Creates an eventfd that is not readable yet. Returns the descriptor. */
int belfry_clock_signal_open(void);

/* Makes it readable. Several raises before a clear count as one. Safe in a signal handler. */
int belfry_clock_signal_raise(int signal);

/* Makes it unreadable. Returns 1 when it had been raised, else 0. */
int belfry_clock_signal_clear(int signal);

/* ---- Waiting for many descriptors ------------------------------------------------------------------------------ */

/* Creates an epoll instance. Returns the descriptor. */
int belfry_clock_loop_open(void);

/* The readiness of a watched descriptor. One that is hung up or in error is ready for both. */
#define BELFRY_CLOCK_LOOP_READ 1
#define BELFRY_CLOCK_LOOP_WRITE 2

/* Watches a descriptor for a combination of the above until it is removed; `name` identifies it in events. */
int belfry_clock_loop_add(int loop, int descriptor, uint64_t name, int readiness);

/* Changes what a descriptor is watched for. */
int belfry_clock_loop_change(int loop, int descriptor, uint64_t name, int readiness);

/* Stops watching a descriptor. Call it before closing the descriptor. */
int belfry_clock_loop_remove(int loop, int descriptor);

typedef struct belfry_clock_loop_event {
    uint64_t name;
    int readiness;
} belfry_clock_loop_event;

/*
 * Waits until a watched descriptor is ready or `timeout_ms` have passed (-1: no timeout, 0: returns at once). Returns
 * the number of events written, at most `count` and 16, and 0 after the timeout or a signal.
 */
int belfry_clock_loop_wait(int loop, belfry_clock_loop_event *events, int count, int timeout_ms);

/* ---- Watching for changes of files ----------------------------------------------------------------------------- */

/* Creates an inotify instance. Returns the descriptor. */
int belfry_clock_watch_open(void);

/*
 * Watches a directory for files that are written, created, moved in, moved out or deleted, or whose permissions change.
 * Returns the watch number. Returns -ENOENT if the path doesn't exist, -ENOTDIR if it is not a directory.
 */
int belfry_clock_watch_add_directory(int watch, const char *path);

/* Stops watching; no further events are reported for it. */
int belfry_clock_watch_remove(int watch, int number);

#define BELFRY_CLOCK_WATCH_OTHER 1 /* something else happened in a watched directory */
#define BELFRY_CLOCK_WATCH_NAMED 2 /* something happened to a file with one of the names */
#define BELFRY_CLOCK_WATCH_LOST 4  /* events were lost, or a directory is gone: check everything, add watches again */

/*
 * Reads all pending events; never blocks. `names` is one or more file names separated by slashes (which no file name
 * contains), or NULL for none. Returns a combination of the above, or 0 if there were no events.
 */
int belfry_clock_watch_read(int watch, const char *names);

/* ---- Watching for the end of a process ------------------------------------------------------------------------- */

/*
 * Creates a descriptor that becomes readable only when this process ends (pidfd_open(2)). It refers to the same process
 * even if its number is reused later. -ESRCH: no such process; -ENOSYS: a kernel before 5.3.
 */
int belfry_clock_process_open(int process);

/* ---- Naming a thread ------------------------------------------------------------------------------------------- */

/*
 * Names the calling thread for debuggers and ps(1), by prctl(2), whose variable arguments Swift doesn't import. `name` is
 * UTF-8 and borrowed; bytes after the 15th are cut.
 */
int belfry_clock_thread_name(const char *name);

#ifdef __cplusplus
}
#endif

#endif
