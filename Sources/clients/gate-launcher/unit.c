// The command lines with which systemd starts and stops an app, and the search for processes of it that are left.
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"

#define KILL_USEC UINT64_C(10000000) // how long killing may take

uint64_t now_usec(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

__attribute__((format(printf, 2, 3))) static void add(struct words *words, const char *format, ...) {
    char *word = NULL;
    va_list values;
    va_start(values, format);
    if (words->count == MAXIMUM_WORDS - 1 || vasprintf(&word, format, values) < 0) words->has_failed = true;
    else words->word[words->count++] = word;
    va_end(values);
}

// Adds an argument with each "$" doubled. Otherwise systemd would replace $NAME in it by a variable, which the user may have set.
static void add_argument(struct words *words, const char *argument) {
    char *escaped = malloc(2 * strlen(argument) + 1), *to = escaped;
    if (!escaped) {
        words->has_failed = true;
        return;
    }
    for (; *argument; argument++) {
        if (*argument == '$') *to++ = '$';
        *to++ = *argument;
    }
    *to = 0;
    add(words, "%s", escaped);
    free(escaped);
}

// The properties of every app's unit. The processes in it can't pass the app's group on: they can't set a set-group-ID bit, and programs
// that have one give them no rights.
static const char *const properties[] = {
    "NoNewPrivileges=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
    // A user namespace could be entered by programs outside, which would have the group there.
    "RestrictNamespaces=yes",
    // The calls that are allowed, because a list of forbidden ones would let through calls of newer kernels. Without the calls taken out in
    // the second line, the app can't give its group to files that it did not create, and can't set permissions by an access list or
    // io_uring, which RestrictSUIDSGID= does not see. An older systemd that does not know one of these names says so in the journal; such a
    // call is not in its @known either.
    "SystemCallFilter=@known",
    "SystemCallFilter=~@chown fchmodat2 setxattr setxattrat lsetxattr fsetxattr io_uring_setup io_uring_enter io_uring_register",
    "SystemCallErrorNumber=EPERM",
    // The app's libraries load no files of the user's (plugins, layers, modules) into it, and no program of the user's runs in it.
    "NoExecPaths=/", "ExecPaths=/usr -/bin -/sbin -/lib -/lib32 -/lib64 -/libx32 -/opt",
    // The line above only covers the mounts that exist at the start. So later mounts are not passed on, and no mount that covers another
    // one can disappear.
    "MountFlags=private",
    "KillMode=control-group", "TimeoutStopSec=10", "RuntimeMaxSec=1d", "NotifyAccess=none", "LimitCORE=0", "UMask=0022",
    // If the launcher ends, for whatever reason, the time is not counted any more, so the app ends, too.
    "BindsTo=gate-launcher.service", "After=gate-launcher.service",
};

const char *unit_name(char name[UNIT_BYTES], uid_t uid, size_t slot) {
    snprintf(name, UNIT_BYTES, "gate-app-%u-%zu", (unsigned)uid, slot);
    return name;
}

void unit_start_command(struct words *words, const char *program, const char *unit, const struct passwd *user, const struct request *request,
    const struct start *start) {
    *words = (struct words){0};
    unsigned uid = (unsigned)user->pw_uid;
    add(words, "%s", program);
    add(words, "--wait");
    add(words, "--collect");
    if (start->is_for_terminals) {
        // The app gets the client's descriptors, so systemd-run must not print anything there.
        add(words, "--quiet");
        add(words, "--pipe");
    }
    add(words, "--service-type=exec");
    add(words, "--unit=%s", unit);
    add(words, "--description=%s", request->name);
    add(words, "--uid=%u", uid);
    // The app's group is the real group of its processes, which the kernel compares before it lets others of the user trace them.
    add(words, "--gid=%u", (unsigned)start->group);
    add(words, "--property=SupplementaryGroups=%u", (unsigned)user->pw_gid);
    for (size_t i = 0; i < start->also_count; i++) add(words, "--property=SupplementaryGroups=%u", (unsigned)start->also[i]);
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) add(words, "--property=%s", properties[i]);
    add(words, "--property=WorkingDirectory=-%s", start->directory ? start->directory : user->pw_dir);
    add(words, "--setenv=HOME=%s", user->pw_dir);
    add(words, "--setenv=USER=%s", user->pw_name);
    add(words, "--setenv=LOGNAME=%s", user->pw_name);
    add(words, "--setenv=SHELL=%s", user->pw_shell && user->pw_shell[0] ? user->pw_shell : "/bin/sh");
    add(words, "--setenv=PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games");
    add(words, "--setenv=XDG_RUNTIME_DIR=/run/user/%u", uid);
    add(words, "--setenv=DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/%u/bus", uid);
    // A Python program must not load modules from the user's home. It still loads those beside its own file, which it needs.
    add(words, "--setenv=PYTHONNOUSERSITE=1");
    for (size_t i = 0; i < request->variable_count; i++) add(words, "--setenv=%s", request->variables[i]);
    add(words, "--");
    for (size_t i = 0; i < start->argument_count; i++) add_argument(words, start->arguments[i]);
}

