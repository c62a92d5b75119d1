// The results, for people: lines while it runs, and the table of docs/quality/neighbours.md.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

static const char *const call_names[CALLS] = {"`Mode/GetMode`", "durable call", "change"};

static double ratio(const struct result *result, enum call call) {
    double calm = quantile(&result->times[call][CALM], 0.99);
    return calm > 0 ? quantile(&result->times[call][UNDER_ATTACK], 0.99) / calm : 0;
}

void print_result(const struct result *result) {
    printf("%-14s", result->attack->id);
    for (enum call call = 0; call < CALLS; call++) {
        printf("  %s p99 %6.2f -> %7.2f ms (%4.1f)", call_names[call], quantile(&result->times[call][CALM], 0.99),
            quantile(&result->times[call][UNDER_ATTACK], 0.99), ratio(result, call));
    }
    printf("  %3.0f %% CPU, waited %2.0f %%  +%.1f MiB  %s\n", result->processor_part * 100, result->waited_part * 100,
        (double)(result->high_kib - result->base_kib) / 1024, result->found);
    fflush(stdout);
}

static void write_cell(FILE *file, const struct result *result, enum call call) {
    const struct spread *attacked = &result->times[call][UNDER_ATTACK];
    if (attacked->count == 0) {
        fputs(result->attack->disk_kib ? " fails |" : " waits |", file);
        return;
    }
    fprintf(file, " %.1f, %.1f × |", quantile(attacked, 0.99), ratio(result, call));
}

static void write_table(FILE *file, const struct result *results, int count, double attack_seconds) {
    char date[32];
    time_t time_ = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&time_));
    fprintf(
        file,
        "%s, a machine with %ld processors that it shares with others, %.0f s of each attack.\n\n"
        "| a user … | the daemon … | `Mode/GetMode` of others, p99 in ms, against calm | durable call of others | "
        "change, until heard | processor time of the daemon | more memory, MiB |\n"
        "|---|---|---|---|---|---:|---:|\n",
        date, sysconf(_SC_NPROCESSORS_ONLN), attack_seconds);
    for (int i = 0; i < count; i++) {
        const struct result *result = &results[i];
        fprintf(file, "| %s | %s |", result->attack->what, result->attack->answer);
        for (enum call call = 0; call < CALLS; call++) write_cell(file, result, call);
        fprintf(
            file, " %.0f %% | %.1f |\n", result->processor_part * 100, (double)(result->high_kib - result->base_kib) / 1024);
    }
}

// Replaces only what is between two marks, so that the rest of the page stays.
void write_results(const char *page, const struct result *results, int count, double attack_seconds) {
    static const char begin[] = "<!-- Written by `make hostile`: begin -->\n", end[] = "<!-- Written by `make hostile`: end -->\n";
    FILE *file = fopen(page, "re");
    if (!file) fail_system("can't read %s", page);
    static char text[1 << 20];
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    char *head = strstr(text, begin), *tail = strstr(text, end);
    if (!head || !tail || tail < head) fail("%s has no place for the table", page);
    head += strlen(begin);
    char *path;
    if (asprintf(&path, "%s.new", page) < 0) fail("no memory");
    file = fopen(path, "we");
    if (!file) fail_system("can't write %s", path);
    fwrite(text, 1, (size_t)(head - text), file);
    write_table(file, results, count, attack_seconds);
    fputs(tail, file);
    if (fclose(file) != 0 || rename(path, page) != 0) fail_system("can't write %s", page);
    free(path);
}
