/*
 * belfry_clock.h: the kernel's clocks, timers and watches that Swift's Glibc module doesn't import.
 *
 * Every function returns 0 or more on success and a negated errno value on failure, so that nobody has to read errno
 * across a language border. Descriptors are the caller's: close(2) them. All are close-on-exec and non-blocking. The
 * functions keep no state and may be called from any thread; one descriptor's readers are the caller's to order.
 */
#ifndef BELFRY_CLOCK_H
#define BELFRY_CLOCK_H

#include <stdbool.h>
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
 * Reads both clocks. Tries again, 8 times at most, while the two boot readings are more than 20 µs apart (the thread
 * was interrupted between them), and keeps the closest.
 */
int belfry_clock_read(belfry_clock_reading *reading);

/* Whether the kernel says that the wall clock is synchronised: 1, 0, or a negated errno (adjtimex(2), STA_UNSYNC). */
int belfry_clock_is_synchronised(void);

/* ---- One timer ------------------------------------------------------------------------------------------------- */

#define BELFRY_CLOCK_WALL 0 /* CLOCK_REALTIME: jumps when it is set; a timer on it tells of that */
#define BELFRY_CLOCK_BOOT 7 /* CLOCK_BOOTTIME: counts suspend, never jumps */

/* A disarmed timerfd on BELFRY_CLOCK_WALL or BELFRY_CLOCK_BOOT. Returns the descriptor. */
int belfry_clock_timer_open(int clock);

/*
 * Arms for an absolute time of its clock, in place of what was armed before. A time that has passed expires at once.
 * A time of zero or less is taken for the first nanosecond, since zero would disarm (timerfd_settime(2)).
 * On the wall clock, with `tell_of_sets`, a discontinuous change makes the timer readable too
 * (TFD_TIMER_CANCEL_ON_SET). A change that happened since the last read is answered with -ECANCELED: the timer is armed
 * then all the same, and the caller looks at the clock again. On the boot clock `tell_of_sets` must be false.
 */
int belfry_clock_timer_arm(int timer, belfry_clock_time deadline, bool tell_of_sets);

/* Arms a wall clock timer for no time at all, only to be told of sets. -ECANCELED as above. */
int belfry_clock_timer_arm_for_sets(int timer);

int belfry_clock_timer_disarm(int timer);

#define BELFRY_CLOCK_TIMER_PENDING 0 /* neither expired nor cancelled */
#define BELFRY_CLOCK_TIMER_EXPIRED 1
#define BELFRY_CLOCK_TIMER_CLOCK_SET 2 /* the wall clock was set: arm again to be told of the next */

/* What made the timer readable; makes it unreadable. Never blocks. Returns one of the above. */
int belfry_clock_timer_read(int timer);

/* ---- A wake-up from another thread ----------------------------------------------------------------------------- */

/* An eventfd, not signalled. Returns the descriptor. */
int belfry_clock_signal_open(void);

/* Makes it readable. Any number of raises before a clear are one. Safe in a signal handler. */
int belfry_clock_signal_raise(int signal);

/* Makes it unreadable. Returns 1 when it had been raised, else 0. */
int belfry_clock_signal_clear(int signal);

/* ---- Waiting for many descriptors ------------------------------------------------------------------------------ */

/* An epoll instance. Returns the descriptor. */
int belfry_clock_loop_open(void);

/* What a watched descriptor is ready for; one that is hung up or broken is ready for both. */
#define BELFRY_CLOCK_LOOP_READ 1
#define BELFRY_CLOCK_LOOP_WRITE 2

/* Watches a descriptor for a combination of the above, until it is removed; `name` says which it was. */
int belfry_clock_loop_add(int loop, int descriptor, uint64_t name, int readiness);

/* Watches for something else from now on. */
int belfry_clock_loop_change(int loop, int descriptor, uint64_t name, int readiness);

/* Before the descriptor is closed. */
int belfry_clock_loop_remove(int loop, int descriptor);

typedef struct belfry_clock_loop_event {
    uint64_t name;
    int readiness;
} belfry_clock_loop_event;

/*
 * Waits until a watched descriptor is ready, or `timeout_ms` have passed (-1: no limit, 0: only looks). Returns how many
 * events it has written, `count` and 16 at most; 0 after the time limit or a signal.
 */
int belfry_clock_loop_wait(int loop, belfry_clock_loop_event *events, int count, int timeout_ms);

/* ---- Watching for changes of files (the zone data) ------------------------------------------------------------- */

/* An inotify instance. Returns the descriptor. */
int belfry_clock_watch_open(void);

/*
 * Watches a directory for files that are written, made, moved in, moved out or deleted in it. Returns the watch number.
 * -ENOENT and -ENOTDIR say what they say.
 */
int belfry_clock_watch_add_directory(int watch, const char *path);

/* The same for names that are made in a directory or moved into it, and nothing else that happens there. */
int belfry_clock_watch_add_parent(int watch, const char *path);

/* Nothing is told of it any more. */
int belfry_clock_watch_remove(int watch, int number);

#define BELFRY_CLOCK_WATCH_OTHER 1 /* something happened in a watched directory */
#define BELFRY_CLOCK_WATCH_NAMED 2 /* it happened to a file of one of the names */
#define BELFRY_CLOCK_WATCH_LOST 4  /* events were lost, or a directory is gone: look at everything, add watches again */

/*
 * Reads all that is there, never blocks. `names` is one or more file names, separated by slashes (which no file name
 * contains), or NULL for none. Returns a combination of the above, 0 when there was nothing.
 */
int belfry_clock_watch_read(int watch, const char *names);

/* ---- Watching for the end of a process ------------------------------------------------------------------------- */

/*
 * A descriptor that is readable when this process has ended, and for nothing else (pidfd_open(2)); it means the same
 * process also when another one has its number later. -ESRCH: there is none; -ENOSYS: a kernel before 5.3.
 */
int belfry_clock_process_open(int process);

#ifdef __cplusplus
}
#endif

#endif
