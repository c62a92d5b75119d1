// Somebody who does durable work over a few connections, one command at a time, and knows outside the daemon what was
// confirmed. All that an actor changes is its own: nobody else changes it, so that after a restart there are only two ways it
// can be, with the command that was in flight and without.
#pragma once
#include "peer.h"

struct actor;

struct subject {
    const char *name;
    // Sends the next command; nothing is in flight. Of who does several kinds of work, one at random.
    void (*act)(struct actor *actor);
    // The daemon was killed, and another one serves; the journal was read. Finds out what became of the command in flight,
    // says what entries there have to be, and compares what is there with what has to be.
    void (*check)(struct actor *actor);
    // The same daemon, still alone with it: asks for what has to be refused, and for what has to work.
    void (*attempt)(struct actor *actor);
    // Writes each row that the database has to have of this, with `expect_row`.
    void (*expect_rows)(struct actor *actor);
};

enum { OWN, ADMINISTRATOR, OTHER, PEERS };

struct actor {
    const struct subject *subject;
    // Tells actors apart; the user of OWN is `user(number)`.
    unsigned number;
    struct peer peers[PEERS];
    // A command is in flight.
    bool is_busy;
    // What to do with its answer.
    void (*answered)(struct actor *actor, const struct answer *answer);
};

// Makes an actor of a larger struct that begins with one.
struct actor *begin_actor(size_t size, const struct subject *subject, unsigned number);
// The user of the actor's connections.
uid_t uid_of(const struct actor *actor, int peer);
void connect_actor(struct actor *actor);
// Sends a command over one of the connections. `answered` changes what is known, and sends nothing.
void command(
    struct actor *actor, int peer, const ProtobufCServiceDescriptor *service, const char *method,
    const ProtobufCMessage *message, void (*answered)(struct actor *actor, const struct answer *answer));
// Fails unless it worked.
void must_work(struct actor *actor, const char *what, const struct answer *answer);

// One record was compared: what is there, and what has to be.
void compare(struct actor *actor, const char *what, int64_t is, int64_t must_be);

// One of each kind, and as many more as were asked for; all in one list.
struct actor *new_person(unsigned number);
struct actor *new_household(unsigned number);
struct actor *new_keeper(unsigned number);
struct actor *new_authenticator(unsigned number);
struct actor *new_clerk(unsigned number);
struct actor *new_writer(unsigned number);
struct actor *new_reader(unsigned number);
struct actor *new_grown_up(unsigned number);

// How many persons, households, writers and readers there are; without root, only as many as can be told apart.
enum { PERSONS = 8, HOUSEHOLDS = 3, WRITERS = 4, READERS = 3, CLERKS = 2 };
enum { ACTORS = PERSONS + HOUSEHOLDS + WRITERS + READERS + CLERKS + 3 };
// What each of them does is named after it: its gates, its form, its app.
const char *open_gate_of(unsigned number);
const char *kept_gate_of(unsigned number);
