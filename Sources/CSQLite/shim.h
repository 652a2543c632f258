#ifndef TURNSTONE_CSQLITE_SHIM_H
#define TURNSTONE_CSQLITE_SHIM_H

#include <stddef.h>
#include <sqlite3.h>

// A macro that casts to a function pointer, which Swift can't import.
static inline int turnstone_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, size_t count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int turnstone_sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
