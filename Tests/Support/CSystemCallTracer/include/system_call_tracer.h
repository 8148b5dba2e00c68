#ifndef SYSTEM_CALL_TRACER_H
#define SYSTEM_CALL_TRACER_H

/*
 * Runs a program and kills it (SIGKILL) at the entry of its n-th system call, counted over all of its threads from its first
 * write to standard output on; n of 0 lets it run to its end. Its standard output goes to the descriptor `output`.
 *
 * Returns the number of system calls that were counted, or a negated errno value where the program could not be traced (a
 * sandbox may forbid ptrace). `status` gets what waitpid(2) says of it. Blocks the calling thread for `seconds` at most, then
 * kills the program and returns -ETIMEDOUT. Waits for no child but its own.
 */
long system_call_tracer_run(const char *const *arguments, int output, long kill_at, int seconds, int *status);

#endif
