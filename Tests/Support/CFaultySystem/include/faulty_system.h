#ifndef FAULTY_SYSTEM_H
#define FAULTY_SYSTEM_H

/* The n-th call from now on that changes the disk fails with `error`; `forever`: so do all after it. n of 0 disarms. */
void faulty_system_arm(int n, int error, int forever);

/* How many calls have failed since then. */
int faulty_system_failures(void);

#endif
