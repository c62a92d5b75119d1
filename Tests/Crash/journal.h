// The journal as it must be, and as a follower of the audit stream received it.
//
// Everything that clients do makes an entry. For each user, kind and text, the ledger counts the entries that must be
// there: those of confirmed commands, and of commands in flight that turned out to be executed. The journal must have
// exactly these: nothing confirmed is lost, nothing is there twice, and no grant was given or taken without a request.
#pragma once
#include "peer.h"

// The kinds of entries, by the last part of their names.
#define ENTRY(NAME) GATE__V1__AUDIT_KIND__AUDIT_KIND_##NAME
// For `uid`: the daemon itself.
#define NOBODY ((uid_t)-1)

// Adds an entry like this to those that must be there.
void expect_entry(Gate__V1__AuditKind kind, uid_t uid, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Whether there is an entry like this that is not expected yet, so that the command in flight was executed.
bool is_entry_found(Gate__V1__AuditKind kind, uid_t uid, const char *format, ...) __attribute__((format(printf, 3, 4)));
// A question that may or may not have been opened: the daemon was killed before it could report its number.
void expect_question(uid_t uid);

// Follows the journal from where the last follower stopped.
void follow_journal(void);
struct peer *journal_peer(void);
// Waits until everything that the journal has now has arrived. Its last entry may be of an earlier revision than the
// newest, since not every change makes one.
void await_journal(void);
// Compares what was received with what is expected.
void compare_journal(void);
// The mode after a revision, from the journal.
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
// Everything that was received, in order.
const struct heard *heard_entries(size_t *count);
