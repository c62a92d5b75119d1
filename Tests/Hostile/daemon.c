// A new gated for each case, which runs as its own user.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../Benchmarks/servers.h"
#include "hostile.h"

void broken(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("broken: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

// A lockout ends soon, so that wrong answers can be given again and again.
static const char policy[] =
    "mode:\n"
    "  challenge: arithmetic-choice\n"
    "lockout: {after: 3, for: 1s, factor: 1, max: 1s}\n"
    "roles:\n"
    "  presenter: {users: [64030], groups: []}\n"
    "  provider: {users: [64040], groups: []}\n"
    "gated-actions:\n"
    "  " SUM_ACTION ":\n"
    "    requires: {challenge: arithmetic-choice}\n"
    "  " PASSCODE_ACTION ":\n"
    "    requires: {challenge: passcode}\n";

static void make(char *path, size_t size, const char *directory, const char *name, mode_t mode, uid_t owner) {
    if ((size_t)snprintf(path, size, "%s%s%s", directory, *name ? "/" : "", name) >= size) fail("%s is too long", directory);
    if ((mkdir(path, mode) != 0 && errno != EEXIST) || chmod(path, mode) != 0 || chown(path, owner, owner) != 0)
        fail_system("can't make %s", path);
}

static void write_file(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "we");
    if (!file || fwrite(data, 1, size, file) != size || fchmod(fileno(file), 0644) != 0 || fclose(file) != 0)
        fail_system("can't write %s", path);
}

static void write_form(struct scene *scene, const char *name, struct bytes form) {
    char path[160];
    snprintf(path, sizeof path, "%s/questionnaires.d/%s.json", scene->configuration, name);
    write_file(path, form.data, form.size);
    free(form.data);
}

void make_directories(struct scene *scene) {
    char path[128];
    make(path, sizeof path, scene->directory, "", 0755, 0);
    make(scene->state, sizeof scene->state, scene->directory, "state", 0700, DAEMON_UID);
    make(scene->runtime, sizeof scene->runtime, scene->directory, "run", 0755, DAEMON_UID);
    make(scene->configuration, sizeof scene->configuration, scene->directory, "etc", 0755, 0);
    snprintf(scene->socket, sizeof scene->socket, "%s/gate.sock", scene->runtime);
    snprintf(path, sizeof path, "%s/policy.yaml", scene->configuration);
    write_file(path, policy, sizeof policy - 1);
    make(path, sizeof path, scene->configuration, "questionnaires.d", 0755, 0);
    write_form(scene, LARGE_FORM, large_form());
    write_form(scene, COSTLY_FORM, costly_form());
}

void become(uid_t uid) {
    if (setgroups(0, NULL) != 0 || setgid(uid) != 0 || setuid(uid) != 0) fail_system("can't become uid %d", (int)uid);
    // start_child has set this, and the change of user has cleared it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void use_descriptors(int count) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (count > 0) limit.rlim_max = (rlim_t)count;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) fail_system("can't limit descriptors");
}

bool start_daemon(struct scene *scene, const struct attack *attack, char *words, size_t size) {
    char log[128];
    snprintf(log, sizeof log, "%s/log", scene->directory);
    int file = open(log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) fail_system("can't make %s", log);
    if (start_child(&scene->daemon)) {
        dup2(file, 2);
        use_descriptors(attack && attack->descriptors ? attack->descriptors : 8192);
        become(DAEMON_UID);
        // Without this, other tests of the same user would be administrators of this daemon. And it inherits no
        // descriptors of ours.
        close_range(3, ~0u, 0);
        execl(
            scene->program, scene->program, "--socket", scene->socket, "--state-directory", scene->state,
            "--runtime-directory", scene->runtime, "--config-directory", scene->configuration, "--log-level", "warning",
            (char *)NULL);
        fail_system("can't start %s", scene->program);
    }
    for (double started = now(); now() - started < PATIENCE_SECONDS;) {
        int socket = connect_to(scene->socket);
        if (socket >= 0) {
            // The daemon answers only when it is ready.
            struct bytes frame = {0};
            put_request(&frame, 1, "Mode/GetMode", NULL, 0);
            struct pollfd poll_ = {.fd = socket, .events = POLLIN};
            bool is_ready = write(socket, frame.data, frame.size) == (ssize_t)frame.size && poll(&poll_, 1, 60000) > 0;
            free(frame.data);
            close(socket);
            if (is_ready && is_alive(scene)) return true;
        }
        if (!is_alive(scene)) {
            ssize_t count = pread(file, words, size - 1, 0);
            words[count > 0 ? count : 0] = 0;
            close(file);
            waitpid(scene->daemon, NULL, 0);
            scene->daemon = 0;
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    fail("gated was not ready after %d s", PATIENCE_SECONDS);
}

bool is_alive(const struct scene *scene) {
    siginfo_t ended = {0};
    return waitid(P_PID, (id_t)scene->daemon, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
}

// If the daemon does not stop by itself, something hangs that must not.
void stop_daemon(struct scene *scene) {
    if (scene->daemon == 0) return;
    kill(scene->daemon, SIGTERM);
    int status;
    for (double started = now();;) {
        if (waitpid(scene->daemon, &status, WNOHANG) == scene->daemon) break;
        if (now() - started > PATIENCE_SECONDS) {
            kill(scene->daemon, SIGKILL);
            waitpid(scene->daemon, &status, 0);
            broken("gated did not stop within %d s of SIGTERM", PATIENCE_SECONDS);
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    scene->daemon = 0;
    if (status != 0) broken("gated ended with status %x", status);
}

long daemon_kib(const struct scene *scene) {
    struct daemon daemon = {.process = scene->daemon};
    return anonymous_kib(&daemon);
}

double daemon_seconds(const struct scene *scene) {
    return processor_seconds(scene->daemon);
}

// How long its threads were ready to run without getting a processor.
double daemon_waited_seconds(const struct scene *scene) {
    char path[64];
    unsigned long long waited = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)scene->daemon);
    DIR *tasks = opendir(path);
    if (!tasks) fail_system("can't read %s", path);
    for (struct dirent *task; (task = readdir(tasks));) {
        if (*task->d_name == '.') continue;
        char file[400];
        unsigned long long of_task;
        snprintf(file, sizeof file, "%s/%s/schedstat", path, task->d_name);
        FILE *statistics = fopen(file, "re");
        if (statistics && fscanf(statistics, "%*u %llu", &of_task) == 1) waited += of_task;
        if (statistics) fclose(statistics);
    }
    closedir(tasks);
    return (double)waited * 1e-9;
}

// If the kernel groups processes by session, a process's nice value counts only within its session, and the session's
// own nice value counts among all sessions.
void be_nice(int niceness) {
    setpriority(PRIO_PROCESS, 0, niceness);
    setsid();
    FILE *file = fopen("/proc/self/autogroup", "we");
    if (!file) return;
    fprintf(file, "%d", niceness);
    fclose(file);
}

pid_t start_process(struct scene *scene, uid_t uid, int niceness, void (*run)(struct scene *)) {
    pid_t process;
    if (!start_child(&process)) return process;
    use_descriptors(0);
    if (niceness != 0) be_nice(niceness);
    // `run` does first what needs root.
    if (uid != 0) become(uid);
    run(scene);
    exit(0);
}

void end_process(pid_t process, const char *what) {
    int status;
    for (double started = now();;) {
        if (waitpid(process, &status, WNOHANG) == process) break;
        if (now() - started > PATIENCE_SECONDS) {
            kill(process, SIGKILL);
            waitpid(process, &status, 0);
            broken("%s did not end", what);
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (status != 0) broken("%s: a promise was broken, see above (status %x)", what, status);
}
