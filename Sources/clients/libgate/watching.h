// One watch, over any number of connections: what to do next, what to tell the watcher, and what it may believe. No input, no output,
// no clock.
//
// It keeps the promises of watching whatever the daemon sends. What was told before is dropped. A change before the first snapshot or of
// another epoch is a loss, after which the watch begins anew with a snapshot. While away the mode is child, nobody is signed in and nothing
// is paid for, until the watch has caught up. What the daemon says is true until the deadlines that come with it, whether it says so or
// not; a message that is past one already, because it was taken late, is not told: the next one is, or the daemon is lost.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "reconnecting.h"

enum watch_topic { WATCH_MODE = 1, WATCH_SIGN_IN = 2, WATCH_ENTITLEMENTS = 4, WATCH_PRESENTATIONS = 8, WATCH_FORMS = 16 };

#define WATCH_NEVER INT64_MAX

// When what opens something is over: of the mode and the session in nanoseconds of the boot clock, of what is paid for in milliseconds of
// the wall clock.
struct watch_deadlines { int64_t mode, session, paid; };

// What the machine has to know of a message.
struct watch_message {
    uint64_t epoch, number;
    bool is_snapshot;
    unsigned topics;                 // those that the message has
    struct watch_deadlines deadlines; // of those topics
};

struct watch_clock { int64_t boot_ns, wall_ms; };

enum watching_state {
    WATCH_OPENING,     // a connection and the stream are being opened. Can go to: catching up, away
    WATCH_CATCHING_UP, // the stream is open, its first message on its way. Can go to: live, overdue, away
    WATCH_LIVE,        // what is known is true. Can go to: overdue, away
    WATCH_OVERDUE,     // what is known was over when it came, and was not told. Can go to: live, away
    WATCH_AWAY,        // the daemon was lost; the next attempt comes after the wait. Can go to: opening
    WATCH_ENDED,       // nobody watches any more
};
struct watching {
    enum watching_state state;
    bool is_resumable, has_told_loss;
    bool has_known; // the newest revision that was taken, and its deadlines
    uint64_t epoch, number;
    struct watch_deadlines deadlines;
    struct reconnecting reconnect;
    uint64_t wait_usec;
};

enum watch_action { WATCH_DO_OPEN, WATCH_DO_RECEIVE, WATCH_DO_WAIT, WATCH_DO_END };
enum watch_event { WATCH_SAYS_NOTHING, WATCH_SAYS_SNAPSHOT, WATCH_SAYS_CHANGE, WATCH_SAYS_RESUMED, WATCH_SAYS_LOST };
enum watch_content {
    WATCH_DROPS,    // the message says nothing
    WATCH_REPLACES, // the message is all that is known
    WATCH_MERGES,   // its topics replace those that are known
    WATCH_FORGETS,  // nothing is known any more
};
struct watch_outcome {
    enum watch_event event;
    enum watch_content content;
};

// Who watches presentations or forms sees those of its own connection; so such a watch begins anew with a snapshot each time.
struct watching watching_new(unsigned topics);
// For WATCH_DO_OPEN: after the revision that is known, if there is one. For WATCH_DO_WAIT: wait_usec.
enum watch_action watching_action(const struct watching *machine);
void watching_opened(struct watching *machine);
// `now` is when the message was taken.
struct watch_outcome watching_received(
    struct watching *machine, const struct watch_message *message, struct watch_clock now, double chance);
// The attempt failed, or the connection or the stream has ended.
struct watch_outcome watching_failed(struct watching *machine, double chance);
void watching_waited(struct watching *machine);
void watching_stopped(struct watching *machine);
// How many nanoseconds what was told stays true if the daemon says nothing. False: there is no end, or nothing is taken for true.
bool watching_time_left(const struct watching *machine, struct watch_clock now, int64_t *left_ns);
