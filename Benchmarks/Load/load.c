// The load test: 10,000 watches over 1,000 connections, and 1,000 durable commands a second, for minutes. See `run`.
#include <CGateProtocol.h>
#include <CTTRPC.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../servers.h"
#include "../wire.h"
#include "load.h"

// How much memory gated may gain in the observed time. More would not be chance of the allocator.
static const double ALLOWED_GROWTH = 0.03;
enum { ALLOWED_GROWTH_KIB = 512, SAMPLE_SECONDS = 10, MAXIMUM_SAMPLES = 10000 };

static struct daemon gated;

// The daemon's memory in KiB, for each second.
struct memory {
    long kib[MAXIMUM_SAMPLES];
    int count;
};

static void sample_memory(double second, void *context) {
    struct memory *memory = context;
    if (memory->count == MAXIMUM_SAMPLES) return;
    memory->kib[memory->count++] = anonymous_kib(&gated);
    if ((int)second % SAMPLE_SECONDS == 0) printf("%4.0f s: %.1f MiB\n", second, (double)anonymous_kib(&gated) / 1024);
    fflush(stdout);
}

// The median of some seconds.
static double middle_kib(const struct memory *memory, int from, int to) {
    double kib[MAXIMUM_SAMPLES];
    for (int i = from; i < to; i++) kib[i - from] = (double)memory->kib[i];
    return median(kib, (size_t)(to - from));
}

// In the first minute (or the first third, if the run is shorter than three minutes) things grow that have to grow
// once, like buffers and the journal in SQLite's cache. Of the rest, the last quarter must not be above the first one.
struct flatness {
    int warm_seconds;
    double first_kib, last_kib;
    bool is_flat;
};

static struct flatness flatness_of(const struct memory *memory) {
    struct flatness flatness = {.warm_seconds = memory->count >= 180 ? 60 : memory->count / 3};
    int quarter = (memory->count - flatness.warm_seconds + 3) / 4;
    flatness.first_kib = middle_kib(memory, flatness.warm_seconds, flatness.warm_seconds + quarter);
    flatness.last_kib = middle_kib(memory, memory->count - quarter, memory->count);
    flatness.is_flat = flatness.last_kib <= flatness.first_kib * (1 + ALLOWED_GROWTH) + ALLOWED_GROWTH_KIB;
    return flatness;
}

struct counts {
    uint64_t transitions, commits, conflated;
};

static struct counts ask_for_counts(void) {
    static struct inbox inbox;
    Gate__V1__GetStatisticsRequest message = GATE__V1__GET_STATISTICS_REQUEST__INIT;
    struct frame request = request_frame("gate.v1.Control", "GetStatistics", &message.base, 0);
    int socket = connect_to(gated.socket);
    if (socket < 0) fail_system("can't connect to %s", gated.socket);
    write_all(socket, request.bytes, request.size);
    struct header header;
    inbox.start = inbox.end = 0;
    const uint8_t *data = await_frame(socket, &inbox, &header);
    check_response(header, data);
    close(socket);
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, header.size, data);
    Gate__V1__GetStatisticsResponse *counts =
        response ? gate__v1__get_statistics_response__unpack(NULL, response->payload.len, response->payload.data) : NULL;
    if (!counts) fail("statistics that can't be decoded");
    struct counts result = {counts->transitions, counts->commits, counts->conflated};
    gate__v1__get_statistics_response__free_unpacked(counts, NULL);
    ttrpc__response__free_unpacked(response, NULL);
    return result;
}

// Processor time of the whole machine, in seconds.
static double machine_seconds(void) {
    double user, nice, system, interrupts, soft_interrupts, stolen;
    FILE *file = fopen("/proc/stat", "re");
    if (!file) fail_system("can't read /proc/stat");
    int count = fscanf(
        file, "cpu %lf %lf %lf %*f %*f %lf %lf %lf", &user, &nice, &system, &interrupts, &soft_interrupts, &stolen);
    fclose(file);
    if (count != 6) fail("/proc/stat says something else");
    return (user + nice + system + interrupts + soft_interrupts + stolen) / (double)sysconf(_SC_CLK_TCK);
}

