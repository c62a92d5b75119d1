#define _GNU_SOURCE
#include "database.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal.h"
#include "promises.h"

// A list of lines of text.
struct lines {
    char **texts;
    size_t count, room;
};
static struct lines expected;

static void add_line(struct lines *lines, char *text) {
    if (lines->count == lines->room) {
        lines->room = lines->room ? lines->room * 2 : 256;
        lines->texts = realloc(lines->texts, lines->room * sizeof *lines->texts);
    }
    if (!text || !lines->texts) fail("no memory");
    lines->texts[lines->count++] = text;
}

void expect_row(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) fail("no memory");
    va_end(arguments);
    add_line(&expected, text);
}

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

// Each row as `expect_row` writes it.
static const char rows_query[] =
    "SELECT printf('lockout %d %s wrong %d unanswered %d lock %d', uid, gate, wrong_answers, unanswered, lock_duration)"
    " FROM lockout UNION ALL "
    "SELECT printf('kept_grant %d %s until %d', uid, gated_action, deadline) FROM kept_grant UNION ALL "
    "SELECT printf('ask %d %d %s: %s %s', number, uid, gated_action, details, state) FROM ask WHERE state != 'over' UNION ALL "
    "SELECT printf('%d asks of %d are over', count(*), uid) FROM ask WHERE state = 'over' GROUP BY uid UNION ALL "
    "SELECT printf('ask_answer %d %d %s: %s', ask, uid, gated_action, details) FROM ask_answer UNION ALL "
    "SELECT 'passcode' FROM secret WHERE passcode_hash NOT NULL UNION ALL "
    "SELECT printf('authenticator, used up to step %d', totp_used_step) FROM secret WHERE totp_key NOT NULL UNION ALL "
    "SELECT printf('account %s %s', name, kind) FROM person UNION ALL "
    "SELECT printf('claim %s %s of %s until %d', provider, name, ifnull(account, 'device'), expires_at) FROM claim UNION ALL "
    "SELECT printf('draft %s %s revision %d', holder, form, revision) FROM draft UNION ALL "
    "SELECT printf('draft_row %s %s %s: %s', holder, form, path, coalesce(json_extract(answers, '$[0].valueString'), "
    "json_extract(answers, '$[0].valueAttachment.url'), answers || instances)) FROM draft_row UNION ALL "
    "SELECT printf('response %d %s %s %s', id, holder, form, status) FROM response UNION ALL "
    "SELECT printf('whats_new %s %s %s', holder, app, version) FROM whats_new UNION ALL "
    "SELECT printf('attachment %s', lower(hex(digest))) FROM attachment UNION ALL "
    "SELECT printf('customer %s', app_user) FROM customer UNION ALL "
    "SELECT printf('notification %s', id) FROM notification";

static sqlite3 *open_database(const char *directory, int flags) {
    char path[4096];
    sqlite3 *database;
    snprintf(path, sizeof path, "%s/gate.sqlite", directory);
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK)
        broken("the database %s can't be opened: %s", path, sqlite3_errmsg(database));
    return database;
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *query) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK)
        broken("the database can't be asked: %s: %s", sqlite3_errmsg(database), query);
    return statement;
}

static bool next_row(sqlite3 *database, sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) return true;
    if (result != SQLITE_DONE) broken("the database can't be read: %s", sqlite3_errmsg(database));
    sqlite3_finalize(statement);
    return false;
}

static int64_t number_of(sqlite3 *database, const char *query) {
    sqlite3_stmt *statement = prepare(database, query);
    int64_t number = next_row(database, statement) ? sqlite3_column_int64(statement, 0) : -1;
    if (next_row(database, statement)) broken("more than one row: %s", query);
    return number;
}

static void check_integrity(sqlite3 *database) {
    sqlite3_stmt *statement = prepare(database, "PRAGMA integrity_check");
    while (next_row(database, statement)) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        if (strcmp(text, "ok") != 0) broken("the database is damaged: %s", text);
    }
    static const char orphans[] =
        "SELECT count(*) FROM draft_row WHERE (holder, form) NOT IN (SELECT holder, form FROM draft)";
    if (number_of(database, orphans) != 0) broken("answers without their draft");
    static const char left[] =
        "SELECT count(*) FROM claim WHERE account IS NOT NULL AND account NOT IN (SELECT name FROM person)";
    if (number_of(database, left) != 0) broken("claims of an account that was removed");
    static const char words[] = "SELECT count(*) FROM ask WHERE state = 'over' AND details != ''";
    if (number_of(database, words) != 0) broken("the words of an ask that is over");
    static const char answers[] =
        "SELECT count(*) FROM ask_answer WHERE ask NOT IN (SELECT number FROM ask WHERE state = 'over')";
    if (number_of(database, answers) != 0) broken("a yes to an ask that is not there, or was not answered");
    if (number_of(database, "SELECT count(*) FROM audit") != number_of(database, "SELECT audit_count FROM meta"))
        broken("the journal does not have as many rows as it says");
    if (number_of(database, "SELECT ifnull(max(number), 0) FROM audit") > number_of(database, "SELECT number FROM meta"))
        broken("the journal goes on after the last revision");
}

