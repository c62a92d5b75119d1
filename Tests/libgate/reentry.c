// What handlers may do, and what happens around a _sync call. The server answers every call with an empty message,
// except the method Silent, which it never answers, and OpenForm, whose answer is a draft.
#define _GNU_SOURCE
#include <errno.h>
#include <gate.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(truth) \
    do { \
        if (!(truth)) { \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #truth); \
            kill(server, SIGKILL); \
            exit(1); \
        } \
    } while (0)

static char path[100];
static pid_t server;
static int calls;
static uint64_t last;

// MARK: the server

static bool receive(int peer, unsigned char *bytes, size_t size) {
    for (ssize_t count; size > 0; bytes += count, size -= (size_t)count)
        if ((count = recv(peer, bytes, size, 0)) <= 0) return false;
    return true;
}

static void answer_all(int peer) {
    static unsigned char data[1 << 16];
    // A response with a draft of "f", at revision 5, with the number 1, without answers.
    static const unsigned char draft[] = {0x12, 15, 0x12, 13, 0x0a, 7, 0x0a, 1, 'f', 0x18, 5, 0x20, 1, 0x12, 2, '{', '}'};
    unsigned char head[10];
    while (receive(peer, head, sizeof head)) {
        size_t size = (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        if (size > sizeof data || !receive(peer, data, size)) return;
        bool is_form = memmem(data, size, "OpenForm", 8) || memmem(data, size, "ReadForm", 8);
        unsigned char answer[10 + sizeof draft] = {0, 0, 0, is_form ? sizeof draft : 0, head[4], head[5], head[6], head[7], 2, 0};
        if (memmem(data, size, "Silent", 6)) continue;
        memcpy(answer + 10, draft, sizeof draft);
        send(peer, answer, 10 + answer[3], MSG_NOSIGNAL);
    }
}

static void start_server(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(address.sun_path, path, strlen(path) + 1);
    EXPECT(bind(listening, (struct sockaddr *)&address, sizeof address) == 0 && listen(listening, 16) == 0);
    server = fork();
    if (server == 0) {
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
            int peer = accept(listening, NULL, NULL);
            if (fork() == 0) {
                answer_all(peer);
                _exit(0);
            }
            close(peer);
        }
    }
    close(listening);
}

