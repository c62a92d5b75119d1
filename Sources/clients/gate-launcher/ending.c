// The end of apps: their units are stopped by systemd, and what has left a unit is killed.
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

// Has systemctl do this to this unit, and waits for it, for so long at most (-1: as long as it takes). Returns its exit status, or -1.
static int systemctl(const struct settings *settings, const char *verb, const char *unit, int milliseconds) {
    struct words words;
    int status = 0;
    unit_command(&words, settings->systemctl, verb, unit);
    pid_t process = words.has_failed ? -1 : fork();
    if (process == 0) {
        // It would complain that a unit is not loaded whenever an app has ended by itself.
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

// Kills what is left, while no process of these users runs (a pattern of slices). A process that forks and ends at once, again and again, has
// another number whenever somebody looks. The frozen ones can be killed as well as others, and are woken up in any case.
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
    // systemd tells how the main process has ended. What stopped the last unit has killed the rest only if it had the time for it.
    const char *code = getenv("EXIT_CODE"), *status = getenv("EXIT_STATUS");
    bool is_orderly = !code || (strcmp(code, "exited") == 0 && status && strcmp(status, "0") == 0);
    bool is_over = unit_kill_rest(ANY_USER, groups, count) == 0 && is_orderly;
    if (!is_over) return kill_frozen(settings, "user-*.slice", ANY_USER, groups, count);
    return true;
}
