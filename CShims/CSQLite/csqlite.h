/*
 * SQLite for Swift. Almost all of its header is imported as it is; here stands what Swift can't see.
 */
#ifndef BELFRY_CSQLITE_H
#define BELFRY_CSQLITE_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a macro with a cast to a function pointer: the bytes are copied before the call returns. */
static inline int belfry_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int belfry_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
