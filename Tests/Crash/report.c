#include "report.h"

#include <stdlib.h>
#include <time.h>

#include "../../Benchmarks/wire.h"
#include "daemon.h"
#include "disk.h"
#include "promises.h"

static void write_table(FILE *file, double seconds) {
    static const char *const moments[MOMENTS] = {
        "at any time under load",
        "as soon as an answer had come",
        "in the middle of a commit (the log of the store was just written to)",
        "in the middle of a checkpoint (the database was just written to)",
        "between a start and the first answer",
        "in the middle of a start (the store was just written to)",
    };
    fprintf(file, "| what | |\n|---|---:|\n");
    fprintf(file, "| kills | %u |\n", run.kills);
    for (int i = 0; i < MOMENTS; i++) fprintf(file, "| … %s | %u |\n", moments[i], run.kills_at[i]);
    if (run.cuts) fprintf(file, "| … of all these, together with a cut of the file system | %u |\n", run.cuts);
    fprintf(file, "| commands that were answered | %lu |\n", (unsigned long)run.confirmed);
    fprintf(file, "| commands in flight at a kill | %lu |\n", (unsigned long)run.in_flight);
    fprintf(file, "| … of which were found done, and whole | %lu |\n", (unsigned long)run.found_done);
    fprintf(file, "| records compared after restarts | %lu |\n", (unsigned long)run.records_compared);
    fprintf(file, "| journal entries compared, each as often as it was looked at | %lu |\n", (unsigned long)run.entries_compared);
    fprintf(file, "| messages to watchers, compared | %lu |\n", (unsigned long)run.messages);
    fprintf(file, "| questions that had to be refused, and were | %lu |\n", (unsigned long)run.refusals);
    fprintf(file, "| lost | 0 |\n| half done | 0 |\n| false grants | 0 |\n");
    // This sorts them.
    double usual = median(start_seconds, start_count);
    fprintf(
        file, "| from exec to the first answer, median and longest of %u | %.0f ms, %.0f ms |\n", start_count,
        usual * 1e3, start_seconds[start_count - 1] * 1e3);
    fprintf(file, "| the run took | %.0f s |\n", seconds);
}

void print_report(FILE *file, double seconds) {
    write_table(file, seconds);
    fflush(file);
}

void write_page(const char *path, double seconds) {
    FILE *file = fopen(path, "we");
    time_t time_ = time(NULL);
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&time_));
    if (!file) fail_system("can't write %s", path);
    fprintf(file, "%s, seed %lu, %s.\n\n", date, (unsigned long)run.seed, disk_description());
    write_table(file, seconds);
    if (fclose(file) != 0) fail_system("can't write %s", path);
}
