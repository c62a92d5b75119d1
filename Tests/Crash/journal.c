#include "journal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "promises.h"

// An entry as the ledger knows it.
struct line {
    char *key;
    unsigned expected, found;
    // Whether it changed since the last comparison.
    bool is_touched;
    struct line *next_touched;
};

enum { TEXT_BYTES = 320, ENTRY_SECONDS = 60 };

static struct line *lines;
static size_t line_count, line_room;
static struct line *touched;
static struct peer follower = {.socket = -1};
static struct heard *entries;
static size_t entry_count, entry_room;
static uint64_t epoch, covered;
// Questions that may have been opened, by user.
static struct {
    uid_t uid;
    unsigned count;
} unknown_questions[64];

// MARK: the ledger

static uint64_t hash_of(const char *key) {
    // FNV-1a.
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *key; key++) hash = (hash ^ (uint8_t)*key) * 0x100000001b3u;
    return hash;
}

static struct line *place_of(struct line *table, size_t room, const char *key) {
    size_t place = hash_of(key) % room;
    while (table[place].key && strcmp(table[place].key, key) != 0) place = (place + 1) % room;
    return &table[place];
}

static void grow(void) {
    size_t room = line_room ? line_room * 2 : 1 << 16;
    struct line *table = calloc(room, sizeof *table);
    if (!table) fail("no memory");
    for (size_t i = 0; i < line_room; i++) {
        if (lines[i].key) *place_of(table, room, lines[i].key) = lines[i];
    }
    touched = NULL;
    for (size_t i = 0; i < room; i++) {
        if (!table[i].is_touched) continue;
        table[i].next_touched = touched;
        touched = &table[i];
    }
    free(lines);
    lines = table;
    line_room = room;
}

static struct line *line_of(Gate__V1__AuditKind kind, uid_t uid, const char *detail) {
    if (line_count * 2 >= line_room) grow();
    char key[TEXT_BYTES];
    int size = snprintf(key, sizeof key, "%s by %d: %s", kind_name(kind), (int)uid, detail);
    if (size >= (int)sizeof key) fail("an entry that is too long to compare");
    struct line *line = place_of(lines, line_room, key);
    if (!line->key) {
        if (!(line->key = strdup(key))) fail("no memory");
        line_count++;
    }
    return line;
}

static void touch(struct line *line) {
    if (line->is_touched) return;
    line->is_touched = true;
    line->next_touched = touched;
    touched = line;
}

