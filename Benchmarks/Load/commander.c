// Durable commands over several administrators' connections, and questions about the mode, each at their own pace: a
// slow call delays none of those after it.
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "../wire.h"
#include "fields.h"
#include "load.h"

// The most calls under way over one connection.
enum { IN_FLIGHT = 256 };

struct caller {
    int socket;
    uint32_t stream;
    uint32_t in_flight;
    // When each of them was due, by half of its stream id.
    uint64_t sent[IN_FLIGHT];
    struct inbox inbox;
};

enum { CALLERS = ADMINISTRATORS + 1, QUESTIONER = ADMINISTRATORS };

struct commander {
    struct caller callers[CALLERS];
    struct pollfd polls[CALLERS];
    struct frame command, question;
    // Commands that wait for their answers.
    uint64_t in_flight;
    // The number of the newest revision that one of them made.
    uint64_t newest;
};

struct commander *connect_commander(const char *path) {
    struct commander *commander = calloc(1, sizeof *commander);
    if (!commander) fail("no memory");
    for (int i = 0; i < CALLERS; i++) {
        struct caller *caller = &commander->callers[i];
        caller->stream = 1;
        caller->socket = connect_to(path);
        if (caller->socket < 0) fail_system("can't connect to %s", path);
        commander->polls[i] = (struct pollfd){.fd = caller->socket, .events = POLLIN};
    }
    // Sets parent mode from now on. Each such command is a change, since its lease ends later.
    commander->command = override_request();
    commander->question = get_request();
    return commander;
}

static void call(struct caller *caller, struct frame *frame, uint64_t due) {
    if (caller->in_flight == IN_FLIGHT) fail("%d calls of one connection wait for their answers: too many at once", IN_FLIGHT);
    set_stream(frame, caller->stream);
    caller->sent[caller->stream / 2 % IN_FLIGHT] = due;
    caller->stream += 2;
    caller->in_flight++;
    ssize_t count = send(caller->socket, frame->bytes, frame->size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count != (ssize_t)frame->size) fail_system("gated does not take a request of %zu bytes", frame->size);
}

// The number of the revision that a command made. OverrideModeResponse and LockResponse: revision {epoch, number}, …
static uint64_t number_of(struct header header, const uint8_t *data) {
    uint64_t number = 0;
    struct fields response = {data, data + header.size};
    for (struct field payload, part, field; next_field(&response, &payload);) {
        while (payload.number == 2 && next_field(&payload.fields, &part)) {
            while (part.number == 1 && next_field(&part.fields, &field)) {
                if (field.number == 2) number = field.value;
            }
        }
    }
    if (number == 0) fail("an answer without a revision");
    return number;
}

static void take_answers(struct commander *commander, int index, struct shared *shared, struct findings *findings) {
    struct caller *caller = &commander->callers[index];
    struct header header;
    read_more(caller->socket, &caller->inbox);
    uint64_t time = nanoseconds_now();
    for (const uint8_t *data; (data = next_frame(&caller->inbox, &header)); caller->in_flight--) {
        check_response(header, data);
        uint64_t sent = caller->sent[header.stream / 2 % IN_FLIGHT];
        if (index == QUESTIONER) {
            add_time(&findings->questions, time - sent);
            findings->question_count++;
            continue;
        }
        uint64_t number = number_of(header, data);
        // A command's time is kept until nobody needs it any more.
        atomic_store(&shared->sent[(number + KEPT_COMMANDS / 2) % KEPT_COMMANDS], 0);
        atomic_store(&shared->sent[number % KEPT_COMMANDS], sent);
        add_time(&findings->commands, time - sent);
        findings->command_count++;
        commander->in_flight--;
        if (number > commander->newest) commander->newest = number;
    }
}

// Reads what has arrived, and waits for more until `then`.
static void wait_until(struct commander *commander, uint64_t then, struct shared *shared, struct findings *findings) {
    uint64_t time = nanoseconds_now();
    uint64_t left = then > time ? then - time : 0;
    struct timespec timeout = {.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
    if (ppoll(commander->polls, CALLERS, &timeout, NULL) <= 0) return;
    for (int i = 0; i < CALLERS; i++) {
        if (commander->polls[i].revents) take_answers(commander, i, shared, findings);
    }
}

static void send_command(struct commander *commander, uint64_t which, uint64_t due, struct findings *findings) {
    call(&commander->callers[which % ADMINISTRATORS], &commander->command, due);
    if (++commander->in_flight > findings->most_in_flight) findings->most_in_flight = commander->in_flight;
}

// When the call with this index is due.
static uint64_t due_time(uint64_t start, uint64_t which, double per_second) {
    return start + (uint64_t)((double)which * 1e9 / per_second);
}

static void await_answers(struct commander *commander, struct shared *shared, struct findings *findings) {
    uint64_t deadline = nanoseconds_now() + 30000000000u;
    while (commander->in_flight > 0 || commander->callers[QUESTIONER].in_flight > 0) {
        if (nanoseconds_now() > deadline) fail("%lu commands had no answer after 30 s", (unsigned long)commander->in_flight);
        wait_until(commander, nanoseconds_now() + 100000000u, shared, findings);
    }
}

void command(
    struct commander *commander, struct shared *shared, double seconds, struct findings *findings,
    void (*each_second)(double second, void *context), void *context
) {
    uint64_t start = nanoseconds_now(), end = start + (uint64_t)(seconds * 1e9);
    uint64_t commands = 0, questions = 0, second = 1;
    for (uint64_t time = start; time < end; time = nanoseconds_now()) {
        uint64_t next_command, next_question, next_second;
        while ((next_command = due_time(start, commands, COMMANDS_PER_SECOND)) <= time) {
            send_command(commander, commands++, next_command, findings);
        }
        while ((next_question = due_time(start, questions, QUESTIONS_PER_SECOND)) <= time) {
            call(&commander->callers[QUESTIONER], &commander->question, next_question);
            questions++;
        }
        while ((next_second = due_time(start, second, 1)) <= time) each_second((double)second++, context);
        uint64_t next = next_command < next_question ? next_command : next_question;
        wait_until(commander, next < end ? next : end, shared, findings);
    }
    if ((double)second <= seconds) each_second((double)second, context);
    await_answers(commander, shared, findings);
    // Alone, so that nothing hides it: watchers are not told of a batch that ends in the state in which it began.
    struct findings last = {0};
    send_command(commander, 0, nanoseconds_now(), &last);
    await_answers(commander, shared, &last);
    atomic_store(&shared->last_number, commander->newest);
}
