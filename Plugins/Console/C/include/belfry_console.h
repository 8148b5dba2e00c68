/*
 * belfry_console.h: what the console backend needs of terminals and pipes and Swift can't express: signal handlers, and
 * writing without waiting for ever and without SIGPIPE.
 *
 * Functions return 0 or more on success and a negated errno value on failure. Descriptors stay the caller's.
 */
#ifndef BELFRY_CONSOLE_H
#define BELFRY_CONSOLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Writing --------------------------------------------------------------------------------------------------- */

/*
 * Writes all of `bytes`, waiting for room no longer than `timeout_ms` in all. Stores in `*ret_written` how much was
 * written, also on failure. -ETIMEDOUT: the reader does not read; -EPIPE: there is no reader any more. Raises no
 * SIGPIPE, and changes no signal disposition. Safe from any thread; one descriptor's writers are the caller's to order.
 */
int belfry_console_write(int descriptor, const unsigned char *bytes, size_t length, int timeout_ms, size_t *ret_written);

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

/* 1 where this process may read the terminal: it is in the foreground, or there is no job control; else 0. */
int belfry_console_is_in_front(int terminal);

/*
 * Makes the terminal give each key as it is pressed, without showing it. Signals of keys (^C) stay. One terminal at a
 * time: -EBUSY while another is held; -EPERM in the background, -ENOTTY where it is none.
 *
 * Until the end, signals that would end or stop the process by default (HUP, INT, QUIT, TERM, TSTP) put the terminal
 * back first, and then do so; CONT takes the keys again. Signals that the program handles or ignores are left to it.
 * The terminal is also put back at exit(3).
 */
int belfry_console_keys_begin(int terminal);

/*
 * Takes the keys again where they were begun: a shell that brings the process to the front changes the terminal, and does
 * not always send CONT. 0, also where none were begun; -EPERM in the background.
 */
int belfry_console_keys_resume(void);

/* A descriptor of the library's own that becomes readable (eventfd) with each CONT from now on; negative where there is none left. */
int belfry_console_keys_continued(void);

/* Puts the terminal and the signals back. Does nothing where nothing was begun. */
void belfry_console_keys_end(void);

/*
 * Reads what is there, without waiting. -EIO in the background, where others would be stopped (SIGTTIN); 0 when the terminal is
 * gone, and at the end of input while it gives lines; -EAGAIN where nothing is there, such as a key that another reader got.
 */
int belfry_console_keys_read(int terminal, unsigned char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
