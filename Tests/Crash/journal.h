// The journal as it has to be, and as a follower of the audit stream has heard it.
//
// Whatever the clients do leaves an entry. The ledger counts, for each user, kind and text, the entries that there must be:
// those of commands that were confirmed, and of those in flight that were found done. The journal has exactly these: nothing
// confirmed is lost, nothing is there twice, no grant was given or taken that nobody asked for.
#pragma once
#include "peer.h"

// The kinds of entries, by what they have of their names of their own.
#define ENTRY(NAME) GATE__V1__AUDIT_KIND__AUDIT_KIND_##NAME
// For `uid`: nobody, the daemon itself.
#define NOBODY ((uid_t)-1)

// There has to be one more entry like this.
void expect_entry(Gate__V1__AuditKind kind, uid_t uid, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Whether there is an entry like this that nobody expects yet: what was in flight was done.
bool is_entry_found(Gate__V1__AuditKind kind, uid_t uid, const char *format, ...) __attribute__((format(printf, 3, 4)));
// A question that was opened or not, nobody knows which: the daemon was killed before it could tell its number.
void expect_question(uid_t uid);

// Follows the journal from where it was left.
void follow_journal(void);
struct peer *journal_peer(void);
// Waits until an entry of this revision has come.
void await_entry(uint64_t number);
// Compares what was found with what is expected.
void compare_journal(void);
// The mode after a revision, as the journal has it.
Gate__V1__ModeState__Mode mode_at(uint64_t number);

// The name of a kind in the database: "answeredWrong".
const char *kind_name(Gate__V1__AuditKind kind);
struct heard {
    uint64_t number;
    int64_t time;
    Gate__V1__AuditKind kind;
    Gate__V1__ModeState__Mode mode;
    uid_t uid;
    pid_t pid;
    char *detail;
};
// Everything that was heard, in order.
const struct heard *heard_entries(size_t *count);
