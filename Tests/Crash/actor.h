// A client that does durable work over a few connections, one command at a time, and records outside of the daemon what
// was confirmed. Only the actor itself changes its data. So after a restart there are only two possible states: with
// the command that was in flight, and without it.
#pragma once
#include "peer.h"

struct actor;

struct subject {
    const char *name;
    // Sends the next command, when nothing is in flight. An actor with several kinds of work chooses one at random.
    void (*act)(struct actor *actor);
    // Called after the daemon was killed, when another one serves and the journal was read. Finds out whether the
    // command in flight was executed, records the entries that must be in the journal, and compares the actor's data
    // with what they must be.
    void (*check)(struct actor *actor);
    // Called while nothing else uses this daemon. Sends requests that must be refused, and some that must work.
    void (*attempt)(struct actor *actor);
    // Writes each row that the database must have for this actor, with `expect_row`.
    void (*expect_rows)(struct actor *actor);
};

enum { OWN, ADMINISTRATOR, OTHER, PEERS };

struct actor {
    const struct subject *subject;
    // Distinguishes actors.
    unsigned number;
    // The user of OWN is `user(user)`: at first that of the number.
    unsigned user;
    struct peer peers[PEERS];
    // Whether a command is in flight.
    bool is_busy;
    // Handles the answer to that command.
    void (*answered)(struct actor *actor, const struct answer *answer);
};

// Makes an actor, as the beginning of a larger struct.
struct actor *begin_actor(size_t size, const struct subject *subject, unsigned number);
// The user of one of the actor's connections.
uid_t uid_of(const struct actor *actor, int peer);
void connect_actor(struct actor *actor);
// Sends a command over one of the connections. `answered` records the result, and sends nothing.
void command(
    struct actor *actor, int peer, const ProtobufCServiceDescriptor *service, const char *method,
    const ProtobufCMessage *message, void (*answered)(struct actor *actor, const struct answer *answer));
// Fails unless the command succeeded.
void must_work(struct actor *actor, const char *what, const struct answer *answer);

// Compares one record with what it must be, and counts it.
void compare(struct actor *actor, const char *what, int64_t is, int64_t must_be);

// Makes one actor of each kind, and further ones as requested, all in one list.
struct actor *new_person(unsigned number);
struct actor *new_household(unsigned number);
struct actor *new_keeper(unsigned number);
struct actor *new_authenticator(unsigned number);
struct actor *new_clerk(unsigned number);
struct actor *new_writer(unsigned number);
struct actor *new_reader(unsigned number);
struct actor *new_grown_up(unsigned number);
struct actor *new_asker(unsigned number, unsigned index);

// How many persons, households, writers and readers there are. Without root, only as many as can be told apart.
enum { PERSONS = 8, HOUSEHOLDS = 3, WRITERS = 4, READERS = 3, CLERKS = 2, ASKERS = 2 };
enum { ACTORS = PERSONS + HOUSEHOLDS + WRITERS + READERS + CLERKS + ASKERS + 3 };
// The users from here on are those of askers, who have many.
enum { FIRST_ASKING_USER = 200 };
// Names with the actor's number: its gates, its form, its app.
const char *open_gate_of(unsigned number);
const char *kept_gate_of(unsigned number);
