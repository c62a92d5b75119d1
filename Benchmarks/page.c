// Writes the report as a page.
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "report.h"
#include "wire.h"

static void write_head(FILE *file) {
    char date[32], machine[MACHINE_BYTES];
    time_t seconds = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&seconds));
    struct utsname system;
    uname(&system);
    system.release[strcspn(system.release, "-")] = '\0';  // without the distribution's suffix
    fprintf(
        file,
        "# How fast\n\n<!-- Written by `Benchmarks/run --write`. Do not edit. -->\n\n"
        "For people who want to know what Gate costs beside plain C, D-Bus, polkit, Go and Redis.\n\n%s, on %s, %s %s.\n"
        "`gated` and `gatectl` as `make install` installs them, and their peers, measured in turns. A result is the median of\n"
        "its rounds; ± is half the distance between the quartiles. Absolute times belong to the machine, ratios less so.\n\n"
        "![each result beside its target](benchmarks.svg)\n\n",
        date, machine_text(machine), system.sysname, system.release);
}

static void write_lines(FILE *file, const struct report *report) {
    fputs("| what | Gate | the peer | result | ± | target |\n|---|---|---|---|---|---|\n", file);
    for (size_t i = 0; i < report->entry_count; i++) {
        const struct entry *entry = &report->entries[i];
        char gate[TEXT_BYTES], other[TEXT_BYTES], figure[TEXT_BYTES], target[TEXT_BYTES];
        fprintf(file, "| %s |", entry->line.what);
        // Without a peer the result says it all.
        if (entry->line.peer) {
            fprintf(
                file, " %s | %s (%s)", value_text(gate, entry->gate_median, entry->line.unit),
                value_text(other, entry->other_median, entry->line.unit), entry->line.peer);
        } else {
            fputs(" |", file);
        }
        fprintf(
            file, " | %s | %.0f %% | %s%s |\n", figure_text(figure, &entry->line, entry->figure), entry->noise * 100,
            target_text(target, &entry->line), entry->line.bound != NO_TARGET && !entry->is_met ? ", not met" : "");
    }
}

static void write_latencies(FILE *file, const struct report *report) {
    if (report->latency_count == 0) return;
    fputs("\n## How single calls are spread\n\n| what | p50 | p99 | p99.9 |\n|---|---|---|---|\n", file);
    for (size_t i = 0; i < report->latency_count; i++) {
        const struct latency *latency = &report->latencies[i];
        char texts[3][TEXT_BYTES];
        fprintf(
            file, "| %s | %s | %s | %s |\n", latency->what, value_text(texts[0], latency->p50 * 1e6, "µs"),
            value_text(texts[1], latency->p99 * 1e6, "µs"), value_text(texts[2], latency->p999 * 1e6, "µs"));
    }
}

static bool has_same_sizes(const struct growth *left, const struct growth *right) {
    if (strcmp(left->of, right->of) != 0 || left->count != right->count) return false;
    return memcmp(left->sizes, right->sizes, left->count * sizeof *left->sizes) == 0;
}

// Rows with the same sizes of the same thing share a table.
static void write_growths(FILE *file, const struct report *report) {
    if (report->growth_count == 0) return;
    fputs("\n## How it grows\n\n![what grows with what](growth.svg)\n", file);
    for (size_t i = 0; i < report->growth_count; i++) {
        const struct growth *growth = &report->growths[i];
        char text[TEXT_BYTES];
        if (i == 0 || !has_same_sizes(growth, &report->growths[i - 1])) {
            fprintf(file, "\n| %s |", growth->of);
            for (size_t j = 0; j < growth->count; j++) fprintf(file, " %s |", value_text(text, growth->sizes[j], ""));
            fputs("\n|---|", file);
            for (size_t j = 0; j < growth->count; j++) fputs("---|", file);
            fputs("\n", file);
        }
        fprintf(file, "| %s |", growth->what);
        for (size_t j = 0; j < growth->count; j++) {
            fprintf(file, " %s |", value_text(text, growth->values[j], growth->unit));
        }
        fputs("\n", file);
    }
}

static const char notes[] =
    "\n## How it is measured\n\n"
    "- **Unary calls**: one C client, with plain `read` and `write`, asks `gated` and an epoll echo in turns. The\n"
    "  echo reads and writes frames of the same sizes, and decodes only their headers.\n"
    "- **Watchers**: one process holds 1,000 connections, each with a `Watch/Watch` of the mode. An administrator's\n"
    "  `Override` or `Lock` changes the mode; the clock runs from sending it until the last watcher has its frame.\n"
    "  The plain side does what has to be done at least: one append of 100 bytes with `fdatasync`, then one `write`\n"
    "  of the same frame to each socket. The second line leaves the append out.\n"
    "- **Processors**: for calls and watchers, client and server have a processor each, since otherwise the\n"
    "  scheduler's choice decides. Waking the other processor is most of such a call, so calls are measured on one\n"
    "  processor, too, where only what the code costs is left. For durable commands `gated` may use all processors.\n"
    "- **Durable commands**: `Override` and `Lock` in turns, so that each is a revision on the disk before its\n"
    "  answer.\n"
    "- **Processor time**: of all threads of `gated`, with the client on the same processor.\n"
    "- **Peers** have a configuration, folders and sockets of their own. The client has one processor, the server\n"
    "  the other. A peer of two processes (`dbus-daemon` with a service or with `polkitd`) has both on the\n"
    "  server's, where it is quickest.\n"
    "- **D-Bus**: sd-bus on both sides; the reply has as many bytes as Gate's answer. `busctl` calls a method of\n"
    "  `dbus-daemon` itself.\n"
    "- **polkit**: the user `nobody` asks for itself, for an action that takes an administrator's password. Root\n"
    "  would be waved through without a look.\n"
    "- **Go**: the servers answer with bytes that were encoded beforehand. The client of ttrpc is the C client;\n"
    "  that of gRPC is Go's, so its rows compare the pairs.\n"
    "- **Redis** keeps nothing on a disk here; Gate's change is durable first.\n"
    "- **Growth**: a `gated` for each size, in turns. 10,000 watches are ten on each of 1,000 connections. Kept\n"
    "  grants and people are written into the store while `gated` is stopped.\n"
    "- **Start**: from `fork` until the answer to a first `Mode/GetMode`, with a store that exists, and as systemd\n"
    "  starts it: without arguments, on a socket that is listened on already.\n";

void write_page(const struct report *report, const char *path) {
    FILE *file = fopen(path, "we");
    if (!file) fail_system("can't write %s", path);
    write_head(file);
    write_lines(file, report);
    write_latencies(file, report);
    write_growths(file, report);
    fputs(notes, file);
    for (size_t i = 0; i < report->note_count; i++) fprintf(file, "- %s\n", report->notes[i]);
    if (fclose(file) != 0) fail_system("can't write %s", path);
}