static bool is_same_entry(sqlite3_stmt *row, const struct heard *heard) {
    static const char *const modes[] = {"", "child", "verifying", "parent"};
    bool is_by_peer = heard->uid != NOBODY;
    return (uint64_t)sqlite3_column_int64(row, 0) == heard->number && sqlite3_column_int64(row, 1) == heard->time
        && strcmp((const char *)sqlite3_column_text(row, 2), kind_name(heard->kind)) == 0
        && (sqlite3_column_type(row, 3) != SQLITE_NULL) == is_by_peer
        && (!is_by_peer
            || (sqlite3_column_int64(row, 3) == (int64_t)heard->uid && sqlite3_column_int64(row, 4) == (int64_t)heard->pid))
        && strcmp((const char *)sqlite3_column_text(row, 5), modes[heard->mode]) == 0
        && strcmp((const char *)sqlite3_column_text(row, 6), heard->detail) == 0;
}

static void compare_entry(sqlite3_stmt *row, const struct heard *heard) {
    if (!is_same_entry(row, heard))
        broken(
            "the journal in the database is not what was told: revision %lld %s \"%s\", told was revision %lu %s \"%s\"",
            (long long)sqlite3_column_int64(row, 0), sqlite3_column_text(row, 2), sqlite3_column_text(row, 6),
            (unsigned long)heard->number, kind_name(heard->kind), heard->detail);
}

// Checks that every entry that was received and is not pruned is there, in order. There may be more only at the end, if
// a daemon was killed before it could report them.
static void compare_journals(sqlite3 *database, bool may_have_more) {
    size_t count, next = 0;
    const struct heard *heard = heard_entries(&count);
    uint64_t pruned = (uint64_t)number_of(database, "SELECT pruned_through FROM meta");
    sqlite3_stmt *row = prepare(database, "SELECT number, time, kind, uid, pid, mode, detail FROM audit ORDER BY id");
    while (next_row(database, row)) {
        // Up to this number, the owner with the most entries has lost some of them.
        while (next < count && heard[next].number <= pruned && !is_same_entry(row, &heard[next])) next++;
        if (next < count) compare_entry(row, &heard[next++]);
        else if (!may_have_more) broken("the journal in the database has more than was told");
    }
    while (next < count && heard[next].number <= pruned) next++;
    run.entries_compared += may_have_more ? 0 : count;
    if (next < count)
        broken("the journal in the database ends before revision %lu, which was told", (unsigned long)heard[next].number);
}

static void copy(const char *from, const char *to, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", from, name);
    FILE *source = fopen(path, "re");
    snprintf(path, sizeof path, "%s/%s", to, name);
    unlink(path);
    if (!source) return;
    FILE *target = fopen(path, "we");
    if (!target) fail_system("can't make %s", path);
    char buffer[65536];
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, source)) > 0;) {
        if (fwrite(buffer, 1, size, target) != size) fail_system("can't write %s", path);
    }
    fclose(source);
    if (fclose(target) != 0) fail_system("can't write %s", path);
}

void inspect_copy(const char *state_directory, const char *scratch_directory) {
    mkdir(scratch_directory, 0700);
    copy(state_directory, scratch_directory, "gate.sqlite");
    copy(state_directory, scratch_directory, "gate.sqlite-wal");
    copy(state_directory, scratch_directory, "gate.sqlite-shm");
    sqlite3 *database = open_database(scratch_directory, SQLITE_OPEN_READWRITE);
    check_integrity(database);
    compare_journals(database, true);
    sqlite3_close(database);
}

void inspect_database(const char *state_directory) {
    sqlite3 *database = open_database(state_directory, SQLITE_OPEN_READONLY);
    check_integrity(database);
    compare_journals(database, false);
    struct lines found = {0};
    sqlite3_stmt *row = prepare(database, rows_query);
    while (next_row(database, row)) add_line(&found, strdup((const char *)sqlite3_column_text(row, 0)));
    qsort(found.texts, found.count, sizeof *found.texts, compare_texts);
    qsort(expected.texts, expected.count, sizeof *expected.texts, compare_texts);
    for (size_t i = 0; i < found.count || i < expected.count; i++) {
        const char *is = i < found.count ? found.texts[i] : "(nothing)";
        const char *must_be = i < expected.count ? expected.texts[i] : "(nothing)";
        run.records_compared++;
        if (strcmp(is, must_be) != 0) broken("the database has the row '%s', where '%s' has to be", is, must_be);
    }
    for (size_t i = 0; i < found.count; i++) free(found.texts[i]);
    for (size_t i = 0; i < expected.count; i++) free(expected.texts[i]);
    free(found.texts);
    expected.count = 0;
    sqlite3_close(database);
}