void expect_entry(Gate__V1__AuditKind kind, uid_t uid, const char *format, ...) {
    char detail[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    struct line *line = line_of(kind, uid, detail);
    line->expected++;
    touch(line);
}

bool is_entry_found(Gate__V1__AuditKind kind, uid_t uid, const char *format, ...) {
    char detail[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    struct line *line = line_of(kind, uid, detail);
    return line->found > line->expected;
}

void expect_question(uid_t uid) {
    for (size_t i = 0; i < sizeof unknown_questions / sizeof *unknown_questions; i++) {
        if (unknown_questions[i].count > 0 && unknown_questions[i].uid != uid) continue;
        unknown_questions[i].uid = uid;
        unknown_questions[i].count++;
        return;
    }
    fail("too many users");
}

static bool take_unknown_question(uid_t uid) {
    for (size_t i = 0; i < sizeof unknown_questions / sizeof *unknown_questions; i++) {
        if (unknown_questions[i].count == 0 || unknown_questions[i].uid != uid) continue;
        unknown_questions[i].count--;
        return true;
    }
    return false;
}

// The ledger does not have what the daemon does by itself.
static bool is_in_ledger(const struct heard *entry) {
    return entry->kind != ENTRY(STARTED)
        && entry->kind != ENTRY(ENTITLEMENT_CHANGED);
}

void compare_journal(void) {
    for (; touched; touched = touched->next_touched) {
        struct line *line = touched;
        line->is_touched = false;
        run.entries_compared++;
        if (line->found == line->expected) continue;
        int uid = 0;
        if (line->found == line->expected + 1 && sscanf(line->key, "challengeOpened by %d", &uid) == 1
            && take_unknown_question((uid_t)uid)) {
            line->expected++;
            continue;
        }
        broken(
            "the journal has \"%s\" %u times; confirmed, or found done, was it %u times", line->key, line->found,
            line->expected);
    }
    memset(unknown_questions, 0, sizeof unknown_questions);
}

const char *kind_name(Gate__V1__AuditKind kind) {
    // AUDIT_KIND_ANSWERED_WRONG → answeredWrong
    static char names[64][32];
    if (kind < 0 || kind >= 64) broken("a journal entry of the unknown kind %d", (int)kind);
    char *name = names[kind];
    if (*name) return name;
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value(&gate__v1__audit_kind__descriptor, (int)kind);
    if (!value) broken("a journal entry of the unknown kind %d", (int)kind);
    bool is_upper = false;
    for (const char *letter = value->name + strlen("AUDIT_KIND_"); *letter; letter++) {
        if (*letter == '_') is_upper = true;
        else *name++ = is_upper ? *letter : (char)tolower(*letter), is_upper = false;
    }
    return names[kind];
}

// MARK: the follower

static void add(const Gate__V1__AuditEntry *entry) {
    if (entry_count == entry_room) {
        entry_room = entry_room ? entry_room * 2 : 1 << 12;
        entries = realloc(entries, entry_room * sizeof *entries);
        if (!entries) fail("no memory");
    }
    struct heard *heard = &entries[entry_count++];
    bool is_by_peer = entry->by != NULL;
    *heard = (struct heard){
        .number = entry->number,
        .time = entry->time_unix_milliseconds,
        .kind = entry->kind,
        .mode = entry->mode,
        .uid = is_by_peer ? entry->by->uid : NOBODY,
        .pid = is_by_peer ? entry->by->pid : 0,
        .detail = strdup(entry->detail),
    };
    if (heard->kind == ENTRY(STORE_DAMAGED)) broken("the store was damaged: %s", heard->detail);
    if (!is_in_ledger(heard)) return;
    struct line *line = line_of(heard->kind, heard->uid, heard->detail);
    line->found++;
    touch(line);
}

static void told(void *context, const struct answer *answer) {
    (void)context;
    if (answer->code != CODE_OK) broken("the journal can't be followed: %d, %s", answer->code, answer->text);
    const Gate__V1__AuditResponse *response = (const Gate__V1__AuditResponse *)answer->message;
    run.messages++;
    if (epoch == 0) epoch = response->revision->epoch;
    if (response->revision->epoch != epoch) broken("the epoch of the journal has changed");
    uint64_t last = covered;
    for (size_t i = 0; i < response->n_entries; i++) {
        const Gate__V1__AuditEntry *entry = response->entries[i];
        if (entry->number <= covered || entry->number < last)
            broken("the journal tells revision %lu after %lu", (unsigned long)entry->number, (unsigned long)last);
        last = entry->number;
        add(entry);
    }
    if (response->revision->number < last) broken("a message of the journal tells more than it says");
    covered = response->revision->number;
}

struct peer *journal_peer(void) {
    return &follower;
}

void follow_journal(void) {
    if (!connect_peer(&follower, user_of_administrator())) fail_system("can't connect to follow the journal");
    Gate__V1__Revision after = GATE__V1__REVISION__INIT;
    Gate__V1__AuditRequest request = GATE__V1__AUDIT_REQUEST__INIT;
    request.follow = true;
    if (covered > 0) {
        after.epoch = epoch;
        after.number = covered;
        request.after = &after;
    }
    open_stream(&follower, &gate__v1__watch__descriptor, "Audit", &request.base, told, NULL);
}

static void told_last(void *context, const struct answer *answer) {
    uint64_t *number = context;
    if (answer->code != CODE_OK) broken("the journal does not tell its last entry: %d, %s", answer->code, answer->text);
    const Gate__V1__AuditResponse *response = (const Gate__V1__AuditResponse *)answer->message;
    for (size_t i = 0; i < response->n_entries; i++) *number = response->entries[i]->number;
}

static uint64_t last_entry(void) {
    static struct peer peer;
    uint64_t number = 0;
    if (!connect_peer(&peer, user_of_administrator())) fail_system("can't connect to read the journal");
    Gate__V1__AuditRequest request = GATE__V1__AUDIT_REQUEST__INIT;
    request.follow = true;
    request.last = 1;
    open_stream(&peer, &gate__v1__watch__descriptor, "Audit", &request.base, told_last, &number);
    while (number == 0) {
        if (!await_peer(&peer, ENTRY_SECONDS)) broken("the journal does not tell its last entry within %d s", ENTRY_SECONDS);
        if (!read_peer(&peer)) broken("the daemon hung up on a reader of the journal");
    }
    close_peer(&peer);
    return number;
}

void await_journal(void) {
    uint64_t number = last_entry();
    while (covered < number) {
        if (!await_peer(&follower, ENTRY_SECONDS))
            broken(
                "the journal does not tell revision %lu within %d s, but %lu", (unsigned long)number, ENTRY_SECONDS,
                (unsigned long)covered);
        if (!read_peer(&follower)) broken("the daemon hung up on a follower of the journal");
    }
}

Gate__V1__ModeState__Mode mode_at(uint64_t number) {
    size_t first = 0, end = entry_count;
    while (first < end) {
        size_t middle = (first + end) / 2;
        if (entries[middle].number <= number) first = middle + 1;
        else end = middle;
    }
    if (first == 0) broken("the journal has no entry up to revision %lu", (unsigned long)number);
    return entries[first - 1].mode;
}

const struct heard *heard_entries(size_t *count) {
    *count = entry_count;
    return entries;
}
