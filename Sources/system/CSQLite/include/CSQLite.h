/* SQLite as a module, with functions for what Swift can't call. */
#pragma once
#include <sqlite3.h>

/* SQLite counts the memory that it uses, under a lock at each allocation, and nobody here reads the count. Call this before
 * SQLite's first use; later it changes nothing. */
static inline int stop_counting_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Makes SQLite refuse an unknown name in double quotes. By default it would take that for a text. */
static inline int refuse_texts_in_double_quotes(sqlite3 *connection) {
    int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    return result == SQLITE_OK ? sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0) : result;
}

/* Binding copies the bytes. */
static inline int bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    /* An empty Swift buffer may have no address, which SQLite would take for NULL. */
    return sqlite3_bind_text64(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
