// What the parts of gate-launcher share. main.c has the overview.
#pragma once
#include <pwd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    PACKET_BYTES = 16 << 10,        // the most that a client sends
    FILE_BYTES = 64 << 10,          // of a start file
    LINE_BYTES = 4096,              // of its lines
    NAME_BYTES = 60,                // of an app's name: with "app." before it, as many as the name of a gated action has
    PROOF_BYTES = 64,               // of a grant's proof
    MAXIMUM_ARGUMENTS = 64,
    MAXIMUM_GROUPS = 16,            // that an app needs beside its own
    MAXIMUM_VARIABLES = 32,         // that a client sends
    MAXIMUM_WORDS = 192,            // of a command line for systemd-run
    UNIT_BYTES = 64,                // of a unit's name
};

// MARK: request.c: reading packets and start files, by pure functions

// The request of a client. Its strings point into the packet.
struct request {
    const char *name;
    unsigned char proof[PROOF_BYTES];
    size_t proof_size;
    const char *variables[MAXIMUM_VARIABLES]; // NAME=VALUE; only those whose values have the shape that such values have
    size_t variable_count;
};
// Reads a packet: strings that end with NUL. They are "1", the app's name, the proof in hexadecimal digits, and variables. Returns false if
// the packet is anything else.
bool request_read(const char *bytes, size_t size, struct request *request);

// How an app is started. The strings are in the text of its file.
struct start {
    gid_t group, also[MAXIMUM_GROUPS];
    size_t also_count;
    const char *directory;          // NULL: the user's home
    bool is_for_terminals;
    const char *arguments[MAXIMUM_ARGUMENTS]; // the program first
    size_t argument_count;
};
// Reads the text of this app's start file, and puts NULs into the text. `text` has room for one byte after `size`. Returns false if the
// text is not a start file of this app.
bool start_read(char *text, size_t size, const char *name, struct start *start);

// MARK: record.c

// Reads the start file of this app in the folder of records. Returns 0, ENOENT if there is none, or EIO if it can't be used.
int record_read(const char *records, const char *name, char text[FILE_BYTES + 1], struct start *start);

// MARK: unit.c: the command lines for systemd, and killing

struct words {
    char *word[MAXIMUM_WORDS];      // ends with NULL
    size_t count;
    bool has_failed;                // there is no memory, or there are too many words
};
// The name of the unit of this user's app in this slot, without ".service".
const char *unit_name(char name[UNIT_BYTES], uid_t uid, size_t slot);
// The command that starts the app as a unit of the user, and waits for its end.
void unit_start_command(struct words *words, const char *program, const char *unit, const struct passwd *user, const struct request *request,
    const struct start *start);
// The command `systemctl VERB UNIT`, which waits until it is done.
void unit_command(struct words *words, const char *program, const char *verb, const char *unit);
void words_free(struct words *words);
// Replaces this process by the command, with a small environment of its own. Returns only if that fails.
void words_execute(const struct words *words);
#define ANY_USER ((uid_t)-1)
// Kills every process of the user that has one of these groups of apps, in whatever unit it is. With ANY_USER, it kills the processes of
// all users whose real group is one of these. Returns how many there were, or -1 if some may be left.
int unit_kill_rest(uid_t uid, const gid_t *groups, size_t count);

// MARK: worker.c, main.c

struct settings {
    const char *records, *gate_socket, *systemd_run, *systemctl;
    uid_t server_uid;
    bool has_server_uid;
    uint64_t grace_usec, packet_usec, idle_usec, stop_usec; // the last: how long the unit of an earlier start may take to end
};

// The state of a slot, which the main process and all workers share.
struct place {
    _Atomic uid_t uid;              // the client's; 0: the slot is free, or nobody has been accepted yet
    atomic_bool is_unknown;         // it is being looked up whether there is such a user
    _Atomic gid_t group;            // the app's, from when on there may be a unit to be stopped; 0: there is none
    atomic_bool is_stopping;        // the worker has ended, and its unit is being stopped
};

struct job {
    const struct settings *settings;
    const struct passwd *user;      // the client, as the kernel attests it
    int client;
    pid_t parent;
    struct place *places, *own;     // of all slots; this worker's
    size_t place_count;
};
// Accepts a connection of the listener, and serves its client. Writes a byte to `accepted` once the client's user is known, or ends before.
_Noreturn void worker_run(struct job *job, int listener, int accepted);

// MARK: ending.c

// Stops the unit of this place, with everything that runs in it. If it is the last unit of its user and app, processes that have left it
// are killed, too. Returns whether nothing is left.
bool unit_end(const struct settings *settings, const char *unit, const struct place *place, bool is_last);
// Kills every process whose real group is that of an app, since no unit of an app outlives the main process. systemd runs this before and
// after the main process. Returns whether nothing is left.
bool sweep(const struct settings *settings);

uint64_t now_usec(void);            // of CLOCK_MONOTONIC
// Sends an answer if the client's socket has room for it.
void answer(int client, const char *words, const char *more);