void unit_command(struct words *words, const char *program, const char *verb, const char *unit) {
    *words = (struct words){0};
    add(words, "%s", program);
    add(words, "%s", verb);
    add(words, "--");
    add(words, "%s", unit);
}

void words_free(struct words *words) {
    for (size_t i = 0; i < words->count; i++) free(words->word[i]);
    *words = (struct words){0};
}

void words_execute(const struct words *words) {
    static char *environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "SYSTEMD_LOG_TARGET=console", "SYSTEMD_COLORS=0", NULL};
    if (!words->has_failed) execve(words->word[0], words->word, environment);
}

// MARK: processes that have left the unit

// Whether one of the four numbers on this line of /proc/PID/status is the given one.
static bool has_number(const char *status, const char *line, unsigned number) {
    unsigned found[4] = {0};
    const char *at = strstr(status, line);
    if (!at || sscanf(at + strlen(line), "%u %u %u %u", &found[0], &found[1], &found[2], &found[3]) != 4) return false;
    return found[0] == number || found[1] == number || found[2] == number || found[3] == number;
}

static bool has_one(const char *status, uid_t uid, const gid_t *groups, size_t count) {
    unsigned real = 0;
    const char *line = strstr(status, "\nGid:");
    if (uid != ANY_USER && !has_number(status, "\nUid:", uid)) return false;
    if (!line || sscanf(line, "\nGid: %u", &real) != 1) return false;
    for (size_t i = 0; i < count; i++)
        if (uid == ANY_USER ? real == groups[i] : has_number(status, "\nGid:", groups[i])) return true;
    return false;
}

// Kills the process if it has one of these groups. Returns whether it had.
static bool kill_if(int all, const char *process, uid_t uid, const gid_t *groups, size_t count) {
    char path[32], status[4096];
    // From here on, another process with the same number can't be killed in its place.
    int file = (int)syscall(SYS_pidfd_open, atoi(process), 0);
    snprintf(path, sizeof path, "%.20s/status", process);
    int text = file < 0 ? -1 : openat(all, path, O_RDONLY | O_CLOEXEC);
    ssize_t size = text < 0 ? -1 : read(text, status, sizeof status - 1);
    if (text >= 0) close(text);
    status[size > 0 ? size : 0] = 0;
    bool is_one = has_one(status, uid, groups, count);
    if (is_one) (void)syscall(SYS_pidfd_send_signal, file, SIGKILL, NULL, 0);
    if (file >= 0) close(file);
    return is_one;
}

// Stopping a unit does not end everything that was started in it: users may have systemd move their own processes into units of their own
// (AttachProcessesToUnit, which `systemd-run --user --scope` calls). But these processes still have the app's group, which they can't give
// up.
//
// A killed process runs no more code of its own, even if it takes long to disappear, for example because it waits for a file system of the
// user's. So the search ends when no new process appears. A process that forks and exits at once can escape it, unless it is frozen
// meanwhile.
int unit_kill_rest(uid_t uid, const gid_t *groups, size_t group_count) {
    enum { MOST = 8192 };
    static int killed[MOST];
    const uint64_t end = now_usec() + KILL_USEC;
    size_t count = 0;
    for (unsigned quiet = 0; now_usec() < end;) {
        bool is_new = false;
        DIR *processes = opendir("/proc");
        if (!processes) return -1;
        for (struct dirent *entry; (entry = readdir(processes));) {
            if (!isdigit((unsigned char)entry->d_name[0]) || !kill_if(dirfd(processes), entry->d_name, uid, groups, group_count)) continue;
            size_t at = 0;
            while (at < count && killed[at] != atoi(entry->d_name)) at++;
            is_new |= at == count;
            if (at == count && count < MOST) killed[count++] = atoi(entry->d_name);
        }
        closedir(processes);
        quiet = is_new ? 0 : quiet + 1;
        if (quiet == 2) return (int)count;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return -1;
}
