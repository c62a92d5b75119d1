// Servers that others wrote, and the buses they need: started for a run with folders, sockets and configurations of their
// own, never the system's. They end when the benchmark does. What can't be started is noted in the report and left out.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "measures.h"

// Adds a note to the report: which peer was not measured, and why.
void note(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A path in a folder. The caller's to free.
char *path_in_folder(const char *folder, const char *name);
// A new folder in a folder.
char *make_folder(const char *parent, const char *name);
void write_file(const char *path, const char *text);

// Where a program is: on PATH or where Debian has it, or NULL. `package` is what to install, for the note.
char *find_program(struct report *report, const char *name, const char *package);

// Starts a server. What it prints goes to a file, of which the note says the last line where it does not start.
// `arguments` ends with NULL.
pid_t start_peer(const struct scene *scene, char *const *arguments, enum place place);
// "…, since NAME does not start here (the last line that it printed)."
void note_failure(struct report *report, const struct scene *scene, const char *what, const char *name);
// Whether somebody listens at a path: waits for it, for at most 10 s and as long as the process lives. A process that has
// ended is set to 0.
bool await_listener(pid_t *process, const char *path);
// Asks it to end, and kills it when it does not. No process: nothing to do.
void stop_peer(pid_t process);
// Seconds from starting a program until it has ended; it prints to nobody. Ends the benchmark if the program fails.
double run_program(char *const *arguments, enum place place);

// A processor each for this client and for gated.
void place_apart_from(const struct daemon *daemon);
// Child mode, whatever the measure before has left.
void lock_gate(const struct daemon *daemon);

// A dbus-daemon of our own.
struct bus {
    pid_t daemon;
    char *socket;
    // For clients: "unix:path=…".
    char *address;
};
// Starts one in a new folder. Returns false, after a note, where there is none to be had.
bool start_bus(struct report *report, const struct scene *scene, const char *name, enum place place, struct bus *bus);
void stop_bus(struct bus *bus);
