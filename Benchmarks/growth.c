// How costs grow: pushes with the number of watches, and everything with the state that gated stores. Only Gate has
// these functions, so there is no peer and no target, but unnecessary growth becomes visible.
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "costs.h"
#include "watchers.h"

enum { SIZES = 4, CONNECTIONS = 1000, CHANGES = 21, STARTS = 7, ROUNDS = 7 };
static const double sizes[SIZES] = {10, 100, 1000, 10000};

// A daemon with folders of its own. There is one for each size, so that their rounds take turns.
struct home {
    char directory[108], state_directory[512];
    struct daemon daemon;
};

static void make_home(struct home *home, const struct scene *scene, const char *what, double size) {
    snprintf(home->directory, sizeof home->directory, "%s/%s-%.0f", scene->directory, what, size);
    snprintf(home->state_directory, sizeof home->state_directory, "%s/%s-%.0f", scene->state_directory, what, size);
    if (mkdir(home->directory, 0700) != 0) fail_system("can't make %s", home->directory);
    if (mkdir(home->state_directory, 0700) != 0) fail_system("can't make %s", home->state_directory);
}

static void start_home(struct home *home, const struct scene *scene) {
    home->daemon = start_gated(scene->gated, home->directory, home->state_directory);
}

// A row of the table: the medians of each size.
static void report_row(
    struct report *report, const char *of, const char *id, const char *what, const char *unit,
    const struct series values[SIZES]
) {
    struct growth growth = {.id = id, .what = what, .unit = unit, .of = of, .count = SIZES};
    memcpy(growth.sizes, sizes, sizeof sizes);
    for (int i = 0; i < SIZES; i++) growth.values[i] = median_of(&values[i]);
    report_growth(report, growth);
}

// MARK: watches

static void measure_watches(struct report *report, const struct scene *scene) {
    struct home homes[SIZES];
    struct audience *audiences[SIZES];
    struct series milliseconds[SIZES] = {0}, costs[SIZES] = {0}, kibibytes[SIZES] = {0};
    struct frame commands[] = {override_request(), lock_request()};
    place_process(0, CLIENT_PROCESSOR);
    for (int i = 0; i < SIZES; i++) {
        make_home(&homes[i], scene, "watches", sizes[i]);
        start_home(&homes[i], scene);
        struct daemon *daemon = &homes[i].daemon;
        place_process(daemon->process, SERVER_PROCESSOR);
        long before = anonymous_kib(daemon);
        size_t watches = (size_t)sizes[i];
        audiences[i] = gather(daemon->socket, watches < CONNECTIONS ? watches : CONNECTIONS);
        begin_watching(audiences[i], watches);
        add_value(&kibibytes[i], (double)(anonymous_kib(daemon) - before) / sizes[i]);
    }
    for (int round = -2; round < CHANGES; round++) {
        for (int i = 0; i < SIZES; i++) {
            pid_t process = homes[i].daemon.process;
            double start = processor_seconds(process);
            double seconds = change_once(audiences[i], commands[round & 1]);
            // What gated cleans up after the last watch was told belongs to this cost, and not to the next measurement.
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
            double taken = processor_seconds(process) - start;
            if (round < 0) continue;
            add_value(&milliseconds[i], seconds * 1e3);
            add_value(&costs[i], taken * 1e6 / sizes[i]);
        }
    }
    for (int i = 0; i < SIZES; i++) {
        dismiss(audiences[i]);
        stop_gated(&homes[i].daemon);
    }
    place_process(0, ANY_PROCESSOR);
    const char *of = "watches";
    report_row(report, of, "watches-time", "a durable change, until all have it", "ms", milliseconds);
    report_row(report, of, "watches-cost", "processor time of that for each watch", "µs", costs);
    report_row(report, of, "watches-memory", "memory of an idle watch, its connection included", "KiB", kibibytes);
}

// MARK: state

static void execute(const char *state_directory, const char *statement) {
    char path[600], *message = NULL;
    snprintf(path, sizeof path, "%s/gate.sqlite", state_directory);
    sqlite3 *database;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) fail("can't open %s", path);
    if (sqlite3_exec(database, statement, NULL, NULL, &message) != SQLITE_OK) fail("%s: %s", path, message);
    sqlite3_close(database);
}

