// Obstacles at the daemon's start: other users' links, files and sockets at the paths of its own. Only root and the
// daemon's user can put them there. A mistake of theirs must not cost more than a start.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile.h"

static const struct {
    const char *what;
    // Shell commands that root runs in a folder with run, state, etc, and a file `victim`.
    const char *preparation;
    // What the daemon prints when it ends; NULL: it starts.
    const char *words;
} starts[] = {
    {"a file at the socket's path", "echo mine > run/gate.sock", "is no socket; move it away first"},
    {"a link at the socket's path", "ln -s ../victim run/gate.sock", "is no socket; move it away first"},
    {"a link to nowhere at the socket's path", "ln -s ../nowhere run/gate.sock", "is no socket; move it away first"},
    {"a link at the page's path", "ln -s ../victim run/status", NULL},
    {"a link where the page is made", "ln -s ../victim run/status.new", NULL},
    // It serves without a page. Readers of the page then assume child mode.
    {"a folder at the page's path", "mkdir run/status", NULL},
    {"a link at the database's path", "ln -s ../victim state/gate.sqlite", "is not a regular file; move it away"},
    {"a link at the log's path", "ln -s ../victim state/gate.sqlite-wal", "is not a regular file; move it away"},
    {"a link at the lock's path", "ln -s ../victim state/gate.lock", "can't open"},
    {"a link where a database is made", "ln -s ../victim state/gate.sqlite.new", NULL},
    {"another user's database", "touch state/gate.sqlite", "belongs to uid 0"},
    {"a state directory that others may write to", "chmod 0777 state", "others may write"},
    {"another user's state directory", "chown 64020 state", "belongs to uid 64020"},
    {"a policy that others may write to", "chmod 0666 etc/policy.yaml", "policy.yaml"},
};
enum { STARTS = sizeof starts / sizeof *starts };

static void run_shell(const char *directory, const char *command) {
    char line[512];
    if (snprintf(line, sizeof line, "cd '%s' && %s", directory, command) >= (int)sizeof line) fail("%s is too long", command);
    if (system(line) != 0) fail("%s failed", line);
}

static void check_victim(const struct scene *scene, const char *what) {
    char path[160], text[32] = "";
    snprintf(path, sizeof path, "%s/victim", scene->directory);
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, text, sizeof text - 1) < 0 || fstat(file, &status) != 0) fail_system("can't read %s", path);
    close(file);
    if (strcmp(text, "untouched\n") != 0 || status.st_uid != DAEMON_UID || (status.st_mode & 0777) != 0644)
        broken("%s: the file that it leads to is another now", what);
}

// Starts a new daemon for each, beside the one that was attacked.
void check_starts(struct scene *around) {
    for (int i = 0; i < STARTS; i++) {
        struct scene scene = *around;
        snprintf(scene.directory, sizeof scene.directory, "%.64s/start", around->directory);
        make_directories(&scene);
        // The file belongs to the daemon's user, so that it could be changed through a link.
        run_shell(scene.directory, "echo untouched > victim && chown 64001:64001 victim && chmod 0644 victim");
        run_shell(scene.directory, starts[i].preparation);
        char words[4096] = "";
        bool has_started = start_daemon(&scene, NULL, words, sizeof words);
        if (has_started && starts[i].words) broken("%s: gated started", starts[i].what);
        if (!has_started && !starts[i].words) broken("%s: gated did not start: %s", starts[i].what, words);
        if (!has_started && !strstr(words, starts[i].words)) broken("%s: gated said: %s", starts[i].what, words);
        if (has_started) stop_daemon(&scene);
        check_victim(&scene, starts[i].what);
        run_shell(around->directory, "rm -rf start");
    }
    size_t length = strlen(around->shared->found);
    snprintf(around->shared->found + length, sizeof around->shared->found - length,
        "; %d starts with links and files in the way: refused, or replaced, and never followed", STARTS);
}
