// A program on libgate that carries out the lines that it reads, and prints what it receives. Tests use it.
// usage: talk [SERVER-UID]
#define _GNU_SOURCE
#include <errno.h>
#include <gate.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "talk.h"

static gate *handle;

void print_error(const char *what, const gate_error *error) {
    printf("%s refused code=%d reason=%d retry=%lld \"%s\"", what, error->code, error->reason, (long long)error->retry_after_ms,
        error->message);
    for (size_t i = 0; error->parameters[i]; i++) printf(" %s=%s", error->parameters[i]->name, error->parameters[i]->value);
    puts("");
}

static void print_state(void) {
    static const char *const modes[] = {"child", "verifying", "parent"};
    const gate_session *session = gate_get_session(handle);
    printf("state %s mode=%s deadline=%s session=%s paid=%d", gate_is_current(handle) ? "current" : "away", modes[gate_get_mode(handle)],
        gate_get_mode_deadline(handle) ? "yes" : "no", session ? session->name : "-", gate_is_subscription_active(handle));
    for (const gate_entitlement *const *one = gate_get_entitlements(handle); *one; one++)
        printf(" %s=%d", (*one)->name, gate_is_entitled(handle, (*one)->name));
    for (const gate_summary *const *one = gate_get_presentations(handle); *one; one++)
        printf(" open=%llu/%d", (unsigned long long)(*one)->id, (*one)->stage);
    for (const gate_draft *const *one = gate_get_drafts(handle); *one; one++) printf(" draft=%s/%llu", (*one)->name, (unsigned long long)(*one)->draft_id);
    print_asks_and_schedules(handle);
    puts("");
}

static void changed(gate *gate, const gate_update *update, void *userdata) {
    static const char *const events[] = {"", "snapshot", "change", "resumed", "lost"};
    (void)gate, (void)userdata;
    printf("watch %s changed=%u revision=%llu.%llu ", events[update->event], update->changed, (unsigned long long)update->epoch,
        (unsigned long long)update->number);
    print_state();
    if (update->error) print_error("watch", update->error);
}

static void done(gate *gate, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s done\n", (const char *)what);
}

static void moded(gate *gate, int mode, int64_t deadline, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s mode=%d deadline=%s\n", (const char *)what, mode, deadline ? "yes" : "no");
}

static void outlooked(gate *gate, const gate_outlook *outlook, const gate_error *error, void *what) {
    (void)gate;
    if (error) {
        print_error(what, error);
        return;
    }
    printf("%s outcome=%d need=%d challenge=%d name=%s \"%s\"\n", (const char *)what, outlook->outcome, outlook->need, outlook->challenge,
        outlook->name, outlook->explanation);
    if (outlook->refusal) print_error("outlook", outlook->refusal);
}

static void granted(gate *gate, const gate_grant *grant, const gate_error *error, void *what) {
    (void)gate;
    if (error) {
        print_error(what, error);
        return;
    }
    printf("%s proof=", (const char *)what);
    for (size_t i = 0; i < grant->proof_size; i++) printf("%02x", ((const unsigned char *)grant->proof)[i]);
    puts("");
}

static void redeemed(gate *gate, uid_t uid, pid_t pid, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s uid=%u pid=%d\n", (const char *)what, (unsigned)uid, (int)pid);
}

static void signed_in(gate *gate, const gate_session *session, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s name=%s child=%d\n", (const char *)what, session->name, session->is_child);
}

static void heard(gate *gate, const void *bytes, size_t size, const gate_error *error, void *what) {
    (void)gate, (void)bytes;
    if (error) print_error(what, error);
    else printf("%s bytes=%zu\n", (const char *)what, size);
}

