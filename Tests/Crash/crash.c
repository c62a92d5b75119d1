// Kills gated again and again in the middle of durable work, starts it again, and compares its data with what was
// confirmed. Exits with 0 if every promise was kept.
#define _GNU_SOURCE
#include <getopt.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "actor.h"
#include "chance.h"
#include "daemon.h"
#include "database.h"
#include "disk.h"
#include "journal.h"
#include "promises.h"
#include "report.h"
#include "watch.h"

struct run run;

// A daemon that writes nothing under load is killed after this many seconds.
static const double LONGEST_LOAD = 2;
static struct actor *actors[ACTORS];
// A client that connects while no daemon runs, and waits.
static struct peer waiting;

void broken(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("BROKEN: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(
        stderr,
        "\n  seed %lu, kill %u; %lu commands were confirmed, %lu were in flight at a kill, %lu of these were done\n"
        "  the state is kept in %s (of a run with cuts, in disk.ext4 there)\n"
        "  SEED=%lu draws the same choices; what comes when is the machine's\n",
        (unsigned long)run.seed, run.kills, (unsigned long)run.confirmed, (unsigned long)run.in_flight,
        (unsigned long)run.found_done, run.directory, (unsigned long)run.seed);
    exit(1);
}

// MARK: under load

// Calls `visit` with every connection.
static void each_peer(void (*visit)(struct peer *peer, void *context), void *context) {
    visit(journal_peer(), context);
    for (int i = 0; i < WATCHERS; i++) visit(watcher_peer(i), context);
    for (int i = 0; i < ACTORS; i++) {
        for (int j = 0; j < PEERS; j++) visit(&actors[i]->peers[j], context);
    }
}

struct polled {
    struct pollfd descriptors[1 + 1 + WATCHERS + ACTORS * PEERS];
    struct peer *peers[1 + 1 + WATCHERS + ACTORS * PEERS];
    nfds_t count;
};

static void add_polled(struct peer *peer, void *context) {
    struct polled *polled = context;
    polled->peers[polled->count] = peer;
    polled->descriptors[polled->count++] = (struct pollfd){.fd = peer->socket, .events = POLLIN};
}

static void set_to_work(void) {
    for (int i = 0; i < ACTORS; i++) {
        if (!actors[i]->is_busy) actors[i]->subject->act(actors[i]);
    }
}

static bool is_time(enum moment moment, int written, uint64_t answers, double elapsed, double wanted, unsigned count) {
    // The moment to wait for may never come.
    if (elapsed > LONGEST_LOAD) return true;
    switch (moment) {
        case AFTER_ANSWER: return answers >= count;
        case DURING_COMMIT: return (written & WROTE_LOG) && elapsed > wanted;
        case DURING_CHECKPOINT: return written & WROTE_DATABASE;
        case AT_ANY_TIME:
        case DURING_START:
        case DURING_RECOVERY:
        case MOMENTS: return elapsed >= wanted;
    }
    return true;
}

// Lets all actors work until the moment of the kill.
static void work_until(enum moment moment) {
    struct polled polled = {.count = 1};
    polled.descriptors[0] = (struct pollfd){.fd = store_events_descriptor(), .events = POLLIN};
    each_peer(add_polled, &polled);
    // Half of the times are within 20 milliseconds, the others within 0.2 seconds.
    double wanted = between(0, once_in(2) ? 0.02 : 0.2), start = now();
    unsigned count = 1 + below(400);
    uint64_t before = run.confirmed;
    read_store_events();
    set_to_work();
    for (;;) {
        double elapsed = now() - start;
        double left = moment == AT_ANY_TIME ? wanted - elapsed : 0.01;
        struct timespec timeout = {.tv_nsec = left > 0 ? (long)(left * 1e9) : 0};
        if (left >= 1) timeout = (struct timespec){.tv_sec = 1};
        ppoll(polled.descriptors, polled.count, &timeout, NULL);
        if (is_time(moment, read_store_events(), run.confirmed - before, now() - start, wanted, count)) return;
        for (nfds_t i = 1; i < polled.count; i++) {
            if (polled.descriptors[i].revents && !read_peer(polled.peers[i]))
                broken("the daemon hung up, or died by itself");
            if (is_time(moment, 0, run.confirmed - before, now() - start, wanted, count)) return;
        }
        set_to_work();
    }
}

