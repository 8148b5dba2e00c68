#include "store_loops.h"

#include <sqlite3.h>
#include <stdlib.h>

struct store_loop {
    sqlite3 *database;
    sqlite3_stmt *begin, *request, *pending, *commit;
};

static const char *const settings =
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";

static const char *const tables =
    "CREATE TABLE request (revision INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL, kind BLOB, payload BLOB);"
    "CREATE TABLE pending (revision INTEGER PRIMARY KEY, id BLOB NOT NULL, anchor INTEGER NOT NULL, fired INTEGER NOT NULL,"
    " lastDue INTEGER, lastLocal INTEGER, shape INTEGER, value NUMERIC, times INTEGER, traits BLOB);";

store_loop *store_loop_make(const char *path) {
    store_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) return NULL;
    if (sqlite3_open(path, &loop->database) == SQLITE_OK
        && sqlite3_exec(loop->database, settings, NULL, NULL, NULL) == SQLITE_OK
        && sqlite3_exec(loop->database, tables, NULL, NULL, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(loop->database, "BEGIN IMMEDIATE", -1, &loop->begin, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(loop->database, "INSERT OR REPLACE INTO request VALUES (?, ?, ?, ?)", -1, &loop->request, NULL)
               == SQLITE_OK
        && sqlite3_prepare_v2(loop->database, "INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
                              &loop->pending, NULL)
               == SQLITE_OK
        && sqlite3_prepare_v2(loop->database, "COMMIT", -1, &loop->commit, NULL) == SQLITE_OK)
        return loop;
    store_loop_close(loop);
    return NULL;
}

void store_loop_close(store_loop *loop) {
    sqlite3_finalize(loop->begin);
    sqlite3_finalize(loop->request);
    sqlite3_finalize(loop->pending);
    sqlite3_finalize(loop->commit);
    sqlite3_close(loop->database);
    free(loop);
}

static void bind(sqlite3_stmt *statement, int index, store_loop_bytes bytes) {
    if (bytes.bytes == NULL)
        sqlite3_bind_null(statement, index);
    else
        sqlite3_bind_blob(statement, index, bytes.bytes, bytes.count, SQLITE_STATIC);
}

static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : code;
}

int store_loop_insert(store_loop *loop, int64_t revision, store_loop_bytes id, store_loop_bytes body, store_loop_bytes kind,
                      store_loop_bytes payload, int64_t anchor, double date) {
    int code = run(loop->begin);
    if (code != 0) return code;
    sqlite3_bind_int64(loop->request, 1, revision);
    bind(loop->request, 2, body);
    bind(loop->request, 3, kind);
    bind(loop->request, 4, payload);
    if ((code = run(loop->request)) != 0) return code;
    sqlite3_bind_int64(loop->pending, 1, revision);
    bind(loop->pending, 2, id);
    sqlite3_bind_int64(loop->pending, 3, anchor);
    sqlite3_bind_int64(loop->pending, 4, 0);
    sqlite3_bind_int64(loop->pending, 7, 1);
    sqlite3_bind_double(loop->pending, 8, date);
    if ((code = run(loop->pending)) != 0) return code;
    return run(loop->commit);
}

int64_t store_loop_count(store_loop *loop) {
    sqlite3_stmt *statement;
    const char *text = "SELECT count(*) FROM pending JOIN request ON request.revision = pending.revision";
    if (sqlite3_prepare_v2(loop->database, text, -1, &statement, NULL) != SQLITE_OK) return -1;
    int64_t count = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return count;
}

int64_t store_loop_scan(const char *path, uint64_t *sum) {
    sqlite3 *database;
    sqlite3_stmt *statement = NULL;
    int64_t count = -1;
    *sum = 0;
    if (sqlite3_open(path, &database) == SQLITE_OK && sqlite3_exec(database, settings, NULL, NULL, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(database,
                              "SELECT revision, id, anchor, fired, lastDue, lastLocal, shape, value, times, traits"
                              " FROM pending ORDER BY revision",
                              -1, &statement, NULL)
               == SQLITE_OK) {
        count = 0;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            uint64_t value = (uint64_t)sqlite3_column_int64(statement, 0);
            const unsigned char *id = sqlite3_column_blob(statement, 1);
            int length = sqlite3_column_bytes(statement, 1);
            if (length > 0) value += id[length - 1];
            for (int column = 2; column < 9; column++) value += (uint64_t)sqlite3_column_int64(statement, column);
            value += (uint64_t)sqlite3_column_bytes(statement, 9);
            *sum += value;
            count++;
        }
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return count;
}