static void show(gate *gate, const gate_presentation *shown, const gate_error *refusal, void *userdata) {
    (void)gate, (void)userdata;
    printf("show %llu kind=%d purpose=%d program=%s action=%s details=%s sum=%u.%d.%u choices=", (unsigned long long)shown->id, shown->kind,
        shown->purpose, shown->program, shown->gated_action, shown->details, shown->left, shown->operation, shown->right);
    for (size_t i = 0; i < shown->choice_count; i++) printf("%s%u", i ? "," : "", shown->choices[i]);
    if (shown->name[0]) printf(" name=%s title=%s own=%d", shown->name, shown->title, shown->is_apps_own);
    puts("");
    if (refusal) print_error("show", refusal);
}

static void closed(gate *gate, uint64_t id, void *userdata) {
    (void)gate, (void)userdata;
    printf("close %llu\n", (unsigned long long)id);
}

static size_t from_hex(char *text, unsigned char *bytes, size_t room) {
    size_t count = 0;
    for (; count < room && text && text[0] != '-' && text[2 * count]; count++) {
        char two[3] = {text[2 * count], text[2 * count + 1], 0};
        bytes[count] = (unsigned char)strtoul(two, NULL, 16);
    }
    return count;
}

uint64_t number_of(const char *word) {
    return word ? strtoull(word, NULL, 10) : 0;
}

// A copy of the word that lives as long as the program.
static char *name_of(const char *word) {
    static char names[96][24];
    unsigned i = 0;
    while (i < 95 && names[i][0] && strcmp(names[i], word) != 0) i++;
    snprintf(names[i], sizeof names[0], "%s", word);
    return names[i];
}

// Carries out one line. Returns libgate's result, or 1 if it was no command.
static int act(char **word) {
    static unsigned char bytes[1 << 16];
    char *what = name_of(word[0]);
    uint64_t id = number_of(word[1]), number = 0;
    int result = 1, outcome;
    const void *answer;
    size_t size;
#define IS(name) (strcmp(word[0], name) == 0)
    if (IS("watch")) result = gate_watch(handle, (unsigned)id, changed, NULL);
    else if (IS("state")) print_state(), result = 0;
    else if (IS("screen")) result = gate_set_screen(handle, show, closed, NULL);
    else if (IS("present")) result = gate_start_presenting(handle, (unsigned)id, 1u << GATE_STYLE_SHEET | 1u << GATE_STYLE_COVER, false, done, what);
    else if (IS("unpresent")) result = gate_stop_presenting(handle);
    else if (IS("mode")) result = gate_query_mode(handle, moded, what, &number);
    else if (IS("toggle")) result = gate_toggle(handle, (unsigned)id, moded, what, &number);
    else if (IS("extend")) result = gate_extend(handle, (int64_t)id, (unsigned)number_of(word[2]), moded, what, &number);
    else if (IS("lock")) result = gate_lock(handle, moded, what, &number);
    else if (IS("unverify")) result = gate_cancel_verifying(handle, moded, what, &number);
    else if (IS("override")) result = gate_override_mode(handle, (int)id, (int64_t)number_of(word[2]), "a test", moded, what, &number);
    else if (IS("check")) result = gate_check(handle, word[1], outlooked, what, &number);
    else if (IS("authorize")) result = gate_authorize(handle, word[1], word[2], (unsigned)number_of(word[3]), done, what, &number);
    else if (IS("grant")) result = gate_request_grant(handle, word[1], word[2], (uid_t)number_of(word[3]), (unsigned)number_of(word[4]), granted, what, &number);
    else if (IS("redeem")) result = gate_redeem(handle, bytes, from_hex(word[1], bytes, sizeof bytes), word[2], word[3], redeemed, what, &number);
    else if (IS("login")) result = gate_log_in(handle, word[1], word[2], strlen(word[2]), signed_in, what, &number);
    else if (IS("logout")) result = gate_log_out(handle, done, what, &number);
    else if (IS("premium")) result = gate_require_premium(handle, word[2], (unsigned)id, done, what, &number);
    else if (IS("answer")) result = gate_answer_text(handle, id, word[2]);
    else if (IS("secret")) result = gate_answer_secret(handle, id, word[2], strlen(word[2]));
    else if (IS("release")) result = gate_answer_released(handle, id);
    else if (IS("swipe")) result = gate_answer_swipe(handle, id, (int)number_of(word[2]), (uint32_t)number_of(word[3]));
    else if (IS("acknowledge")) result = gate_answer_acknowledged(handle, id, number_of(word[2]) != 0);
    else if (IS("dismiss")) result = gate_dismiss(handle, id);
    else if (IS("report")) result = gate_report(handle, id, (int)number_of(word[2]), done, what);
    else if (IS("call")) result = gate_call(handle, word[1], word[2], bytes, from_hex(word[3], bytes, sizeof bytes), 0, heard, what, &number);
    else if (IS("stream")) result = gate_stream(handle, word[1], word[2], bytes, from_hex(word[3], bytes, sizeof bytes), heard, what, &number);
    else if (IS("cancel")) result = gate_cancel(handle, id);
    else if (IS("check-sync")) {
        result = gate_check_sync(handle, word[1], &outcome);
        printf("check-sync %d outcome=%d\n", result, outcome);
        if (result > 0) print_error("check-sync", gate_get_error(handle));
    } else if (IS("authorize-sync")) {
        result = gate_authorize_sync(handle, word[1], word[2]);
        printf("authorize-sync %d\n", result);
        if (result > 0) print_error("authorize-sync", gate_get_error(handle));
    } else if (IS("call-sync")) {
        result = gate_call_sync(handle, word[1], word[2], bytes, from_hex(word[3], bytes, sizeof bytes), number_of(word[4]), &answer, &size);
        printf("call-sync %d bytes=%zu\n", result, size);
    } else {
        result = act_on_forms(handle, word, what, &number);
        if (result == 1) result = act_on_people(handle, word, what, &number);
        if (result == 1) result = act_on_asks(handle, word, what, &number);
    }
    if (number) printf("number %llu\n", (unsigned long long)number);
    return result;
}

