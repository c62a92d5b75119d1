// The daemon under test, which is started, killed, and started again.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Makes the folders and the configuration. `sockets` and `state` exist; the state itself is in a folder below.
void prepare_daemon(const char *program, const char *sockets, const char *state);
const char *state_directory(void);

// Starts the daemon with a socket of its own or, at random, with one that is open already, so that no client is
// refused.
void start_daemon(void);
// Whether clients can connect while no daemon runs.
bool is_socket_kept(void);
// Waits until the daemon answers. If it ends instead, or never answers, a promise is broken. Returns the newest
// revision.
uint64_t await_daemon(void);
// Stops the daemon (SIGSTOP), so that it neither writes nor answers any more.
void freeze_daemon(void);
// Kills the daemon, and checks that its status page counts as dead.
void kill_daemon(void);
// Stops the daemon in order.
void stop_daemon(void);

// What was written to the store since the previous call; see `moment`.
enum { WROTE_LOG = 1, WROTE_DATABASE = 2, WROTE_ANY = 4 };
int store_events_descriptor(void);
int read_store_events(void);
// Watches the store's files. Makes the state directory if it is missing.
void watch_store(void);
// Called before the file system is unmounted.
void unwatch_store(void);

// How long the starts took that reached an answer, in seconds.
extern double *start_seconds;
extern unsigned start_count, start_attempts;

// Reads the status page before a kill, and checks later that it was true.
void look_at_page(void);
void compare_page(void);
