// The command lines with which systemd starts and stops an app.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher.h"

__attribute__((format(printf, 2, 3))) static void add(struct words *words, const char *format, ...) {
    char *word = NULL;
    va_list values;
    va_start(values, format);
    if (words->count == MAXIMUM_WORDS - 1 || vasprintf(&word, format, values) < 0) words->has_failed = true;
    else words->word[words->count++] = word;
    va_end(values);
}

// systemd would replace $NAME in an argument by a variable, which the user may have chosen. "$$" stands for "$".
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

// What holds for every app. The processes of the unit can't hand the app's group on: no set-group-ID bit can be set, and no program gets
// rights by one. io_uring is answered as on a kernel without it, since filters don't see what goes through it.
static const char *const properties[] = {
    "NoNewPrivileges=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
    "SystemCallFilter=~io_uring_setup io_uring_enter io_uring_register", "SystemCallErrorNumber=ENOSYS",
    "KillMode=control-group", "TimeoutStopSec=10", "RuntimeMaxSec=1d", "NotifyAccess=none", "LimitCORE=0", "UMask=0022",
    // If the launcher ends for whatever reason, nobody counts the time any more.
    "BindsTo=gate-launcher.service", "After=gate-launcher.service",
};

void unit_start_command(struct words *words, const char *program, const char *unit, const struct passwd *user, const struct request *request,
    const struct start *start) {
    *words = (struct words){0};
    unsigned uid = (unsigned)user->pw_uid;
    add(words, "%s", program);
    add(words, "--wait");
    add(words, "--collect");
    if (start->is_for_terminals) {
        // The client's descriptors are those of the app, so nothing else may be printed there.
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
    // A Python program loads no modules from the user's home or from the folder that it runs in.
    add(words, "--setenv=PYTHONNOUSERSITE=1");
    add(words, "--setenv=PYTHONSAFEPATH=1");
    for (size_t i = 0; i < request->variable_count; i++) add(words, "--setenv=%s", request->variables[i]);
    add(words, "--");
    for (size_t i = 0; i < start->argument_count; i++) add_argument(words, start->arguments[i]);
}

void unit_stop_command(struct words *words, const char *program, const char *unit) {
    *words = (struct words){0};
    add(words, "%s", program);
    add(words, "stop");
    add(words, "--");
    add(words, "%s.service", unit);
}

void words_execute(const struct words *words) {
    static char *environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "SYSTEMD_LOG_TARGET=console", "SYSTEMD_COLORS=0", NULL};
    if (!words->has_failed) execve(words->word[0], words->word, environment);
}
