// Makes attack after attack, each against a gated of its own, while the neighbours work. Fails if a promise is not
// kept; what the attacks cost others is measured, and not promised. See `run`.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../Benchmarks/accounts.h"
#include "hostile.h"

extern const struct attack command_attacks[];
static const struct attack *const groups[] = {
    place_attacks, connection_attacks, frame_attacks, message_attacks, question_attacks, command_attacks,
    form_attacks, user_attacks};
enum { GROUPS = sizeof groups / sizeof *groups, MAXIMUM_ATTACKS = 40, MAXIMUM_PROCESSES = 4 };

static void must_live(const struct scene *scene, const char *when) {
    if (!is_alive(scene)) broken("gated died %s; its log: %s/log", when, scene->directory);
}

// Sleeps, and watches the daemon meanwhile. Returns the largest memory that it had.
static long watch_daemon(const struct scene *scene, double seconds, const char *when) {
    long most = 0;
    for (double started = now(); now() - started < seconds;) {
        must_live(scene, when);
        long kib = daemon_kib(scene);
        if (kib > most) most = kib;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return most;
}

static void must_run(pid_t process, const char *what) {
    siginfo_t ended = {0};
    if (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0)
        broken("%s ended too early", what);
}

static void await_flag(const struct scene *scene, bool (*is_set)(const struct exchange *), const pid_t *processes, int count,
    const char *what) {
    for (double started = now(); !is_set(scene->shared);) {
        must_live(scene, what);
        for (int i = 0; i < count; i++) must_run(processes[i], what);
        if (now() - started > PATIENCE_SECONDS) broken("%s: not ready after %d s", what, PATIENCE_SECONDS);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static bool are_neighbours_ready(const struct exchange *shared) { return shared->ready == NEIGHBOURS; }
static bool is_attack_set_up(const struct exchange *shared) { return shared->is_set_up; }

// Mounts a small disk for the state, which ends with this process.
static void mount_disk(struct scene *scene, int kib) {
    char options[64];
    snprintf(options, sizeof options, "size=%dk,mode=0700,uid=%d,gid=%d", kib, DAEMON_UID, DAEMON_UID);
    if (mount("gate-hostile", scene->state, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0) fail_system("can't mount a small disk");
}

static void empty(const char *directory) {
    pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", directory, (char *)NULL);
        _exit(127);
    }
    if (child < 0) fail_system("can't fork");
    end_process(child, "rm");
}

static void try_attack(struct scene *scene, const struct attack *attack, struct result *result) {
    static void (*const neighbours[NEIGHBOURS])(struct scene *) = {ask_for_mode, authorize_sums, watch_changes};
    struct exchange *shared = scene->shared;
    memset(shared, 0, sizeof *shared);
    make_directories(scene);
    if (attack->disk_kib) mount_disk(scene, attack->disk_kib);
    char words[4096];
    if (!start_daemon(scene, attack, words, sizeof words)) fail("gated did not start: %s", words);

    pid_t good[NEIGHBOURS], bad[MAXIMUM_PROCESSES];
    for (int i = 0; i < NEIGHBOURS; i++)
        good[i] = start_process(scene, neighbours[i] == watch_changes ? 0 : (uid_t)(NEIGHBOUR_UID + i), 0, neighbours[i]);
    await_flag(scene, are_neighbours_ready, good, NEIGHBOURS, "a good neighbour");
    watch_daemon(scene, 0.2, "before the attack");
    shared->phase = CALM;
    result->attack = attack;
    result->base_kib = watch_daemon(scene, scene->calm_seconds, "before the attack");

    shared->phase = UNDER_ATTACK;
    double started = now(), processor = daemon_seconds(scene), waited = daemon_waited_seconds(scene);
    for (int i = 0; i < attack->processes; i++) bad[i] = start_process(scene, attack->uid, attack->is_pushy ? 0 : 15, attack->run);
    result->high_kib = watch_daemon(scene, scene->attack_seconds, "under attack");
    // An attack that takes long to set up may finish that.
    await_flag(scene, is_attack_set_up, bad, attack->processes, attack->id);
    result->processor_part = (daemon_seconds(scene) - processor) / (now() - started);
    result->waited_part = (daemon_waited_seconds(scene) - waited) / (now() - started);
    for (int i = 0; i < NEIGHBOURS; i++) must_run(good[i], "a good neighbour");
    shared->phase = AFTERWARDS;
    shared->is_over = true;
    for (int i = 0; i < attack->processes; i++) end_process(bad[i], attack->id);
    for (int i = 0; i < NEIGHBOURS; i++) end_process(good[i], "a good neighbour");
    must_live(scene, "after the attack");
    if (attack->check) attack->check(scene);

    // A new user has to be served.
    pid_t newcomer;
    shared->is_over = true;
    newcomer = start_process(scene, NEIGHBOUR_UID, 0, ask_for_mode);
    end_process(newcomer, "a newcomer");
    memcpy(result->times, shared->times, sizeof result->times);
    memcpy(result->found, shared->found, sizeof result->found);
    if (result->high_kib - result->base_kib > attack->allowed_kib)
        broken("%s: %ld KiB more, and not at most %ld", attack->id, result->high_kib - result->base_kib, attack->allowed_kib);
    if (attack->allowed_part > 0 && result->processor_part > attack->allowed_part)
        broken("%s: %.0f %% of a processor, with nothing to do", attack->id, result->processor_part * 100);
    stop_daemon(scene);
    if (attack->disk_kib && umount(scene->state) != 0) fail_system("can't unmount the small disk");
    empty(scene->directory);
}

// Makes other programs on this machine disturb less, but not the kernel's own threads, for which a commit waits.
enum { NICENESS = -5 };

static _Noreturn void say_usage(void) {
    fputs("usage: hostile GATED DIRECTORY SECONDS [PAGE|- [ATTACK…]]\n", stderr);
    exit(64);
}

static const struct uids users[] = {
    {DAEMON_UID, 1}, {NEIGHBOUR_UID, NEIGHBOURS}, {ATTACKER_UID, 1}, {PRESENTER_UID, 1}, {HOSTILE_PROVIDER_UID, 1},
    {MANY_UIDS, MANY_UIDS_COUNT}};

int main(int argument_count, char **arguments) {
    if (argument_count < 4 || atof(arguments[3]) <= 0) say_usage();
    if (geteuid() != 0) {
        fputs("hostile: run it as root: the attackers are users of their own\n", stderr);
        return 69;
    }
    have_own_mounts();
    add_accounts(arguments[2], users, sizeof users / sizeof *users);
    add_subordinate_uids(arguments[2], ATTACKER_UID, (struct uids){SUBORDINATE_UIDS, SUBORDINATE_UIDS_COUNT});
    be_nice(NICENESS);
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    static struct scene scene;
    scene.program = arguments[1];
    scene.attack_seconds = atof(arguments[3]);
    scene.calm_seconds = scene.attack_seconds / 2;
    scene.shared = mmap(NULL, sizeof *scene.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (scene.shared == MAP_FAILED) fail_system("no memory");
    if ((size_t)snprintf(scene.directory, sizeof scene.directory, "%s/case", arguments[2]) >= sizeof scene.directory)
        fail("%s is too long", arguments[2]);

    static struct result results[MAXIMUM_ATTACKS];
    int count = 0;
    for (int group = 0; group < GROUPS; group++) {
        for (const struct attack *attack = groups[group]; attack->id; attack++) {
            bool is_wanted = argument_count <= 5;
            for (int i = 5; i < argument_count; i++) is_wanted |= strcmp(arguments[i], attack->id) == 0;
            if (!is_wanted) continue;
            if (count == MAXIMUM_ATTACKS) fail("more attacks than there is room for");
            try_attack(&scene, attack, &results[count]);
            print_result(&results[count++]);
        }
    }
    if (count == 0) say_usage();
    if (argument_count > 4 && strcmp(arguments[4], "-") != 0) write_results(arguments[4], results, count, scene.attack_seconds);
    printf("%d attacks: gated lived, and kept its promises\n", count);
    return 0;
}