static gate *made(void) {
    gate *gate;
    EXPECT(gate_new(&gate) == 0);
    EXPECT(gate_set_socket(gate, path) == 0 && gate_set_server_uid(gate, getuid()) == 0);
    return gate;
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

// Runs the loop until this many handlers were called, or for ten seconds. Returns gate_process()'s last result.
static int run_until(gate *gate, int count) {
    int result = 0;
    for (uint64_t end = now() + 10000000; calls < count && result >= 0 && now() < end;) {
        gate_wait_sync(gate, 100000);
        while ((result = gate_process(gate)) > 0) continue;
    }
    return result;
}

// MARK: handlers

static void never(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    (void)gate, (void)bytes, (void)size, (void)error, (void)userdata;
    fprintf(stderr, "a call that was taken back is heard of\n");
    abort();
}

static void counted(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    (void)gate, (void)size, (void)userdata;
    if (error || !bytes) fprintf(stderr, "refused: %s\n", error ? error->message : "there are no bytes");
    calls += !error && bytes;
}

static void cancelling(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    const uint64_t *numbers = userdata;
    (void)bytes, (void)size, (void)error;
    if (gate_cancel(gate, numbers[0]) != -ENOENT) abort(); // its own call, which has ended
    for (int i = 1; i < 4; i++)
        if (gate_cancel(gate, numbers[i]) != 0 || gate_cancel(gate, numbers[i]) != -ENOENT) abort();
    calls++;
}

static void cancelled_in_a_handler(void) {
    gate *gate = made();
    uint64_t numbers[4];
    calls = 0;
    EXPECT(gate_call(gate, "s", "Answered", NULL, 0, 0, cancelling, numbers, &numbers[0]) == 0);
    // A call whose answer is queued behind this one, and a call and a stream that are never answered.
    EXPECT(gate_call(gate, "s", "Answered", NULL, 0, 0, never, NULL, &numbers[1]) == 0);
    EXPECT(gate_call(gate, "s", "Silent", NULL, 0, 0, never, NULL, &numbers[2]) == 0);
    EXPECT(gate_stream(gate, "s", "Silent", NULL, 0, never, NULL, &numbers[3]) == 0);
    usleep(50000);
    EXPECT(run_until(gate, 1) == 0 && calls == 1);
    usleep(50000);
    while (gate_process(gate) > 0) continue;
    gate_free(gate);
}

static void chaining(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    int *left = userdata;
    const void *answer;
    (void)bytes;
    if (error || gate_call_sync(gate, "s", "m", NULL, 0, 0, &answer, &size) != -EBUSY || gate_process(gate) != -EBUSY) abort();
    calls++;
    if (--*left > 0 && gate_call(gate, "s", "Answered", NULL, 0, 0, chaining, left, NULL) != 0) abort();
}

static void flooding(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    int made = 0, result;
    (void)bytes, (void)size, (void)error;
    while ((result = gate_call(gate, "s", "Silent", NULL, 0, 0, never, NULL, &last)) == 0) made++;
    *(int *)userdata = result == -EAGAIN ? made : -1;
    calls++;
}

static void opened_in_a_handler(void) {
    gate *gate = made();
    int left = 300, made_there = 0;
    calls = 0;
    EXPECT(gate_call(gate, "s", "Answered", NULL, 0, 0, chaining, &left, NULL) == 0);
    EXPECT(run_until(gate, 300) == 0 && calls == 300);
    EXPECT(gate_call(gate, "s", "Answered", NULL, 0, 0, flooding, &made_there, NULL) == 0);
    EXPECT(run_until(gate, 301) == 0 && made_there == 256);
    gate_free(gate); // with 256 open calls
}

static void forming(gate *gate, const gate_form *form, const gate_error *error, void *userdata) {
    int way = *(int *)userdata;
    if (error) return;
    calls++;
    if (way == 0 && gate_close_form(gate, form->form) != 0) abort();
    if (way == 1 && gate_read_form(gate, form->form, forming, userdata, NULL) != 0) abort();
    if (way == 2 && (gate_cancel(gate, form->form) != -ENOENT || gate_read_form(gate, form->form, NULL, NULL, &last) != 0)) abort();
    if (way == 2 && gate_cancel(gate, last) != 0) abort();
    if (way >= 2) gate_free(gate);
    // What a handler gets remains valid until the handler returns, whatever it does.
    if (strcmp(form->response, "{}") != 0 || strcmp(form->name, "f") != 0) abort();
    *(int *)userdata = way == 1 ? 3 : way;
}

static void forms_in_handlers(void) {
    for (int start = 0; start < 4; start++) {
        gate *gate = made();
        int way = start;
        calls = 0;
        EXPECT(gate_open_form(gate, "f", NULL, forming, &way, NULL) == 0);
        int result = run_until(gate, start == 1 ? 2 : 1);
        EXPECT(calls == (start == 1 ? 2 : 1) && result == (start == 0 ? 0 : -ESHUTDOWN));
        if (start == 0) gate_free(gate);
    }
}

// MARK: forks

static void forking(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    (void)bytes, (void)size, (void)error;
    calls++;
    if (calls > 1) return;
    pid_t child = fork();
    *(pid_t *)userdata = child;
    if (child == 0 && last) gate_free(gate);
}

static void forked_in_a_handler(void) {
    for (last = 0; last < 2; last++) {
        gate *gate = made();
        pid_t child;
        int status, result;
        calls = 0;
        for (int i = 0; i < 3; i++) EXPECT(gate_call(gate, "s", "Answered", NULL, 0, 0, forking, &child, NULL) == 0);
        usleep(50000);
        while ((result = gate_process(gate)) > 0) continue;
        if (calls == 1 && result < 0) { // in the child, no further handler is called
            if (!last) gate_free(gate);
            _exit(result == (last ? -ESHUTDOWN : -ECHILD) ? 0 : 1);
        }
        run_until(gate, 3);
        EXPECT(calls == 3 && waitpid(child, &status, 0) == child && status == 0);
        // What the child did has changed nothing here.
        EXPECT(gate_call(gate, "s", "Answered", NULL, 0, 0, counted, NULL, NULL) == 0);
        EXPECT(run_until(gate, 4) == 0 && calls == 4);
        gate_free(gate);
    }
}

// MARK: calls that wait

static volatile sig_atomic_t alarms;

static void alarmed(int signal) {
    (void)signal;
    alarms++;
}

static void waiting(void) {
    gate *gate = made();
    const void *answer;
    size_t size;
    EXPECT(gate_call_sync(gate, "s", "Answered", NULL, 0, 0, &answer, &size) == GATE_OK && answer && size == 0);
    EXPECT(gate_call_sync(gate, "s", NULL, NULL, 0, 0, &answer, &size) == -EINVAL && gate_call_sync(gate, "s", "m", NULL, 1, 0, &answer, &size) == -EINVAL);
    // A _sync call takes as long as allowed and no longer, however the library waits, and whatever signals arrive.
    for (uint64_t usec = 0; usec < 4; usec++) {
        static const uint64_t limits[] = {1, 300000, 1000001, 1700000};
        struct itimerval often = {{0, 7000}, {0, 7000}}, off = {0};
        if (usec % 2) setitimer(ITIMER_REAL, &often, NULL);
        uint64_t start = now();
        EXPECT(gate_call_sync(gate, "s", "Silent", NULL, 0, limits[usec], &answer, &size) == GATE_DEADLINE_EXCEEDED && !answer);
        setitimer(ITIMER_REAL, &off, NULL);
        EXPECT(now() - start >= limits[usec] && now() - start < limits[usec] + 3000000);
        EXPECT(gate_get_error(gate)->code == GATE_DEADLINE_EXCEEDED);
    }
    EXPECT(alarms > 10);
    // Another call's time is over meanwhile. Its handler is called afterwards.
    calls = 0;
    EXPECT(gate_call_sync(gate, "s", "Answered", NULL, 0, 0, &answer, &size) == GATE_OK);
    gate_free(gate);
    // The largest time means no limit, and must not be taken for a short one.
    gate = made();
    EXPECT(gate_set_call_timeout(gate, UINT64_MAX) == 0);
    EXPECT(gate_call_sync(gate, "s", "Answered", NULL, 0, UINT64_MAX - 1, &answer, &size) == GATE_OK);
    EXPECT(gate_call_sync(gate, "s", "Answered", NULL, 0, 0, &answer, &size) == GATE_OK);
    // Much more than the socket accepts at once, in both directions.
    char *large = calloc(1, 65000);
    for (int i = 0; i < 100; i++) EXPECT(gate_call(gate, "s", "Silent", large, 65000, 0, never, NULL, NULL) == 0);
    EXPECT(gate_call_sync(gate, "s", "Answered", large, 65000, 0, &answer, &size) == GATE_OK);
    free(large);
    gate_free(gate);
}

// What the library sends is UTF-8, whatever the program's name is and wherever the socket is.
static void texts(void) {
    gate *gate;
    const void *answer;
    size_t size;
    char long_path[1000] = "/nowhere/\xff\xfe/";
    for (int i = 0; i < 300; i++) strcat(long_path, "\xe2\x82\xac");
    EXPECT(gate_new(&gate) == 0 && gate_set_program(gate, "a\xff") == -EINVAL && gate_set_socket(gate, long_path) == 0);
    EXPECT(gate_call_sync(gate, "s", "m", NULL, 0, 0, &answer, &size) == GATE_UNAVAILABLE);
    const unsigned char *message = (const unsigned char *)gate_get_error(gate)->message;
    EXPECT(strstr((const char *)message, "/nowhere/\?\?/\xe2\x82\xac"));
    for (size_t i = strlen("The daemon can't be reached at /nowhere/\?\?/"); message[i] == 0xe2; i += 3)
        EXPECT(message[i + 1] == 0x82 && message[i + 2] == 0xac);
    EXPECT(message[strlen((const char *)message) - 1] < 0x80 || message[strlen((const char *)message) - 1] == 0xac);
    gate_free(gate);
}

int main(void) {
    snprintf(path, sizeof path, "%s/libgate.%d", getenv("XDG_RUNTIME_DIR") ? getenv("XDG_RUNTIME_DIR") : "/tmp", (int)getpid());
    signal(SIGPIPE, SIG_DFL);
    struct sigaction action = {.sa_handler = alarmed};
    sigaction(SIGALRM, &action, NULL);
    start_server();
    cancelled_in_a_handler();
    opened_in_a_handler();
    forms_in_handlers();
    forked_in_a_handler();
    waiting();
    texts();
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    unlink(path);
    puts("ok: handlers that cancel, call, close, fork and free, and calls that wait");
    return 0;
}
