#define _GNU_SOURCE
#include "peers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

void note(struct report *report, const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) fail("no memory");
    va_end(arguments);
    report_note(report, text);
    free(text);
}

char *path_in_folder(const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) fail("no memory");
    return path;
}

char *make_folder(const char *parent, const char *name) {
    char *path = path_in_folder(parent, name);
    if (mkdir(path, 0700) != 0) fail_system("can't make %s", path);
    return path;
}

void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) fail_system("can't write %s", path);
}

// MARK: programs

char *find_program(struct report *report, const char *name, const char *package) {
    // The last folders are those where Debian keeps servers that are not called by name.
    static const char more[] = "/usr/sbin:/sbin:/usr/libexec:/usr/lib/polkit-1";
    const char *path = getenv("PATH");
    char *folders, *rest, *found = NULL;
    if (asprintf(&folders, "%s:%s", path ? path : "/usr/bin:/bin", more) < 0) fail("no memory");
    for (char *folder = strtok_r(folders, ":", &rest); folder && !found; folder = strtok_r(NULL, ":", &rest)) {
        found = path_in_folder(folder, name);
        if (access(found, X_OK) == 0) continue;
        free(found);
        found = NULL;
    }
    free(folders);
    if (!found) note(report, "Not measured: `%s`, which is not installed (Debian's package `%s`).", name, package);
    return found;
}

static _Noreturn void execute(char *const *arguments, enum place place, const char *output_path) {
    place_process(0, place);
    int input = open("/dev/null", O_RDONLY), output = open(output_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (input < 0 || output < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
        fail_system("can't open %s", output_path);
    close(input);
    close(output);
    execv(arguments[0], arguments);
    fail_system("can't start %s", arguments[0]);
}

// The path of a program's log, for its name or path.
static char *log_path(const struct scene *scene, const char *program) {
    const char *slash = strrchr(program, '/');
    char *path;
    if (asprintf(&path, "%s/%s.log", scene->directory, slash ? slash + 1 : program) < 0) fail("no memory");
    return path;
}

pid_t start_peer(const struct scene *scene, char *const *arguments, enum place place) {
    char *path = log_path(scene, arguments[0]);
    pid_t child;
    if (start_child(&child)) {
        int output = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (output < 0 || dup2(output, STDERR_FILENO) < 0) fail_system("can't open %s", path);
        close(output);
        execute(arguments, place, path);
    }
    free(path);
    return child;
}

void note_failure(struct report *report, const struct scene *scene, const char *what, const char *name) {
    char *path = log_path(scene, name), line[256], last[256] = "it says nothing";
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line) strcpy(last, line);
    }
    if (file) fclose(file);
    free(path);
    note(report, "Not measured: `%s`, since `%s` does not start here: %s.", what, name, last);
}

// Whether a child has ended. If so, it is reaped.
static bool has_ended(pid_t process) {
    return waitpid(process, NULL, WNOHANG) != 0;
}

static void wait_a_moment(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

bool await_listener(pid_t *process, const char *path) {
    double started = now();
    while (now() - started < 10) {
        int socket = connect_to(path);
        if (socket >= 0) {
            close(socket);
            return true;
        }
        if (has_ended(*process)) {
            *process = 0;
            return false;
        }
        wait_a_moment();
    }
    return false;
}

void stop_peer(pid_t process) {
    if (process <= 0) return;
    kill(process, SIGTERM);
    for (double started = now(); now() - started < 2;) {
        if (has_ended(process)) return;
        wait_a_moment();
    }
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}

double run_program(char *const *arguments, enum place place) {
    double started = now();
    pid_t process;
    int status;
    if (start_child(&process)) execute(arguments, place, "/dev/null");
    if (waitpid(process, &status, 0) != process) fail_system("can't wait for %s", arguments[0]);
    double seconds = now() - started;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("%s failed: status %#x", arguments[0], (unsigned)status);
    return seconds;
}

void place_apart_from(const struct daemon *daemon) {
    place_process(0, CLIENT_PROCESSOR);
    place_process(daemon->process, SERVER_PROCESSOR);
}

void lock_gate(const struct daemon *daemon) {
    struct caller *administrator = connect_caller(daemon->socket, lock_request());
    answer_of(administrator);
    close_caller(administrator);
}

// MARK: the bus

// Like a session's bus, but open to everybody: no rule costs anything.
static const char bus_configuration[] =
    "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\"\n"
    "    \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n"
    "<busconfig>\n"
    "  <listen>unix:path=%s</listen>\n"
    "  <auth>EXTERNAL</auth>\n"
    "  <policy context=\"default\">\n"
    "    <allow user=\"*\"/>\n"
    "    <allow own=\"*\"/>\n"
    "    <allow send_destination=\"*\" eavesdrop=\"true\"/>\n"
    "    <allow eavesdrop=\"true\"/>\n"
    "  </policy>\n"
    "</busconfig>\n";

bool start_bus(struct report *report, const struct scene *scene, const char *name, enum place place, struct bus *bus) {
    *bus = (struct bus){0};
    char *program = find_program(report, "dbus-daemon", "dbus-daemon");
    if (!program) return false;
    char *folder = make_folder(scene->directory, name);
    // Lets other users reach the bus. The folder above decides who may.
    chmod(folder, 0711);
    bus->socket = path_in_folder(folder, "bus.sock");
    char *configuration = path_in_folder(folder, "bus.conf"), *text, *option;
    if (asprintf(&bus->address, "unix:path=%s", bus->socket) < 0 || asprintf(&text, bus_configuration, bus->socket) < 0 ||
        asprintf(&option, "--config-file=%s", configuration) < 0)
        fail("no memory");
    write_file(configuration, text);
    bus->daemon = start_peer(scene, (char *[]){program, option, "--nofork", "--nopidfile", "--nosyslog", NULL}, place);
    bool listens = await_listener(&bus->daemon, bus->socket);
    if (!listens) {
        note_failure(report, scene, name, "dbus-daemon");
        stop_bus(bus);
    }
    free(program);
    free(folder);
    free(configuration);
    free(text);
    free(option);
    return listens;
}

void stop_bus(struct bus *bus) {
    stop_peer(bus->daemon);
    free(bus->socket);
    free(bus->address);
    *bus = (struct bus){0};
}
