// Places: the socket, the status page, the state; a full disk; and a busy machine, for comparison.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

// MARK: a disk that is full

static char filling[160];

// A file of another program fills the disk. (The daemon's own limits keep a user from doing that through it.)
static void fill_disk(struct scene *scene) {
    snprintf(filling, sizeof filling, "%s/filling", scene->state);
    struct peer *peer = open_peer(scene);
    scene->shared->is_disk_full = true;
    int file = open(filling, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) fail_system("can't make %s", filling);
    static uint8_t zeros[4096];
    while (write(file, zeros, sizeof zeros) > 0) {}
    if (errno != ENOSPC) fail_system("can't fill the disk");
    scene->shared->is_set_up = true;
    unsigned long refused = 0, passed = 0;
    struct bytes message = authorize_message(SUM_ACTION, true);
    while (!scene->shared->is_over) {
        // SQLite's log has some room left, and commits succeed until it is used up.
        struct answer answer;
        if (!call(peer, "Authorization/Authorize", &message, &answer)) broken("gated hung up");
        struct field presentation, cookie;
        if (answer.code == OK && find_field(message_of(&answer), 3, &presentation) && find_field(presentation.fields, 2, &cookie)) {
            struct bytes dismissal = {0};
            put_data(&dismissal, 1, cookie.fields.next, (size_t)cookie.value);
            if (!call(peer, "Presentations/Dismiss", &dismissal, &answer)) broken("gated hung up");
            free(dismissal.data);
            passed++;
        } else if (answer.code == UNAVAILABLE) {
            refused++;
        } else if (answer.code != RESOURCE_EXHAUSTED) {
            broken("on a full disk: code %d: %s", answer.code, answer.message);
        }
        expect(peer, OK, "Mode/GetMode", NULL);
        while (write(file, zeros, 1) > 0) {}
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    close(file);
    if (refused == 0) broken("nothing failed on a full disk");
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu commands failed, %lu still had room; reads went on; all went on "
        "when there was room again", refused, passed);
}

static void check_room(struct scene *scene) {
    unlink(filling[0] ? filling : "");
    char path[160];
    snprintf(path, sizeof path, "%s/filling", scene->state);
    unlink(path);
    scene->shared->is_disk_full = false;
    struct peer *administrator = open_peer(scene);
    struct bytes message = {0};
    put_number(&message, 1, 1);
    put_text(&message, 3, "there is room");
    expect(administrator, OK, "Mode/OverrideMode", &message);
    close_peer(administrator);
}

// MARK: a disk that hangs

enum { HANGING_CONNECTIONS = 200, HANGING_BYTES = 60 << 10 };

// How many bytes a thread has written so far, from /proc; -1 if that can't be read.
static long long written_by(const char *task) {
    char file[400], line[80];
    snprintf(file, sizeof file, "%s/io", task);
    FILE *io = fopen(file, "re");
    long long count = -1;
    while (io && fgets(line, sizeof line, io)) sscanf(line, "wchar: %lld", &count);
    if (io) fclose(io);
    return count;
}

// Only the thread that commits is stopped: of the threads beside the event loop, the one that has written most.
static pid_t committing_thread(const struct scene *scene) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)scene->daemon);
    DIR *tasks = opendir(path);
    if (!tasks) fail_system("can't read %s", path);
    pid_t found = 0;
    long long most = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        char folder[350], file[400], name[32] = "";
        snprintf(folder, sizeof folder, "%s/%s", path, task->d_name);
        snprintf(file, sizeof file, "%s/comm", folder);
        FILE *comm = fopen(file, "re");
        if (comm && fgets(name, sizeof name, comm) && strncmp(name, "TP-#", 4) == 0 && written_by(folder) > most) {
            most = written_by(folder);
            found = (pid_t)atoi(task->d_name);
        }
        if (comm) fclose(comm);
    }
    closedir(tasks);
    if (!found) fail("gated has no thread that commits");
    return found;
}

// Large requests, each cancelled at once. What they have done waits for the disk all the same.
static bool ask_and_take_back(struct crowd *crowd, struct member *member) {
    static uint8_t filling[HANGING_BYTES];
    struct bytes request = {0}, taken_back = {0};
    // An unknown field.
    put_data(&request, 1000, filling, sizeof filling);
    put_request(&member->outgoing, member->stream, "Mode/CancelVerifying", &request, 0);
    put_number(&taken_back, 1, member->stream);
    put_request(&member->outgoing, member->stream + 2, "Control/Cancel", &taken_back, 0);
    member->stream += 4;
    free(request.data);
    free(taken_back.data);
    (void)crowd;
    return true;
}

