// What a hostile daemon may send, for libFuzzer. The input is frames, divided as its bytes say, with some help to get
// past the headers. The program asks, presents and answers in every way that libgate has, and reads all that it gets.
// Without libFuzzer (-DALONE) it makes its inputs itself, from the seeds in this file: fuzz [SECONDS [SEED]].
#define _GNU_SOURCE
#include <errno.h>
#include <gate.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static char path[100];
static int server = -1;
static volatile size_t looked; // so that everything is read, and the compiler leaves nothing out
static bool is_correct;        // whether the daemon sends what it should, so that no error may blame it for another message

static void look(const char *text) {
    looked += strlen(text);
}

static void look_at_error(const gate_error *error) {
    if (!error) return;
    look(error->message);
    if (is_correct && (strstr(error->message, "another presentation") || strstr(error->message, "sent no question"))) abort();
    for (size_t i = 0; error->parameters[i]; i++) look(error->parameters[i]->name), look(error->parameters[i]->value);
    for (size_t i = 0; error->issues[i]; i++) look(error->issues[i]->place), look(error->issues[i]->message);
}

static void look_at_texts(const gate_text *const *texts) {
    for (; *texts; texts++) look((*texts)->language), look((*texts)->text);
}

static void look_at_asks(const gate_ask *const *asks) {
    for (; asks && *asks; asks++) {
        look((*asks)->person), look((*asks)->gated_action), look((*asks)->details), look((*asks)->device), look_at_texts((*asks)->titles);
        for (const char *const *choice = (*asks)->choices; *choice; choice++) look(*choice);
        look((*asks)->choice), look((*asks)->refusal);
        looked += (*asks)->is_more_time + (*asks)->is_until_tomorrow;
    }
}
static void changed(gate *gate, const gate_update *update, void *userdata) {
    (void)userdata;
    look_at_error(update->error);
    const gate_session *session = gate_get_session(gate);
    if (session) look(session->name);
    looked += (size_t)gate_get_mode(gate) + (size_t)gate_get_mode_deadline(gate) + gate_needs_sign_in(gate);
    for (const gate_entitlement *const *one = gate_get_entitlements(gate); *one; one++) look((*one)->name), look_at_texts((*one)->titles);
    for (const gate_summary *const *one = gate_get_presentations(gate); *one; one++) looked += (size_t)(*one)->id;
    for (const gate_draft *const *one = gate_get_drafts(gate); *one; one++) look((*one)->label);
    look_at_asks(gate_get_asks(gate));
    for (const gate_schedule *const *one = gate_get_schedules(gate); *one; one++) looked += gate_is_schedule_open(gate, (*one)->name);
    if (update->event == GATE_EVENT_LOST && gate_get_mode(gate) != GATE_MODE_CHILD) abort();
}

static void done(gate *gate, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
}
static void moded(gate *gate, int mode, int64_t deadline, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    looked += (size_t)mode + (size_t)deadline;
}
static void outlooked(gate *gate, const gate_outlook *outlook, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    if (outlook) look(outlook->explanation), look(outlook->name), look(outlook->title), look_at_error(outlook->refusal);
}
static void granted(gate *gate, const gate_grant *grant, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    for (size_t i = 0; grant && i < grant->proof_size; i++) looked += ((const unsigned char *)grant->proof)[i];
}
static void signed_in(gate *gate, const gate_session *session, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    if (session) look(session->name);
}
static void heard(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    for (size_t i = 0; bytes && i < size; i++) looked += ((const unsigned char *)bytes)[i];
}

