// Measures gated against plain C and prints the ratios; see `run`.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "measures.h"
#include "wire.h"

struct result *add_result(struct report *report, const char *what) {
    if (report->count == MAXIMUM_RESULTS) fail("no room in the report");
    struct result *result = &report->results[report->count++];
    result->what = what;
    result->target = "";
    return result;
}

static const char *verdict(const struct result *result) {
    return !result->has_target ? "" : result->is_met ? "met" : "not met";
}

static void print_report(const struct report *report) {
    for (size_t i = 0; i < report->count; i++) {
        const struct result *result = &report->results[i];
        const char *against = *result->baseline ? " against " : "";
        printf("%s\n    %s%s%s\n    %s", result->what, result->gate, against, result->baseline, result->figure);
        if (result->has_target) printf(", target %s: %s", result->target, verdict(result));
        printf("\n");
    }
}

// "Model of the processor, n cores, Linux x.y"
static void describe_machine(FILE *file) {
    char line[256], model[256] = "";
    FILE *processors = fopen("/proc/cpuinfo", "re");
    while (processors && fgets(line, sizeof line, processors)) {
        if (sscanf(line, "model name : %255[^\n]", model) == 1) break;
    }
    if (processors) fclose(processors);
    struct utsname system;
    uname(&system);
    system.release[strcspn(system.release, "-")] = '\0';  // without what a distribution calls its own
    fprintf(
        file, "%s%s%ld processors, %s %s", model, *model ? ", " : "", sysconf(_SC_NPROCESSORS_ONLN), system.sysname,
        system.release);
}

static void write_report(const struct report *report, const char *path) {
    FILE *file = fopen(path, "we");
    if (!file) fail_system("can't write %s", path);
    char date[32];
    time_t seconds = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&seconds));
    fprintf(file, "# How fast\n\n<!-- Written by `Benchmarks/run --write`. Do not edit. -->\n\n%s, on ", date);
    describe_machine(file);
    fprintf(
        file,
        ".\nA release build of `gated` and plain C, measured in one run, in turns; each figure is the median of its "
        "rounds.\nAbsolute times belong to the machine, ratios less so. The targets are those of the design, section "
        "19.\n\n| what | Gate | plain C | result | target | |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < report->count; i++) {
        const struct result *result = &report->results[i];
        fprintf(
            file, "| %s | %s | %s | %s | %s | %s |\n", result->what, result->gate,
            *result->baseline ? result->baseline : "—", result->figure, result->has_target ? result->target : "—",
            verdict(result));
    }
    fputs(
        "\n"
        "- **Unary calls**: one C client, with plain `read` and `write`, asks `gated` and an epoll echo in turns. The\n"
        "  echo reads and writes frames of the same sizes, and decodes only their headers.\n"
        "- **Watchers**: one process holds 1,000 connections, each with a `Watch/Watch` of the mode, and reads them with\n"
        "  epoll. An administrator's `Override` or `Lock` changes the mode; the clock runs from sending it until the\n"
        "  last watcher has its frame. In that time `gated` commits the change to SQLite, durably. The plain side does\n"
        "  what has to be done at least: one append of 100 bytes with `fdatasync`, then one `write` of the same frame\n"
        "  to each socket. The target is held against that. The second line leaves the append out, so it shows what\n"
        "  being durable costs, and has no target.\n"
        "- **Processors**: for calls and watchers, client and server have a processor each, the same for both sides;\n"
        "  otherwise the scheduler's choice decides, and not the code. The targets are held there. Waking the other\n"
        "  processor is most of such a call, so the calls are measured a second time on one processor, where only what\n"
        "  the code costs is left. For durable commands gated may use all processors.\n"
        "- **Durable commands**: `Override` and `Lock` in turns, so that each is a revision on the disk before its\n"
        "  answer. Here gated is compared with itself.\n"
        "- **Start**: from `fork` until the answer to a first `Mode/Get`, with a store that exists, looked for every\n"
        "  0.1 ms.\n"
        "\nNot measured here: the other peers of the design's table (D-Bus, Go, polkit, Redis), and what does not exist\n"
        "yet (the status page).\n",
        file);
    if (fclose(file) != 0) fail_system("can't write %s", path);
}

static void raise_file_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 2200) fail("2,200 files are needed, %lu allowed: `ulimit -Hn`", (unsigned long)limit.rlim_cur);
}

int main(int count, char **arguments) {
    const char *write_path = NULL;
    bool checks = false;
    struct scene scene = {0};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--check") == 0) checks = true;
        else if (strcmp(arguments[i], "--write") == 0 && i + 1 < count) write_path = arguments[++i];
        else if (!scene.program) scene.program = arguments[i];
        else if (!scene.directory) scene.directory = arguments[i];
        else if (!scene.state_directory) scene.state_directory = arguments[i];
    }
    if (!scene.state_directory) {
        fputs("usage: bench GATED SOCKET-DIRECTORY STATE-DIRECTORY [--check] [--write FILE]\n", stderr);
        return 64;
    }
    // However it hangs, it ends; its children end with it.
    alarm(90);
    raise_file_limit();
    place_process(0, ANY_PROCESSOR);

    static struct report report;
    // The first start makes the store.
    struct daemon daemon = start_gated(scene.program, scene.directory, scene.state_directory);
    stop_gated(&daemon);
    measure_start(&report, &scene);
    daemon = start_gated(scene.program, scene.directory, scene.state_directory);
    place_process(0, CLIENT_PROCESSOR);
    place_process(daemon.process, SERVER_PROCESSOR);
    measure_calls(&report, &scene, &daemon);
    measure_watchers(&report, &scene, &daemon);
    place_process(daemon.process, ANY_PROCESSOR);
    measure_commands(&report, &daemon);
    stop_gated(&daemon);

    print_report(&report);
    if (write_path) write_report(&report, write_path);
    for (size_t i = 0; checks && i < report.count; i++) {
        if (report.results[i].has_target && !report.results[i].is_met) return 1;
    }
    return 0;
}
