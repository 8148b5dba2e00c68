/* The calls that go through libnotify itself. Each may block for up to 25 seconds in the worst case; see bus.h. */
#ifndef BELFRY_LIBNOTIFY_SHOW_H
#define BELFRY_LIBNOTIFY_SHOW_H

#include "worker.h"

/* Shows the call's notice and answers the call. The server is there and known. */
void belfry_libnotify_show(ln_worker *worker, ln_call *call);

/* Closes what the call names and answers it. The server is there, and the receipt is one of its. */
void belfry_libnotify_withdraw(ln_worker *worker, ln_call *call);

#endif