static void kept(gate *gate, uint64_t response_id, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    looked += response_id;
}
static void judged(gate *gate, bool is_valid, const char *outcome, size_t size, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata, (void)is_valid;
    look_at_error(error);
    if (!error && strlen(outcome) != size) abort();
}
static void read_json(gate *gate, const char *json, size_t size, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    if (!error && strlen(json) != size) abort();
}
static void listed(gate *gate, const gate_listed_form *const *forms, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    for (; forms && *forms; forms++) look((*forms)->name), look((*forms)->title), look((*forms)->url), look_at_texts((*forms)->titles);
}
static void drafted(gate *gate, const gate_draft *const *drafts, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    for (; drafts && *drafts; drafts++) look((*drafts)->name), look((*drafts)->label), look((*drafts)->account);
}
static void responded(gate *gate, const gate_response *const *responses, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    for (; responses && *responses; responses++) look((*responses)->name), look((*responses)->version), look((*responses)->account);
}
static void told(gate *gate, int outcome, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    if (!error && (outcome < GATE_NEWS_NOTHING_NEW || outcome > GATE_NEWS_SECONDARY_CHOSEN)) abort();
}
static void people(gate *gate, const gate_person *const *list, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    for (; list && *list; list++) look((*list)->name), look((*list)->born), look((*list)->user);
}
static void aged(gate *gate, const gate_age_range *range, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    if (!error) looked += range->is_told + range->low + range->high + (size_t)range->source;
}
static void asks(gate *gate, const gate_ask *const *list, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    look_at_asks(list);
}
static void used(gate *gate, const gate_use *use, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    if (error ? use != NULL : use->is_limited == false && use->left_ms != 0) abort();
}
static void look_at_rule(const gate_rule *rule) {
    if (rule) look(rule->gated_action), look(rule->title), look(rule->requirement), look(rule->origin), look_at_texts(rule->titles);
}
static void ruled(gate *gate, const gate_rule *before, const gate_rule *after, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    look_at_rule(before), look_at_rule(after);
}
static void gates(gate *gate, const gate_rule *const *rules, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    look_at_error(error);
    for (; rules && *rules; rules++) look_at_rule(*rules);
}
// Continues with the form in a way that the daemon chooses by its revision.
static void formed(gate *gate, const gate_form *form, const gate_error *error, void *userdata) {
    look_at_error(error);
    if (error) return;
    look(form->name), look(form->label);
    if (strlen(form->response) != form->response_size) abort();
    for (size_t i = 0; form->pending[i]; i++) look(form->pending[i]->path), look(form->pending[i]->answers);
    for (size_t i = 0; form->cleared[i]; i++) look(form->cleared[i]);
    switch (form->revision % 8) {
    case 0: gate_close_form(gate, form->form); break;
    case 1: gate_complete_form(gate, form->form, kept, NULL, NULL); break;
    case 2: gate_validate_form(gate, form->form, judged, NULL, NULL); break;
    case 3: gate_discard_form(gate, form->form, done, NULL, NULL); break;
    case 4: gate_label_draft(gate, form->form, "label", formed, userdata, NULL); break;
    case 5: gate_set_answers(gate, form->form, "path", NULL, formed, userdata, NULL); break;
    case 6: gate_read_form(gate, form->form, formed, userdata, NULL); break;
    default: break;
    }
}

static void show(gate *gate, const gate_presentation *shown, const gate_error *refusal, void *userdata) {
    (void)userdata;
    look_at_error(refusal);
    look(shown->program), look(shown->gated_action), look(shown->action_title), look(shown->details), look(shown->name), look(shown->title);
    look(shown->version), look(shown->primary), look(shown->secondary), look(shown->secondary_url);
    look_at_texts(shown->titles), look_at_texts(shown->action_titles), look_at_texts(shown->details_in_languages);
    for (size_t i = 0; i < shown->choice_count; i++) looked += shown->choices[i];
    for (size_t i = 0; shown->left_shapes[i]; i++) looked += (size_t)shown->left_shapes[i]->form;
    for (size_t i = 0; shown->right_shapes[i]; i++) looked += (size_t)shown->right_shapes[i]->colour;
    for (size_t i = 0; shown->quiz[i]; i++) {
        look(shown->quiz[i]->question);
        for (size_t j = 0; shown->quiz[i]->choices[j]; j++) look(shown->quiz[i]->choices[j]);
    }
    for (size_t i = 0; shown->offers[i]; i++) look(shown->offers[i]->product), look(shown->offers[i]->price), look_at_texts(shown->offers[i]->titles);
    for (size_t i = 0; shown->features[i]; i++) look(shown->features[i]->title), look_at_texts(shown->features[i]->subtitles);
    switch (shown->id % 4) {
    case 0: gate_answer_text(gate, shown->id, "24"); break;
    case 1: gate_dismiss(gate, shown->id); break;
    case 2: gate_report(gate, shown->id, GATE_INPUT_SHOWN, done, NULL); break;
    case 3: gate_open_shown_form(gate, shown->id, 0, formed, NULL, NULL); break;
    default: break;
    }
}
static void closed(gate *gate, uint64_t id, void *userdata) {
    (void)userdata;
    if (gate_dismiss(gate, id) == 0 && id % 4 != 1) looked++;
}

static void listen_at_path(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(path, sizeof path, "/tmp/libgate.fuzz.%d", (int)getpid());
    memcpy(address.sun_path, path, strlen(path) + 1);
    server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&address, sizeof address) != 0 || listen(server, 8) != 0) abort();
}

