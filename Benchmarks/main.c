// Measures gated and gatectl against their peers, and prints the figures; see `run`.
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "report.h"
#include "wire.h"

static void raise_file_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 2500) fail("2,500 files are needed, %lu allowed: `ulimit -Hn`", (unsigned long)limit.rlim_cur);
}

struct arguments {
    struct scene scene;
    // NULL: not requested.
    const char *write_path, *check_path, *record_path;
    // The folder for the plots.
    const char *plots;
    // Only measures with this in their name.
    const char *only;
};

static struct arguments parse(int count, char **words) {
    struct arguments arguments = {0};
    struct {
        const char *name, **value;
    } options[] = {
        {"--gated", &arguments.scene.gated},
        {"--gatectl", &arguments.scene.gatectl},
        {"--sockets", &arguments.scene.directory},
        {"--state", &arguments.scene.state_directory},
        {"--peers", &arguments.scene.peers_directory},
        {"--write", &arguments.write_path},
        {"--plots", &arguments.plots},
        {"--check", &arguments.check_path},
        {"--record", &arguments.record_path},
        {"--only", &arguments.only},
    };
    enum { OPTIONS = sizeof options / sizeof *options, REQUIRED = 5 };
    for (int i = 1; i < count; i += 2) {
        bool is_known = false;
        for (int j = 0; j < OPTIONS && i + 1 < count; j++) {
            if (strcmp(words[i], options[j].name) != 0) continue;
            *options[j].value = words[i + 1];
            is_known = true;
        }
        if (!is_known) fail("%s: no option, or without its value", words[i]);
    }
    for (int j = 0; j < REQUIRED; j++) {
        if (!*options[j].value) fail("%s is missing", options[j].name);
    }
    return arguments;
}

// Whether this measure was requested. Prints its name if so.
static bool begins(const struct arguments *arguments, const char *name) {
    if (arguments->only && !strstr(name, arguments->only)) return false;
    printf("\n-- %s\n", name);
    return true;
}

// A processor each for client and server.
static void place_apart(const struct daemon *daemon) {
    place_process(0, CLIENT_PROCESSOR);
    place_process(daemon->process, SERVER_PROCESSOR);
}

// On one processor, since waking another one takes more than such a call, and varies.
static void place_together(const struct daemon *daemon) {
    place_process(0, SERVER_PROCESSOR);
    place_process(daemon->process, SERVER_PROCESSOR);
}

static void place_anywhere(const struct daemon *daemon) {
    place_process(0, ANY_PROCESSOR);
    place_process(daemon->process, ANY_PROCESSOR);
}

static void measure(struct report *report, const struct arguments *arguments) {
    const struct scene *scene = &arguments->scene;
    // The first start makes the store.
    struct daemon daemon = start_gated(scene->gated, scene->directory, scene->state_directory);
    stop_gated(&daemon);
    if (begins(arguments, "start")) measure_start(report, scene);
    daemon = start_gated(scene->gated, scene->directory, scene->state_directory);
    place_apart(&daemon);
    if (begins(arguments, "calls")) measure_calls(report, scene, &daemon);
    if (begins(arguments, "library")) measure_library(report, &daemon);
    if (begins(arguments, "bus")) measure_bus(report, scene, &daemon);
    if (begins(arguments, "polkit")) measure_polkit(report, scene, &daemon);
    if (begins(arguments, "go")) measure_go(report, scene, &daemon);
    if (begins(arguments, "watchers")) measure_watchers(report, scene, &daemon);
    if (begins(arguments, "redis")) measure_redis(report, scene, &daemon);
    if (begins(arguments, "pages")) {
        char page[256];
        snprintf(page, sizeof page, "%s/status", scene->directory);
        if (access(page, R_OK) == 0) measure_pages(report, scene, &daemon);
        else report_note(report, "Not measured: the status page, which this `gated` does not write.");
    }
    place_process(daemon.process, ANY_PROCESSOR);
    if (begins(arguments, "commands")) measure_commands(report, &daemon);
    place_together(&daemon);
    if (begins(arguments, "costs")) measure_costs(report, &daemon);
    place_anywhere(&daemon);
    if (begins(arguments, "tools")) measure_tools(report, scene, &daemon);
    if (begins(arguments, "sign-in")) measure_sign_in(report, &daemon);
    stop_gated(&daemon);
    if (begins(arguments, "growth")) measure_growth(report, scene);
}

int main(int count, char **words) {
    struct arguments arguments = parse(count, words);
    // If it hangs, it ends after ten minutes, and its children end with it.
    alarm(600);
    raise_file_limit();
    place_process(0, ANY_PROCESSOR);
    static struct report report;
    measure(&report, &arguments);
    if (arguments.write_path) write_page(&report, arguments.write_path);
    if (arguments.plots) {
        plot_figures(&report, arguments.plots);
        plot_growth(&report, arguments.plots);
    }
    if (arguments.record_path) record_thresholds(&report, arguments.record_path, arguments.only);
    return !arguments.check_path || check_thresholds(&report, arguments.check_path) ? 0 : 1;
}
