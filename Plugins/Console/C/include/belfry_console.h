/*
 * belfry_console.h: terminal and pipe functions of the console backend that Swift can't express: signal handlers, and
 * writing with a timeout and without SIGPIPE.
 *
 * Functions return 0 or more on success and a negated errno value on failure. The caller keeps owning descriptors.
 */
#ifndef BELFRY_CONSOLE_H
#define BELFRY_CONSOLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Writing --------------------------------------------------------------------------------------------------- */

/*
 * Writes all of `bytes`, waiting for room for at most `timeout_ms` in total. Stores in `*ret_written` how much was
 * written, also on failure. -ETIMEDOUT: the reader does not read; -EPIPE: there is no reader any more. Begins nothing
 * after the timeout, so nothing at all with a timeout of 0. Raises no SIGPIPE, and changes no signal disposition.
 * Thread-safe; the caller serializes the writers of one descriptor.
 * A terminal is opened once more for the call. Only if that is impossible, a full terminal may exceed the timeout.
 */
int belfry_console_write(int descriptor, const unsigned char *bytes, size_t length, int timeout_ms, size_t *ret_written);

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

/* Returns 1 if this process may read the terminal (it is in the foreground, or there is no job control), else 0. */
int belfry_console_is_in_front(int terminal);

/*
 * Switches the terminal to single keys without echo. Keys still send signals (^C). Supports one terminal at a time:
 * -EBUSY while one is in use; -EPERM in the background, -ENOTTY if it is not a terminal.
 *
 * Until the end, signals that end or stop the process by default (HUP, INT, QUIT, TERM, TSTP) first restore the
 * terminal; CONT switches it to single keys again. Signals that the program handles or ignores are not changed.
 * The terminal is also restored at exit(3).
 */
int belfry_console_keys_begin(int terminal);

/*
 * Switches the terminal to single keys again, if they were begun: a shell that brings the process to the foreground
 * changes the terminal, and does not always send CONT. 0, also if they were not begun; -EPERM in the background.
 */
int belfry_console_keys_resume(void);

/* Returns an eventfd, owned by the library, that becomes readable with each CONT; negative if none is left. */
int belfry_console_keys_continued(void);

/* Restores the terminal and the signals. Does nothing if single keys were not begun. */
void belfry_console_keys_end(void);

/*
 * Reads the available input without blocking. -EPERM in the background, where a plain read would stop the process
 * (SIGTTIN); 0 or -EIO when the terminal is gone, 0 at the end of input in line mode; -EAGAIN if there is no input.
 */
int belfry_console_keys_read(int terminal, unsigned char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