static void remove_path(void) {
    unlink(path);
}

static void run_all(gate *gate) {
    for (int i = 0; i < 50 && gate_process(gate) > 0; i++) continue;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gate *gate;
    if (server < 0) {
        listen_at_path();
        atexit(remove_path);
    }
    if (gate_new(&gate) < 0) abort();
    gate_set_socket(gate, path);
    gate_set_server_uid(gate, getuid());
    gate_set_screen(gate, show, closed, NULL);
    gate_watch(gate, GATE_TOPIC_MODE | GATE_TOPIC_SIGN_IN | GATE_TOPIC_ENTITLEMENTS | GATE_TOPIC_PRESENTATIONS | GATE_TOPIC_FORMS | GATE_TOPIC_ASKS
        | GATE_TOPIC_SCHEDULES, changed, NULL);                                                 // 1
    gate_start_presenting(gate, ~1u, ~1u, false, done, NULL);                                   // 3
    gate_authorize(gate, "link.open", "x", GATE_PRESENTS_IF_NEEDED, done, NULL, NULL);          // 5
    gate_toggle(gate, GATE_PRESENTS_ITSELF, moded, NULL, NULL);                                 // 7
    gate_check(gate, "link.open", outlooked, NULL, NULL);                                       // 9
    gate_request_grant(gate, "link.open", "x", 1, GATE_PRESENTS_ITSELF, granted, NULL, NULL);   // 11
    gate_require_premium(gate, NULL, GATE_PRESENTS_ITSELF, done, NULL, NULL);                   // 13
    gate_log_in(gate, "Anna", "sesame", 6, signed_in, NULL, NULL);                              // 15
    gate_call(gate, "s", "m", NULL, 0, 0, heard, NULL, NULL);                                   // 17
    gate_stream(gate, "s", "m", NULL, 0, heard, NULL, NULL);                                    // 19
    gate_add_news(gate, "1.0", "New", "Go on", "More", "https://example.org/");
    gate_add_news_feature(gate, "Weeks", NULL, NULL);
    gate_open_form(gate, "f", "{}", formed, NULL, NULL);                                        // 21
    gate_begin_draft(gate, "f", "label", NULL, 7, formed, NULL, NULL);                          // 23
    gate_list_forms(gate, listed, NULL, NULL);                                                  // 25
    gate_list_drafts(gate, "f", drafted, NULL, NULL);                                           // 27
    gate_list_responses(gate, NULL, responded, NULL, NULL);                                     // 29
    gate_read_questionnaire(gate, "f", read_json, NULL, NULL);                                  // 31
    gate_read_response(gate, 7, read_json, NULL, NULL);                                         // 33
    gate_request_form(gate, "f", NULL, kept, NULL, NULL);                                       // 35
    gate_show_news(gate, "a", "1.0", GATE_PRESENTS_ITSELF, told, NULL, NULL);                   // 37
    gate_list_people(gate, people, NULL, NULL);                                                 // 39
    gate_set_person(gate, "mia", GATE_PERSON_GROWN_UP, NULL, NULL, GATE_PRESENTS_ITSELF, done, NULL, NULL); // 41
    gate_set_gate(gate, "link.open", "confirm", 0, NULL, false, 0, ruled, NULL, NULL);          // 43
    gate_list_gates(gate, gates, NULL, NULL);                                                   // 45
    gate_list_asks(gate, asks, NULL, NULL);                                                     // 47
    gate_count_use(gate, "game.play", "x", used, NULL, NULL);                                   // 49
    gate_query_age_range(gate, aged, NULL, NULL);                                               // 51; the calls that follow from these have 53 and more
    int peer = accept(server, NULL, NULL);
    // Each frame of the input: a byte for stream, type and flags, two bytes for the length, and the data. The rest is
    // sent as it is.
    while (size >= 3) {
        size_t length = (size_t)bytes[1] << 8 | bytes[2];
        if (length > size - 3) length = size - 3;
        uint8_t head[10] = {0, 0, (uint8_t)(length >> 8), (uint8_t)length, 0, 0, 0, (uint8_t)((bytes[0] & 31) * 2 + 1),
            (uint8_t)(bytes[0] & 32 ? 3 : 2), (uint8_t)(bytes[0] & 64 ? 5 : 0)};
        if (bytes[0] & 128) { // puts the data into a response, so that it gets past the envelope
            uint8_t envelope[4] = {0x12, (uint8_t)(length & 127) | 128, (uint8_t)(length >> 7 & 127) | 128, (uint8_t)(length >> 14)};
            head[2] = (uint8_t)((length + 4) >> 8);
            head[3] = (uint8_t)(length + 4);
            head[8] = 2;
            send(peer, head, 10, MSG_NOSIGNAL | MSG_DONTWAIT);
            send(peer, envelope, 4, MSG_NOSIGNAL | MSG_DONTWAIT);
        } else {
            send(peer, head, 10, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
        send(peer, bytes + 3, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        bytes += 3 + length;
        size -= 3 + length;
        if (gate_process(gate) < 0) abort();
    }
    send(peer, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    run_all(gate);
    close(peer);
    run_all(gate);
    if (gate_get_mode(gate) != GATE_MODE_CHILD || gate_is_current(gate)) abort(); // the daemon is gone
    // Another connection may wait in the queue. It must not be accepted by the next run.
    gate_free(gate);
    struct pollfd polled = {.fd = server, .events = POLLIN};
    while (poll(&polled, 1, 0) > 0) close(accept(server, NULL, NULL));
    return 0;
}

#ifdef ALONE
// Messages that a daemon sends: the byte for type and stream, and then the message.
#define FOREVER "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
#define SUM "\x1a\x0a\x08\x08\x10\x03\x18\x03\x22\x02\x18\x10"
#define SEED(text) {(const uint8_t *)(text), sizeof(text) - 1}
static const struct { const uint8_t *bytes; size_t size; } seeds[] = {
    SEED("\x20\x08\x05\x12\x04\x08\x07\x10\x05\x18\x01\x22\x02\x08\x03\x32\x12\x0a\x10\x0a\x04" "Anna\x18" FOREVER), // a snapshot: parent, Anna
    SEED("\x20\x08\x06\x12\x04\x08\x07\x10\x06\x22\x02\x08\x01"),                         // a change: child
    SEED("\x21\x0a\x08\x08\x04\x18\x01\x28\x01\x38\x02"),                                 // an offer
    SEED("\x99\x0a\x1a\x0a\x08\x08\x04\x18\x01\x28\x01\x38\x03\x12\x02" "ck" SUM),        // a claimed presentation
    SEED("\x21"),                                                                         // nothing to show
    SEED("\x82\x0a\x04\x08\x07\x10\x05\x12\x07\x08\x01\x12\x03\x01\x02\x03"),             // a grant
    SEED("\x83\x1a\x22\x0a\x10\x08\x08\x18\x01\x20" FOREVER "\x38\x03\x12\x02" "ck" SUM), // a question
    SEED("\x86\x1a\x22\x0a\x10\x08\x09\x18\x0c\x20" FOREVER "\x38\x03\x12\x02" "ck\x72\x0a\x0a\x01p\x12\x05Title"), // a paywall
    SEED("\x8a\x12\x1b\x0a\x0a\x0a\x01" "f\x18\x05\x20\x01\x2a\x01l\x12\x02{}\x1a\x09\x0a\x01p\x12\x02[]\x18\x05"), // an open form
    SEED("\x8b\x12\x1b\x0a\x0a\x0a\x01" "f\x18\x06\x20\x02\x2a\x01l\x12\x02{}\x1a\x09\x0a\x01p\x12\x02[]\x18\x05"), // a form that was begun
    SEED("\x99\x12\x13\x0a\x0a\x0a\x01" "f\x18\x05\x20\x01\x2a\x01l\x10\x01\x1a\x01p\x20\x01"), // a change of it
    SEED("\x9a\x12\x1b\x0a\x0a\x0a\x01" "f\x18\x07\x20\x01\x2a\x01l\x12\x02{}\x1a\x09\x0a\x01p\x12\x02[]\x18\x05"), // the form after it
    SEED("\x8c\x0a\x0e\x0a\x01" "f\x12\x01T\x3a\x06\x0a\x02" "en\x12\x00"),                // forms
    SEED("\x8d\x0a\x0a\x0a\x01" "f\x18\x05\x20\x01\x2a\x01l\x12\x01t"),                    // a page of drafts that is not the last
    SEED("\x99\x0a\x0a\x0a\x01" "f\x18\x05\x20\x02\x2a\x01l"),                              // the last page
    SEED("\x8e\x0a\x09\x08\x07\x12\x01" "f\x22\x02\x10\x05"),                              // responses
    SEED("\x8f\x0a\x02{}"),                                                             // a questionnaire
    SEED("\x90\x12\x02{}"),                                                             // a response
    SEED("\x92\x10\x02"),                                                               // news that were shown
    SEED("\x04\x0a\x07\x08\x09\x12\x03No."),                                              // a refusal
    SEED("\x93\x0a\x12\x0a\x03mia\x1a\x04\x0a\x02" "20\x2a\x05\x0a\x01m\x10\x07"),           // people
    SEED("\x14\x0a\x58\x08\x07\x1a\x54\x0a\x27type.googleapis.com/gate.v1.ErrorDetail\x12\x29"
         "\x08\x0a\x1a\x14\x0a\x04what\x12\x0c" "change-grant\x1a\x0f\x0a\x07" "details\x12\x04set "), // a grant is wanted for a change
    SEED("\x99\x12\x07\x08\x01\x12\x03\x01\x02\x03"),                                       // such a grant
    SEED("\x95\x12\x15\x0a\x0f\x0a\x01l\x12\x01T\x1a\x01" "c\x2a\x04\x0a\x02" "en\x1a\x02\x08\x07"), // what stands before a gate now
    SEED("\x96\x0a\x0f\x0a\x01l\x12\x01T\x1a\x01" "c\x2a\x04\x0a\x02" "en"),                 // what stands before each gate
    SEED("\x97\x0a\x1a\x08\x07\x1a\x03" "ben\x22\x01l\x2a\x01T\x32\x01x\x38\x01\x40\x05\x4a\x04\x0a\x02" "en"), // asks
    SEED("\x20\x08\x06\x12\x04\x08\x07\x10\x06\x4a\x0e\x0a\x0c\x08\x07\x1a\x03" "ben\x32\x01x\x38\x02"), // a change: asks
    SEED("\x38\x08\x01\x10\xe0\xd4\x03\x18\x01"),                                         // time that is used
    SEED("\x20\x08\x07\x12\x04\x08\x07\x10\x07\x52\x11\x0a\x0f\x0a\x01s\x10\x01\x18" FOREVER), // a change: schedules
};
enum { SEEDS = sizeof seeds / sizeof seeds[0] };

// Appends a seed to the input, without its type and stream, which are the caller's.
static size_t append(uint8_t *input, uint8_t head, unsigned seed) {
    input[0] = head;
    input[1] = 0;
    input[2] = (uint8_t)(seeds[seed].size - 1);
    memcpy(input + 3, seeds[seed].bytes + 1, seeds[seed].size - 1);
    return seeds[seed].size + 2;
}

int main(int count, char **words) {
    // First, messages of a daemon that makes no mistakes: a snapshot, an offer and what is claimed then, and a question. If
    // memory runs out, no error may blame the daemon for sending something else.
    uint8_t correct[256];
    size_t correct_size = 0;
    for (unsigned i = 0; i < 7; i++)
        if (i != 1 && i != 4 && i != 5) correct_size += append(correct + correct_size, seeds[i].bytes[0], i);
    is_correct = true;
    for (int i = 0; i < 2000; i++) LLVMFuzzerTestOneInput(correct, correct_size);
    is_correct = false;

    time_t end = time(NULL) + (count > 1 ? atoi(words[1]) : 10);
    unsigned seed = count > 2 ? (unsigned)strtoul(words[2], NULL, 10) : (unsigned)time(NULL), runs = 0;
    unsigned first = seed;
    for (; time(NULL) < end; runs++) {
        uint8_t input[4096];
        size_t size = 0;
        for (unsigned parts = 1 + rand_r(&seed) % 6; parts > 0; parts--) {
            unsigned i = (unsigned)rand_r(&seed) % SEEDS;
            size += append(input + size, rand_r(&seed) % 4 ? seeds[i].bytes[0] : (uint8_t)rand_r(&seed), i);
        }
        for (unsigned changes = (unsigned)rand_r(&seed) % 8; changes > 0; changes--) {
            size_t at = (size_t)rand_r(&seed) % size;
            switch (rand_r(&seed) % 3) {
            case 0: input[at] = (uint8_t)rand_r(&seed); break;
            case 1: input[at] ^= (uint8_t)(1 << rand_r(&seed) % 8); break;
            default: memmove(input + at, input + at + 1, --size - at); break;
            }
            if (size == 0) break;
        }
        LLVMFuzzerTestOneInput(input, size);
    }
    printf("ok: %u conversations with a daemon that sends what chance brings (seed %u)\n", runs, first);
    return 0;
}
#endif