// Everything that a run found.
struct run {
    double seconds, gated_seconds, commander_seconds, machine_seconds;
    struct shared *shared;
    struct findings findings;
    struct memory memory;
    struct counts before, after;
};

static void write_times(FILE *file, const char *what, const struct spread *spread) {
    fprintf(
        file, "| %s | %.2f ms | %.2f ms | %.2f ms | %.1f ms | %" PRIu64 " |\n", what, quantile(spread, 0.5),
        quantile(spread, 0.99), quantile(spread, 0.999), (double)spread->longest * 1e-6, spread->count);
}

static void write_tables(FILE *file, const struct run *run) {
    const struct shared *shared = run->shared;
    double seconds = run->seconds;
    uint64_t transitions = run->after.transitions - run->before.transitions, commits = run->after.commits - run->before.commits;
    fputs("| what took how long | p50 | p99 | p99.9 | longest | of |\n|---|---:|---:|---:|---:|---:|\n", file);
    write_times(file, "a durable command, until its answer", &run->findings.commands);
    write_times(file, "a change, until a watcher has heard of it", &shared->pushes);
    write_times(file, "`Mode/GetMode`, until its answer", &run->findings.questions);
    fprintf(file, "\n| what | |\n|---|---:|\n");
    fprintf(file, "| durable commands a second | %.0f |\n", (double)run->findings.command_count / seconds);
    fprintf(file, "| of them one commit had, on average | %.1f |\n", (double)transitions / (double)(commits ? commits : 1));
    fprintf(file, "| commands that waited for their answers, at most | %" PRIu64 " |\n", run->findings.most_in_flight);
    fprintf(file, "| messages to watchers a second | %.0f |\n", (double)shared->messages / seconds);
    fprintf(
        file, "| revisions that one message told of, on average | %.1f |\n",
        (double)shared->revisions_told / (double)(shared->messages ? shared->messages : 1));
    fprintf(
        file, "| changes that watches heard of later, in one message with others | %" PRIu64 " |\n",
        run->after.conflated - run->before.conflated);
    fprintf(file, "| processor time of `gated` | %.0f %% of one |\n", run->gated_seconds / seconds * 100);
    fprintf(file, "| processor time of the watchers | %.0f %% of one |\n", shared->audience_seconds / seconds * 100);
    fprintf(file, "| processor time of the administrators | %.0f %% of one |\n", run->commander_seconds / seconds * 100);
    double others = run->machine_seconds - run->gated_seconds - shared->audience_seconds - run->commander_seconds;
    fprintf(file, "| processor time of all else on the machine | %.0f %% of one |\n", (others > 0 ? others : 0) / seconds * 100);
    struct flatness flatness = flatness_of(&run->memory);
    fprintf(
        file, "| memory (RssAnon) after the first %d s, and at the end | %.1f MiB, %.1f MiB |\n", flatness.warm_seconds,
        flatness.first_kib / 1024, flatness.last_kib / 1024);
}

