// Servers of other projects, and the buses that they need. They are started for a run with folders, sockets and
// configurations of their own, never those of the system, and end with the benchmark. If one can't be started, the
// report notes that.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "measures.h"

// Adds a note to the report: which peer was not measured, and why.
void note(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A path in a folder. The caller frees it.
char *path_in_folder(const char *folder, const char *name);
// Makes a new folder in a folder.
char *make_folder(const char *parent, const char *name);
void write_file(const char *path, const char *text);

// The path of a program on PATH or in Debian's folders, or NULL. `package` is what to install, for the note.
char *find_program(struct report *report, const char *name, const char *package);

// Starts a server. Its output goes to a file; if it does not start, the note quotes the last line. `arguments` ends
// with NULL.
pid_t start_peer(const struct scene *scene, char *const *arguments, enum place place);
// Notes "…, since NAME does not start here (the last line that it printed)."
void note_failure(struct report *report, const struct scene *scene, const char *what, const char *name);
// Whether a server listens at a path. Waits for it, for at most 10 s and as long as the process lives. Sets `process`
// to 0 if it has ended.
bool await_listener(pid_t *process, const char *path);
// Ends the process, and kills it if it does not end. 0: does nothing.
void stop_peer(pid_t process);
// The seconds from starting a program until it has ended. Its output is discarded. Ends the benchmark if the program
// fails.
double run_program(char *const *arguments, enum place place);

// Gives this client and gated a processor each.
void place_apart_from(const struct daemon *daemon);
// Sets child mode, whatever the previous measure has left.
void lock_gate(const struct daemon *daemon);

// A private dbus-daemon.
struct bus {
    pid_t daemon;
    char *socket;
    // The address for clients: "unix:path=…".
    char *address;
};
// Starts one in a new folder. Returns false, after a note, if it can't be started.
bool start_bus(struct report *report, const struct scene *scene, const char *name, enum place place, struct bus *bus);
void stop_bus(struct bus *bus);
