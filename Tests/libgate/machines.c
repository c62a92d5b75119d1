// Compares libgate's state machines with the tables of Tests/ClientMachines.
// usage: machines TABLE KIND     (KIND: watching or reconnecting)
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reconnecting.h"
#include "watching.h"

enum { WORDS = 16, TOPICS = 7, KEPT = 16 };
static const char *const topics[TOPICS] = {"mode", "presentations", "sign-in", "entitlements", "forms", "asks", "schedules"};
static const unsigned bits[TOPICS] = {
    WATCH_MODE, WATCH_PRESENTATIONS, WATCH_SIGN_IN, WATCH_ENTITLEMENTS, WATCH_FORMS, WATCH_ASKS, WATCH_SCHEDULES};

struct subject {
    struct watching watching;
    struct reconnecting reconnecting;
    char known[TOPICS][64]; // the known state by topic, which a client keeps beside the machine
};
static struct subject now, kept[KEPT];
static char names[KEPT][64];
static int kept_count;
static char result[1024];

static void say(const char *format, const char *word) {
    size_t length = strlen(result);
    if (length) snprintf(result + length, sizeof result - length, " ");
    length = strlen(result);
    snprintf(result + length, sizeof result - length, format, word);
}

static int topic_of(const char *word, size_t length) {
    for (int i = 0; i < TOPICS; i++)
        if (strlen(topics[i]) == length && strncmp(topics[i], word, length) == 0) return i;
    return -1;
}

static const char *option(char **words, int count, const char *name) {
    for (int i = 1; i < count; i++)
        if (strncmp(words[i], name, strlen(name)) == 0 && words[i][strlen(name)] == '=') return words[i] + strlen(name) + 1;
    return NULL;
}

static void say_topics(char values[TOPICS][64]) {
    for (int i = 0; i < TOPICS; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s=%s", topics[i], values[i]);
        if (values[i][0]) say("%s", text);
    }
}

static void say_action(void) {
    char text[64];
    switch (watching_action(&now.watching)) {
    case WATCH_DO_OPEN:
        snprintf(text, sizeof text, "open after %" PRIu64 ".%" PRIu64, now.watching.epoch, now.watching.number);
        say("%s", now.watching.has_known ? text : "open");
        break;
    case WATCH_DO_RECEIVE: say("%s", "receive"); break;
    case WATCH_DO_WAIT:
        snprintf(text, sizeof text, "wait %" PRIu64, now.watching.wait_usec / 1000);
        say("%s", text);
        break;
    case WATCH_DO_END: say("%s", "end"); break;
    }
}

static void take_outcome(struct watch_outcome outcome, const char *revision, char told[TOPICS][64]) {
    if (outcome.content == WATCH_REPLACES) memcpy(now.known, told, sizeof now.known);
    if (outcome.content == WATCH_FORGETS) memset(now.known, 0, sizeof now.known);
    for (int i = 0; outcome.content == WATCH_MERGES && i < TOPICS; i++)
        if (told[i][0]) strcpy(now.known[i], told[i]);
    switch (outcome.event) {
    case WATCH_SAYS_NOTHING: return;
    case WATCH_SAYS_LOST: say("%s", "told lost"); return;
    case WATCH_SAYS_SNAPSHOT: say("told snapshot %s", revision); break;
    case WATCH_SAYS_CHANGE: say("told change %s", revision); break;
    case WATCH_SAYS_RESUMED: say("told resumed %s", revision); break;
    }
    say_topics(outcome.event == WATCH_SAYS_CHANGE ? told : now.known);
}

static void receive(char **words, int count) {
    struct watch_message message = {
        .is_snapshot = strcmp(words[0], "snapshot") == 0, .deadlines = {WATCH_NEVER, WATCH_NEVER, WATCH_NEVER, WATCH_NEVER}};
    char told[TOPICS][64] = {{0}};
    char *rest;
    message.epoch = strtoull(words[1], &rest, 10);
    message.number = strtoull(rest + 1, NULL, 10);
    for (int i = 2; i < count; i++) {
        const char *equals = strchr(words[i], '=');
        int topic = equals ? topic_of(words[i], (size_t)(equals - words[i])) : -1;
        if (topic < 0) continue;
        snprintf(told[topic], sizeof told[0], "%s", equals + 1);
        message.topics |= bits[topic];
        const char *at = strchr(equals, '@');
        int64_t deadline = at ? strtoll(at + 1, NULL, 10) : WATCH_NEVER;
        if (bits[topic] == WATCH_MODE) message.deadlines.mode = deadline;
        if (bits[topic] == WATCH_SIGN_IN) message.deadlines.session = deadline;
        if (bits[topic] == WATCH_ENTITLEMENTS) message.deadlines.paid = deadline;
        // When a closed schedule opens is no deadline.
        if (bits[topic] == WATCH_SCHEDULES) message.deadlines.hours = strncmp(equals, "=open", 5) == 0 ? deadline : WATCH_NEVER;
    }
    const char *at = option(words, count, "at");
    int64_t time = at ? strtoll(at, NULL, 10) : 0;
    take_outcome(watching_received(&now.watching, &message, (struct watch_clock){time, time}, 1), words[1], told);
    say_action();
}