static void write_page(const char *path, const struct run *run) {
    FILE *file = fopen(path, "we");
    if (!file) fail_system("can't write %s", path);
    char date[32];
    time_t time_ = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&time_));
    fprintf(
        file,
        "# Under load\n\n<!-- Written by `make load`. Do not edit. -->\n\n"
        "For people who want to know whether Gate keeps up with thousands of watchers.\n\n"
        "%s, %.0f seconds, on a machine with %ld processors: `gated`, %d watches of the mode over %d connections, and\n"
        "%d administrators who together start parent mode again %d times a second, whether or not the commands before\n"
        "are answered. Beside them somebody asks for the mode %.0f times a second.\n\n",
        date, run->seconds, sysconf(_SC_NPROCESSORS_ONLN), WATCHES, CONNECTIONS, ADMINISTRATORS, COMMANDS_PER_SECOND,
        QUESTIONS_PER_SECOND);
    write_tables(file, run);
    fprintf(
        file,
        "\n"
        "- No call failed, and each watch was told of all revisions, each once and in order. The test fails otherwise.\n"
        "- Times begin when a call was to be sent, so that a pause is in all calls that it held up. What a change took is\n"
        "  looked at with %d watches.\n"
        "- Each command is on the disk before its answer, and before any watcher hears of it.\n"
        "- Watchers and administrators take their part of the machine's processors.\n"
        "- After the first minute, the median of memory in the last quarter of the time may be at most %.0f %% and %.1f MiB above\n"
        "  that of the first quarter. It was %smore.\n",
        SAMPLED_WATCHES, ALLOWED_GROWTH * 100, (double)ALLOWED_GROWTH_KIB / 1024,
        flatness_of(&run->memory).is_flat ? "not " : "");
    if (fclose(file) != 0) fail_system("can't write %s", path);
}

static pid_t start_audience(struct shared *shared) {
    pid_t parent = getpid(), child = fork();
    if (child < 0) fail_system("can't fork");
    if (child > 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    listen_to_changes(gated.socket, shared);
    _exit(0);
}

static pid_t audience;

// Whether the watchers' process has ended. Ends this program if that one reported a wrong message.
static bool has_audience_ended(void) {
    int status;
    if (audience == 0) return true;
    if (waitpid(audience, &status, WNOHANG) != audience) return false;
    audience = 0;
    if (status != 0) fail("the watchers gave up");
    return true;
}

static void each_second(double second, void *context) {
    if (has_audience_ended()) fail("the watchers ended too early");
    sample_memory(second, context);
}

static void await_audience(const atomic_bool *flag, double seconds) {
    for (double start = now(); !has_audience_ended() && !(flag && *flag);) {
        if (now() - start > seconds) fail("the watchers are not done after %.0f s", seconds);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count < 5) {
        fputs("usage: load GATED SOCKET-DIRECTORY STATE-DIRECTORY SECONDS [PAGE]\n", stderr);
        return 64;
    }
    static struct run run;
    run.seconds = atof(arguments[4]);
    if (run.seconds < 5 || run.seconds >= MAXIMUM_SAMPLES) fail("%s: between 5 and %d seconds", arguments[4], MAXIMUM_SAMPLES);
    alarm((unsigned)run.seconds + 120);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    run.shared = mmap(NULL, sizeof *run.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (run.shared == MAP_FAILED) fail_system("no memory");

    gated = start_gated(arguments[1], arguments[2], arguments[3]);
    audience = start_audience(run.shared);
    await_audience(&run.shared->is_listening, 60);
    struct commander *commander = connect_commander(gated.socket);
    printf("%d watches over %d connections, %d durable commands a second, for %.0f s\n", WATCHES, CONNECTIONS,
        COMMANDS_PER_SECOND, run.seconds);
    run.before = ask_for_counts();
    double gated_before = processor_seconds(gated.process), own_before = processor_seconds(getpid());
    double machine_before = machine_seconds();
    command(commander, run.shared, run.seconds, &run.findings, each_second, &run.memory);
    run.gated_seconds = processor_seconds(gated.process) - gated_before;
    run.commander_seconds = processor_seconds(getpid()) - own_before;
    run.machine_seconds = machine_seconds() - machine_before;
    await_audience(NULL, 60);
    run.after = ask_for_counts();
    stop_gated(&gated);
    if (run.after.transitions - run.before.transitions <= run.findings.command_count) fail("a command has changed nothing");

    printf("\n");
    write_tables(stdout, &run);
    if (argument_count > 5) write_page(arguments[5], &run);
    bool is_flat = flatness_of(&run.memory).is_flat;
    printf("\nno call failed; every watch was told of every revision, in order; memory %s\n", is_flat ? "stayed flat" : "grew");
    return is_flat ? 0 : 1;
}