// MARK: kills

// Answers that a dead daemon has sent have to be read, too, since they are confirmed.
static void read_to_end(struct peer *peer, void *context) {
    (void)context;
    while (peer->socket > 0 && read_peer(peer)) await_peer(peer, 1);
    if (peer->socket > 0) close(peer->socket);
    peer->socket = -1;
    peer->method = NULL;
}

// Connects while no daemon runs. If the socket is kept, the client must not be refused.
static void connect_waiting(void) {
    // The daemon that has just died may have accepted the previous one.
    close_peer(&waiting);
    if (!is_socket_kept()) return;
    if (!connect_peer(&waiting, user(91))) broken("a client is refused while no daemon runs");
}

static void serve_waiting(void) {
    if (waiting.socket <= 0) return;
    Gate__V1__GetModeRequest request = GATE__V1__GET_MODE_REQUEST__INIT;
    // Otherwise the client waits in the queue of a socket that may have been replaced meanwhile.
    if (is_socket_kept()) ask(&waiting, &gate__v1__mode__descriptor, "GetMode", &request.base);
    close_peer(&waiting);
}

static void end_daemon(enum moment moment, bool is_cut) {
    if (is_cut) {
        // The daemon must not answer after the cut: this disk does not have what such an answer would confirm.
        freeze_daemon();
        cut_disk();
    }
    kill_daemon();
    run.kills++;
    run.kills_at[moment]++;
    run.cuts += is_cut;
    each_peer(read_to_end, NULL);
    if (is_cut) restore_disk();
    connect_waiting();
}

static void kill_under_load(enum moment moment, bool is_cut) {
    work_until(moment);
    look_at_page();
    end_daemon(moment, is_cut);
    for (int i = 0; i < ACTORS; i++) run.in_flight += actors[i]->is_busy;
    if (once_in(5)) {
        char scratch[4096];
        snprintf(scratch, sizeof scratch, "%s/copy", run.directory);
        inspect_copy(state_directory(), scratch);
    }
}

// Kills a daemon at some moment before it has served.
static void kill_during_start(enum moment moment, bool is_cut) {
    double usual = start_count ? median(start_seconds, start_count) : 0.03;
    double wanted = between(0, usual * 1.2), start = now();
    unsigned writes = 1 + below(12), seen = 0;
    read_store_events();
    start_daemon();
    while (now() - start < (moment == DURING_START ? wanted : usual * 2)) {
        if (read_store_events() & WROTE_ANY) seen++;
        if (moment == DURING_RECOVERY && seen >= writes) break;
        struct pollfd events = {.fd = store_events_descriptor(), .events = POLLIN};
        ppoll(&events, moment == DURING_RECOVERY, &(struct timespec){.tv_nsec = 100000}, NULL);
    }
    end_daemon(moment, is_cut);
}

// MARK: restarts

static void inspect_rows(void) {
    for (int i = 0; i < ACTORS; i++) actors[i]->subject->expect_rows(actors[i]);
    inspect_database(state_directory());
}

static void start_and_check(void) {
    start_daemon();
    uint64_t newest = await_daemon();
    serve_waiting();
    follow_journal();
    await_journal();
    compare_page();
    connect_watchers();
    compare_watchers(newest);
    for (int i = 0; i < ACTORS; i++) {
        bool was_busy = actors[i]->is_busy;
        connect_actor(actors[i]);
        actors[i]->is_busy = was_busy;
        actors[i]->subject->check(actors[i]);
        actors[i]->is_busy = false;
    }
    compare_journal();
    // No actor works yet, so the database can be read beside the daemon.
    if (once_in(6)) inspect_rows();
    for (int i = 0; i < ACTORS; i++) actors[i]->subject->attempt(actors[i]);
}