static int milliseconds_left(void) {
    uint64_t until;
    struct timespec now;
    if (gate_get_timeout(handle, &until) < 0 || until == UINT64_MAX) return -1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t passed = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    return until <= passed ? 0 : (int)((until - passed) / 1000) + 1;
}

// Reads the lines that are there. Returns false at the end of the input.
static bool take_lines(void) {
    static char buffer[1 << 18];
    static size_t filled;
    ssize_t count = read(STDIN_FILENO, buffer + filled, sizeof buffer - filled - 1);
    if (count <= 0) return false;
    filled += (size_t)count;
    buffer[filled] = 0;
    char *line = buffer, *end;
    for (; (end = strchr(line, '\n')); line = end + 1) {
        char *words[8] = {0}, *rest = NULL;
        *end = 0;
        for (int i = 0; i < 7 && (words[i] = strtok_r(i ? NULL : line, "\t", &rest)); i++) continue;
        if (!words[0]) continue;
        if (strcmp(words[0], "quit") == 0) return false;
        int result = act(words);
        if (result < 0) printf("%s %s\n", words[0], strerrorname_np(-result));
        if (result == 1) printf("%s ?\n", words[0]);
    }
    filled = (size_t)(buffer + filled - line);
    memmove(buffer, line, filled);
    return true;
}

int main(int count, char **words) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (gate_new(&handle) < 0) return 1;
    gate_set_program(handle, "talk");
    if (count > 1) gate_set_server_uid(handle, (uid_t)atoi(words[1]));
    for (bool goes_on = true; goes_on;) {
        int result;
        while ((result = gate_process(handle)) > 0) continue;
        if (result < 0) return 1;
        struct pollfd polled[] = {{.fd = gate_get_fd(handle), .events = (short)gate_get_events(handle)}, {.fd = STDIN_FILENO, .events = POLLIN}};
        if (poll(polled, 2, milliseconds_left()) > 0 && polled[1].revents) goes_on = take_lines();
    }
    gate_free(handle);
    return 0;
}
