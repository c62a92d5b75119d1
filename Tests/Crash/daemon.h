// The daemon under test: started, killed, and started again.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Makes the folders, and the configuration. `sockets` and `state` are there; the state itself lies in a folder below.
void prepare_daemon(const char *program, const char *sockets, const char *state);
const char *state_directory(void);

// Starts it; by chance with a socket that is open already, so that no client is refused, or with one of its own.
void start_daemon(void);
// Whether clients may connect while no daemon runs.
bool is_socket_kept(void);
// Waits until it answers. A daemon that ends instead, or never answers, breaks a promise. Returns the newest revision.
uint64_t await_daemon(void);
// Stops it in its tracks: it neither writes nor answers any more.
void freeze_daemon(void);
// Promises that the status page of the dead is dead.
void kill_daemon(void);
// An orderly stop.
void stop_daemon(void);

// What was written to the store since it was asked before; see `moment`.
enum { WROTE_LOG = 1, WROTE_DATABASE = 2, WROTE_ANY = 4 };
int store_events_descriptor(void);
int read_store_events(void);
// Makes the state directory where it is missing.
void watch_store(void);
// Before it is unmounted.
void unwatch_store(void);

// How long starts took that came to an answer, in seconds.
extern double *start_seconds;
extern unsigned start_count, start_attempts;

// What the status page says: looks at it before a kill, and promises that it was true.
void look_at_page(void);
void compare_page(void);
