// Ends apps: systemd stops their units, and processes that have left a unit are killed.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"

enum { NOT_LOADED = 5, FREEZE_MSEC = 3000, THAW_ATTEMPTS = 3 };

// Runs `systemctl VERB UNIT` and waits for it, for at most `milliseconds`; -1: without a limit. Returns its exit status, or -1 if it could
// not be run or was killed.
static int systemctl(const struct settings *settings, const char *verb, const char *unit, int milliseconds) {
    struct words words;
    int status = 0;
    unit_command(&words, settings->systemctl, verb, unit);
    pid_t process = words.has_failed ? -1 : fork();
    if (process == 0) {
        // If an app has ended already, its unit is not loaded any more, and systemctl would print an error about that.
        int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nothing >= 0) dup2(nothing, STDERR_FILENO);
        words_execute(&words);
        _exit(127);
    }
    words_free(&words);
    if (process < 0) return -1;
    struct pollfd polled = {.fd = (int)syscall(SYS_pidfd_open, process, 0), .events = POLLIN};
    if (milliseconds >= 0 && (polled.fd < 0 || poll(&polled, 1, milliseconds) != 1)) kill(process, SIGKILL);
    if (polled.fd >= 0) close(polled.fd);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Freezes all processes of these users (`slices` is a pattern), kills those that have one of the groups, and thaws the others. A process
// that forks and exits again and again has a new number at each look, so without freezing it might never be found. Frozen processes can be
// killed, too.
static bool kill_frozen(const struct settings *settings, const char *slices, uid_t uid, const gid_t *groups, size_t count) {
    bool is_frozen = systemctl(settings, "freeze", slices, FREEZE_MSEC) == 0;
    if (!is_frozen) fprintf(stderr, "%s can't be frozen, so a process that forks without end may escape\n", slices);
    bool is_over = unit_kill_rest(uid, groups, count) >= 0, is_thawed = false;
    for (int i = 0; i < THAW_ATTEMPTS && !is_thawed; i++) is_thawed = systemctl(settings, "thaw", slices, FREEZE_MSEC) == 0 || !is_frozen;
    if (!is_thawed) fprintf(stderr, "%s can't be thawed\n", slices);
    return is_over && is_thawed;
}

bool unit_end(const struct settings *settings, const char *unit, const struct place *place, bool is_last) {
    char name[UNIT_BYTES + 16], slice[32];
    snprintf(name, sizeof name, "%s.service", unit);
    snprintf(slice, sizeof slice, "user-%u.slice", (unsigned)place->uid);
    int status = systemctl(settings, "stop", name, -1);
    if (status != 0 && status != NOT_LOADED) {
        fprintf(stderr, "systemctl has not stopped %s: status %d\n", name, status);
        return false;
    }
    const gid_t group = place->group;
    return !is_last || kill_frozen(settings, slice, place->uid, &group, 1);
}

bool sweep(const struct settings *settings) {
    enum { MOST = 4096 };
    static char text[FILE_BYTES + 1];
    static gid_t groups[MOST];
    struct start start;
    size_t count = 0;
    DIR *records = opendir(settings->records);
    if (!records) return errno == ENOENT;
    for (struct dirent *entry; count < MOST && (entry = readdir(records));)
        if (entry->d_name[0] != '.' && record_read(settings->records, entry->d_name, text, &start) == 0) groups[count++] = start.group;
    closedir(records);
    // systemd says how the main process has ended. Only if it ended in order, it has surely killed what was left of the last unit.
    const char *code = getenv("EXIT_CODE"), *status = getenv("EXIT_STATUS");
    bool is_orderly = !code || (strcmp(code, "exited") == 0 && status && strcmp(status, "0") == 0);
    bool is_over = unit_kill_rest(ANY_USER, groups, count) == 0 && is_orderly;
    if (!is_over) return kill_frozen(settings, "user-*.slice", ANY_USER, groups, count);
    return true;
}