static void make_actors(void) {
    int count = 0;
    for (int i = 0; i < PERSONS; i++, count++) actors[count] = new_person((unsigned)count);
    for (int i = 0; i < HOUSEHOLDS; i++, count++) actors[count] = new_household((unsigned)count);
    for (int i = 0; i < WRITERS; i++, count++) actors[count] = new_writer((unsigned)count);
    for (int i = 0; i < READERS; i++, count++) actors[count] = new_reader((unsigned)count);
    for (int i = 0; i < CLERKS; i++, count++) actors[count] = new_clerk((unsigned)count);
    for (int i = 0; i < ASKERS; i++, count++) actors[count] = new_asker((unsigned)count, (unsigned)i);
    actors[count] = new_keeper((unsigned)count);
    count++;
    actors[count] = new_authenticator((unsigned)count);
    count++;
    actors[count] = new_grown_up((unsigned)count);
}

// At the end the daemon is stopped in order, and the database is read afterwards.
static void inspect_end(void) {
    // Waits for what the last attempts have written to the journal.
    await_journal();
    for (int i = 0; i < ACTORS; i++) actors[i]->subject->check(actors[i]);
    compare_journal();
    stop_daemon();
    inspect_rows();
}

static void usage(void) {
    fputs(
        "usage: crash --gated PATH --sockets DIRECTORY --state DIRECTORY [--kills N] [--seed N] [--cut] [--write FILE]\n",
        stderr);
    exit(64);
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"gated", required_argument, NULL, 'g'}, {"sockets", required_argument, NULL, 's'},
        {"state", required_argument, NULL, 'd'}, {"kills", required_argument, NULL, 'k'},
        {"seed", required_argument, NULL, 'n'},  {"cut", no_argument, NULL, 'c'},
        {"write", required_argument, NULL, 'w'}, {0},
    };
    const char *gated = NULL, *sockets = NULL, *page = NULL;
    unsigned kills = 300;
    bool is_cut = false;
    run.seed = (uint64_t)time(NULL);
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
            case 'g': gated = optarg; break;
            case 's': sockets = optarg; break;
            case 'd': run.directory = optarg; break;
            case 'k': kills = (unsigned)strtoul(optarg, NULL, 10); break;
            case 'n': run.seed = strtoul(optarg, NULL, 10); break;
            case 'c': is_cut = true; break;
            case 'w': page = optarg; break;
            default: usage();
        }
    }
    if (!gated || !sockets || !run.directory || kills == 0 || optind != argc) usage();
    seed_chance(run.seed);
    prepare_users(sockets);
    prepare_disk(run.directory, is_cut);
    prepare_daemon(gated, sockets, run.directory);
    watch_store();
    make_actors();
    printf("crash: %u kills, seed %lu, %s\n", kills, (unsigned long)run.seed, disk_description());
    fflush(stdout);
    double started = now();
    // The first daemons are killed while they make the store.
    while (run.kills < kills / 8 && !once_in(5))
        kill_during_start(once_in(3) ? DURING_START : DURING_RECOVERY, is_cut && once_in(2));
    start_and_check();
    while (run.kills < kills) {
        static const enum moment moments[] = {AT_ANY_TIME, AFTER_ANSWER, DURING_COMMIT, DURING_CHECKPOINT};
        kill_under_load(moments[below(4)], is_cut && !once_in(4));
        // One start in three is killed before it has finished, and then perhaps the next one, too.
        while (run.kills < kills && once_in(3))
            kill_during_start(once_in(2) ? DURING_START : DURING_RECOVERY, is_cut && once_in(2));
        start_and_check();
    }
    inspect_end();
    print_report(stdout, now() - started);
    if (page) write_page(page, now() - started);
    remove_disk();
    return 0;
}