static void hang_disk(struct scene *scene) {
    pid_t thread = committing_thread(scene);
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0 || ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0
        || waitpid(thread, NULL, __WALL) != thread) fail_system("can't stop the thread that commits");
    become(ATTACKER_UID);
    // Something has to be on its way to the disk.
    struct peer *peer = open_peer(scene);
    struct bytes message = authorize_message(SUM_ACTION, true), frame = {0};
    put_request(&frame, 1, "Authorization/Authorize", &message, 0);
    send_bytes(peer, &frame);
    struct crowd *crowd = open_crowd(scene, HANGING_CONNECTIONS);
    say_more(crowd, ask_and_take_back);
    scene->shared->is_set_up = true;
    while (!scene->shared->is_over) pump(crowd, 10);
    struct exchange *shared = scene->shared;
    for (int i = 0; i < crowd->count; i++) close_member(crowd, &crowd->members[i]);
    if (ptrace(PTRACE_DETACH, thread, NULL, NULL) != 0) fail_system("can't let the thread go on that commits");
    if (shared->codes[RESOURCE_EXHAUSTED] == 0) broken("as much as anybody likes waits for the disk");
    snprintf(shared->found, sizeof shared->found, "%lu commands refused; those of others were done when the disk went on",
        (unsigned long)shared->codes[RESOURCE_EXHAUSTED]);
}

// MARK: names that are taken

static void must_fail(int result, const char *what) {
    if (result == 0) broken("an ordinary user could %s", what);
    if (errno != EACCES && errno != EPERM) broken("%s: %s", what, strerror(errno));
}

static int bind_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result = bind(socket_, (struct sockaddr *)&address, sizeof address), reason = errno;
    close(socket_);
    errno = reason;
    return result;
}

static void replace_names(struct scene *scene) {
    char status[160], moved[160], state[200], inside[200], policy[200];
    snprintf(status, sizeof status, "%s/status", scene->runtime);
    snprintf(moved, sizeof moved, "%s/moved", scene->runtime);
    snprintf(state, sizeof state, "%s/gate.sqlite", scene->state);
    snprintf(inside, sizeof inside, "%s/anything", scene->state);
    snprintf(policy, sizeof policy, "%s/policy.yaml", scene->configuration);
    struct stat seen;
    scene->shared->is_set_up = true;
    unsigned long tries = 0;
    do {
        must_fail(unlink(scene->socket), "remove the socket");
        must_fail(rename(scene->socket, moved), "rename the socket");
        must_fail(symlink("/tmp/elsewhere", moved), "put a link beside the socket");
        must_fail(bind_at(moved), "listen beside the socket");
        must_fail(rename(scene->runtime, "/var/tmp/gate-hostile-moved"), "move the runtime directory");
        must_fail(chmod(scene->socket, 0777), "change the socket's mode");
        must_fail(unlink(status), "remove the status page");
        must_fail(open(status, O_RDWR | O_CLOEXEC) < 0, "write to the status page");
        must_fail(truncate(status, 0), "shorten the status page");
        must_fail(stat(state, &seen), "look at the state");
        must_fail(open(state, O_RDONLY | O_CLOEXEC) < 0, "read the state");
        must_fail(symlink("/tmp/elsewhere", inside), "put a link into the state directory");
        must_fail(open(policy, O_WRONLY | O_CLOEXEC) < 0, "write the policy");
        must_fail(kill(scene->daemon, SIGKILL), "kill the daemon");
        tries += 14;
    } while (!scene->shared->is_over);
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu tries, none succeeded", tries);
}

// MARK: to compare with

static void burn(struct scene *scene) {
    scene->shared->is_set_up = true;
    for (volatile unsigned long i = 0; !scene->shared->is_over; i++) {}
    snprintf(scene->shared->found, sizeof scene->shared->found, "what the kernel's scheduler does to others, without Gate");
}

const struct attack place_attacks[] = {
    {"disk", "the disk that the state is on is filled",
        "commands fail with `UNAVAILABLE`, and change nothing; reads, watches and the page go on", .run = fill_disk,
        .check = check_room, .processes = 1, .allowed_kib = 16 << 10, .disk_kib = 4096},
    {"hung-disk", "the disk hangs; 200 connections ask for commands with 60 KB in them, and take each back",
        "256 commands of a user wait, without what came with them; what is past that gets `RESOURCE_EXHAUSTED`; reads and the page go on",
        .run = hang_disk, .processes = 1, .allowed_kib = 32 << 10},
    {"names", "removes, renames, replaces by links: the socket, the page, the state, the policy",
        "`EACCES` or `EPERM` from the kernel: `/run/gated` is the daemon's, 0755; its state is 0700; its policy is root's",
        .run = replace_names, .check = check_starts, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 16 << 10},
    {"busy", "keeps two processors busy, and leaves Gate alone", "nothing: this is to compare with", .run = burn,
        .uid = ATTACKER_UID, .processes = 2, .allowed_kib = 16 << 10, .is_pushy = true},
    {0},
};
