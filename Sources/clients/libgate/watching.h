// A state machine for one watch, over any number of connections: what to do next, what to tell the watcher, and until when the daemon's
// state is valid. It has no input, no output and no clock.
//
// It keeps a watch's promises whatever the daemon sends. An old message is dropped. A change before the first snapshot, or of another
// epoch, counts as a loss, and the watch begins again with a snapshot. After a loss the mode is child, nobody is signed in and nothing is
// paid for, until the watch has caught up. The daemon's state is valid until its first deadline, whether the daemon reports the deadline
// or not. If a message is taken so late that its deadline has already passed, it is not told; the next message is, or the daemon is lost.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "reconnecting.h"

enum watch_topic {
    WATCH_MODE = 1, WATCH_SIGN_IN = 2, WATCH_ENTITLEMENTS = 4, WATCH_PRESENTATIONS = 8, WATCH_FORMS = 16, WATCH_ASKS = 32, WATCH_SCHEDULES = 64
};

#define WATCH_NEVER INT64_MAX

// The deadlines of what permits something: of the mode and the session, in nanoseconds of the boot clock, and of paid entitlements and open
// schedules, in milliseconds of the wall clock. WATCH_NEVER: none.
struct watch_deadlines { int64_t mode, session, paid, hours; };

// What the machine has to know about a message.
struct watch_message {
    uint64_t epoch, number;
    bool is_snapshot;
    unsigned topics;                 // the topics in the message
    struct watch_deadlines deadlines; // of these topics
};

struct watch_clock { int64_t boot_ns, wall_ms; };

enum watching_state {
    WATCH_OPENING,     // a connection and the stream are being opened. Can go to: catching up, away
    WATCH_CATCHING_UP, // the stream is open, and its first message is awaited. Can go to: live, overdue, away
    WATCH_LIVE,        // the known state is valid. Can go to: overdue, away
    WATCH_OVERDUE,     // the known state's deadline had passed when it came, so it was not told. Can go to: live, away
    WATCH_AWAY,        // the daemon was lost; the next attempt comes after the wait. Can go to: opening
    WATCH_ENDED,       // the watcher has stopped. Every state can go here. Final
};
struct watching {
    enum watching_state state;
    bool is_resumable, has_told_loss;
    bool has_known; // whether a state is known: its revision and deadlines are in the next fields
    uint64_t epoch, number;
    struct watch_deadlines deadlines;
    struct reconnecting reconnect;
    uint64_t wait_usec;
};

enum watch_action { WATCH_DO_OPEN, WATCH_DO_RECEIVE, WATCH_DO_WAIT, WATCH_DO_END };
enum watch_event { WATCH_SAYS_NOTHING, WATCH_SAYS_SNAPSHOT, WATCH_SAYS_CHANGE, WATCH_SAYS_RESUMED, WATCH_SAYS_LOST };
enum watch_content {
    WATCH_DROPS,    // ignore the message's content
    WATCH_REPLACES, // the message replaces the whole known state
    WATCH_MERGES,   // the message's topics replace those of the known state
    WATCH_FORGETS,  // drop the known state
};
struct watch_outcome {
    enum watch_event event;
    enum watch_content content;
};

// A watch of presentations, forms or asks depends on its connection, so after a reconnection it begins again with a snapshot.
struct watching watching_new(unsigned topics);
// For WATCH_DO_OPEN, ask for changes after the known revision, if there is one. For WATCH_DO_WAIT, wait `wait_usec`.
enum watch_action watching_action(const struct watching *machine);
void watching_opened(struct watching *machine);
// `now` is when the message was taken.
struct watch_outcome watching_received(
    struct watching *machine, const struct watch_message *message, struct watch_clock now, double chance);
// The attempt failed, or the connection or the stream has ended.
struct watch_outcome watching_failed(struct watching *machine, double chance);
void watching_waited(struct watching *machine);
void watching_stopped(struct watching *machine);
// Stores how many nanoseconds the known state remains valid if the daemon says nothing; zero or negative after a deadline. Returns false
// if the state has no deadline, or no state is valid now.
bool watching_time_left(const struct watching *machine, struct watch_clock now, int64_t *left_ns);
// The first of the deadlines by the wall clock, in its milliseconds; WATCH_NEVER: none.
int64_t watching_wall_deadline(const struct watch_deadlines *deadlines);