// Writes this many rows directly into the database. Through gated, a single password would take a tenth of a second.
static void write_kept_grants(const char *state_directory, double count) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    char statement[512];
    snprintf(
        statement, sizeof statement,
        "INSERT INTO kept_grant WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter "
        "WHERE i < %.0f) SELECT 100000 + i, '" GATED_ACTION "', %lld + i FROM counter",
        count, ((long long)time.tv_sec + 20 * 60 * 60) * 1000000000);
    execute(state_directory, statement);
}

static void write_people(const char *state_directory, double count) {
    char statement[512];
    snprintf(
        statement, sizeof statement,
        "INSERT INTO person (name, kind, password_hash, is_confirmed) WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter "
        "WHERE i < %.0f) SELECT 'person-' || i, 'grown-up', '$y$j9T$' || hex(randomblob(32)), 1 FROM counter",
        count);
    execute(state_directory, statement);
}

struct state {
    // Used in the ids and the folders.
    const char *name;
    // What grows, in words.
    const char *of;
    void (*write)(const char *state_directory, double count);
};

static void measure_state(struct report *report, const struct scene *scene, struct state state) {
    struct {
        const char *id, *what, *unit;
        double (*cost)(const struct daemon *daemon);
        struct series values[SIZES];
    } rows[] = {
        {"start", "exec to the first answer", "ms", NULL, {{{0}, 0}}},
        {"memory", "memory when idle (RssAnon)", "MiB", NULL, {{{0}, 0}}},
        {"get", "processor time of a `Mode/GetMode`", "µs", cost_of_get, {{{0}, 0}}},
        {"check", "processor time of an `Authorization/Check`", "µs", cost_of_check, {{{0}, 0}}},
        {"command", "processor time of a durable command", "µs", cost_of_command, {{{0}, 0}}},
        {"commands", "processor time of one of 64 durable commands in flight", "µs", cost_of_commands, {{{0}, 0}}},
    };
    enum { START, MEMORY, ROWS = sizeof rows / sizeof *rows };
    struct home homes[SIZES];
    for (int i = 0; i < SIZES; i++) {
        make_home(&homes[i], scene, state.name, sizes[i]);
        // The first start makes the store.
        start_home(&homes[i], scene);
        stop_gated(&homes[i].daemon);
        state.write(homes[i].state_directory, sizes[i]);
    }
    for (int start = 0; start < STARTS; start++) {
        for (int i = 0; i < SIZES; i++) {
            start_home(&homes[i], scene);
            add_value(&rows[START].values[i], homes[i].daemon.start_seconds * 1e3);
            add_value(&rows[MEMORY].values[i], (double)anonymous_kib(&homes[i].daemon) / 1024);
            if (start + 1 < STARTS) stop_gated(&homes[i].daemon);
        }
    }
    // On one processor, since waking another one takes more than such a call, and varies.
    place_process(0, SERVER_PROCESSOR);
    for (int i = 0; i < SIZES; i++) place_process(homes[i].daemon.process, SERVER_PROCESSOR);
    for (int round = 0; round < ROUNDS; round++) {
        for (int row = 0; row < ROWS; row++) {
            for (int i = 0; i < SIZES && rows[row].cost; i++)
                add_value(&rows[row].values[i], rows[row].cost(&homes[i].daemon));
        }
    }
    place_process(0, ANY_PROCESSOR);
    for (int i = 0; i < SIZES; i++) stop_gated(&homes[i].daemon);
    for (int row = 0; row < ROWS; row++) {
        char id[64];
        snprintf(id, sizeof id, "%s-%s", state.name, rows[row].id);
        report_row(report, state.of, id, rows[row].what, rows[row].unit, rows[row].values);
    }
}

void measure_growth(struct report *report, const struct scene *scene) {
    measure_watches(report, scene);
    measure_state(report, scene, (struct state){"grants", "kept grants", write_kept_grants});
    measure_state(report, scene, (struct state){"people", "people with passwords", write_people});
}