static bool watch_event(char **words, int count) {
    char nothing[TOPICS][64] = {{0}}, text[64];
    if (strcmp(words[0], "watches") == 0) {
        unsigned wanted = 0;
        for (int i = 1; i < count; i++) wanted |= bits[topic_of(words[i], strlen(words[i]))];
        now.watching = watching_new(wanted);
    } else if (strcmp(words[0], "snapshot") == 0 || strcmp(words[0], "change") == 0) {
        receive(words, count);
        return true;
    } else if (strcmp(words[0], "left") == 0) {
        const char *at = option(words, count, "at");
        int64_t time = at ? strtoll(at, NULL, 10) : 0, left;
        bool has_end = watching_time_left(&now.watching, (struct watch_clock){time, time}, &left);
        snprintf(text, sizeof text, "%" PRId64, left);
        say("%s", has_end ? text : "none");
        return true;
    } else if (strcmp(words[0], "opened") == 0) watching_opened(&now.watching);
    else if (strcmp(words[0], "failed") == 0) take_outcome(watching_failed(&now.watching, 1), "", nothing);
    else if (strcmp(words[0], "waited") == 0) watching_waited(&now.watching);
    else if (strcmp(words[0], "stopped") == 0) watching_stopped(&now.watching);
    else return false;
    say_action();
    return true;
}

static bool reconnect_event(char **words, int count) {
    char text[64] = "none";
    uint64_t wait;
    if (strcmp(words[0], "waited") == 0) reconnecting_waited(&now.reconnecting);
    else if (strcmp(words[0], "caught-up") == 0) reconnecting_caught_up(&now.reconnecting);
    else if (strcmp(words[0], "failed") == 0) {
        const char *chance = option(words, count, "chance"), *times = option(words, count, "times");
        for (int left = times ? atoi(times) : 1; left > 0; left--) {
            if (reconnecting_failed(&now.reconnecting, strtod(chance, NULL), &wait)) snprintf(text, sizeof text, "wait %" PRIu64, wait);
            if (times) reconnecting_waited(&now.reconnecting);
        }
    } else return false;
    say("%s", text);
    return true;
}

int main(int count, char **arguments) {
    FILE *file = count == 3 ? fopen(arguments[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: machines TABLE watching|reconnecting\n");
        return 64;
    }
    bool is_watching = strcmp(arguments[2], "watching") == 0;
    char line[1024], test[1024] = "";
    int failures = 0, tests = 0, number = 0;
    while (fgets(line, sizeof line, file)) {
        number++;
        line[strcspn(line, "\n")] = 0;
        if (!line[0] || line[0] == '#') continue;
        if (strncmp(line, "test ", 5) == 0) {
            memset(&now, 0, sizeof now);
            strcpy(test, line + 5);
            tests++;
            continue;
        }
        char *arrow = strstr(line, " =>"), *words[WORDS], *rest;
        const char *expected = arrow ? arrow + 3 + (arrow[3] == ' ') : "";
        if (arrow) *arrow = 0;
        int word_count = 0;
        for (char *word = strtok_r(line, " ", &rest); word && word_count < WORDS; word = strtok_r(NULL, " ", &rest)) words[word_count++] = word;
        result[0] = 0;
        if (strcmp(words[0], "copies") == 0 && kept_count < KEPT) {
            snprintf(names[kept_count], sizeof names[0], "%s", words[1]);
            kept[kept_count++] = now;
        } else if (strcmp(words[0], "from") == 0) {
            int i = 0;
            while (i < kept_count && strcmp(names[i], words[1]) != 0) i++;
            if (i == kept_count) return fprintf(stderr, "%s:%d: nothing is called %s\n", arguments[1], number, words[1]), 1;
            now = kept[i];
        } else if (!(is_watching ? watch_event : reconnect_event)(words, word_count)) {
            return fprintf(stderr, "%s:%d: there is no event %s\n", arguments[1], number, words[0]), 1;
        }
        if (strcmp(result, expected) == 0) continue;
        fprintf(stderr, "%s:%d: %s: '%s', not '%s'\n", arguments[1], number, test, result, expected);
        failures++;
    }
    fclose(file);
    if (failures == 0) printf("ok: %d tests of %s\n", tests, arguments[1]);
    return failures > 0 || tests == 0;
}
