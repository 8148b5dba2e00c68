/*
 * SQLite for Swift. Swift imports almost all of its header; this file adds the rest.
 */
#ifndef BELFRY_CSQLITE_H
#define BELFRY_CSQLITE_H

#include <sqlite3.h>

/* SQLite copies the bytes before the call returns. SQLITE_TRANSIENT is a cast macro, which Swift can't import. */
static inline int belfry_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int belfry_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
