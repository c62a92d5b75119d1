// What gate.h promises about the handle itself: mistakes, threads, forks, handlers that free it. It uses a socket on
// which nobody listens, and one that accepts and sends nothing, which it makes itself.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <gate.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(truth) \
    do { \
        if (!(truth)) { \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #truth); \
            exit(1); \
        } \
    } while (0)

static char path[100];
static int calls;

static gate *made(void) {
    gate *gate;
    EXPECT(gate_new(&gate) == 0);
    EXPECT(gate_set_socket(gate, path) == 0 && gate_set_server_uid(gate, getuid()) == 0);
    return gate;
}

static int open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void counted(gate *gate, const gate_error *error, void *userdata) {
    (void)userdata;
    EXPECT(error && error->code == GATE_UNAVAILABLE && error->message[0] && !error->parameters[0] && !error->issues[0]);
    EXPECT(gate_process(gate) == -EBUSY && gate_wait_sync(gate, 0) == -EBUSY);
    EXPECT(gate_authorize_sync(gate, "link.open", "") == -EBUSY);
    calls++;
}

static void freeing(gate *gate, const gate_error *error, void *userdata) {
    (void)error, (void)userdata;
    calls++;
    EXPECT(gate_free(gate) == NULL);
}

static void mistakes(void) {
    gate *gate = made();
    int outcome;
    uint64_t number = 0, until;
    EXPECT(gate_new(NULL) == -EINVAL && gate_free(NULL) == NULL && gate_get_fd(NULL) == -EINVAL);
    EXPECT(gate_set_program(gate, "") == -EINVAL && gate_set_program(gate, NULL) == -EINVAL && gate_set_call_timeout(gate, 0) == -EINVAL);
    EXPECT(gate_set_program(gate, "0123456789012345678901234567890123456789012345678901234567890123456789") == -EINVAL);
    EXPECT(gate_get_timeout(gate, &until) == 0 && until == UINT64_MAX && gate_get_events(gate) == POLLIN);
    EXPECT(gate_process(gate) == 0);
    EXPECT(gate_set_socket(gate, path) == -EBUSY && gate_set_program(gate, "x") == -EBUSY && gate_set_server_uid(gate, 0) == -EBUSY);
    EXPECT(gate_watch(gate, 0, NULL, NULL) == -EINVAL && gate_watch(gate, 128, NULL, NULL) == -EINVAL);
    EXPECT(gate_check(gate, NULL, NULL, NULL, NULL) == -EINVAL && gate_authorize(gate, "a", NULL, 0, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_authorize(gate, "a", "", 8, NULL, NULL, NULL) == -EINVAL && gate_toggle(gate, GATE_PRESENTS_ITSELF, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_call(gate, "s", NULL, NULL, 0, 0, NULL, NULL, NULL) == -EINVAL && gate_call(gate, "s", "m", NULL, 1, 0, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_cancel(gate, 0) == -ENOENT && gate_cancel(gate, 77) == -ENOENT && gate_dismiss(gate, 1) == -ENOENT);
    EXPECT(gate_answer_text(gate, 1, "x") == -ENOENT && gate_answer_text(gate, 1, NULL) == -EINVAL && gate_answer_swipe(gate, 1, 9, 2) == -EINVAL);
    EXPECT(gate_stop_presenting(gate) == -ENOENT && gate_start_presenting(gate, 2, 2, false, NULL, NULL) == -EINVAL);
    EXPECT(gate_override_mode(gate, GATE_MODE_VERIFYING, 0, "x", NULL, NULL, NULL) == -EINVAL);
    char *large = calloc(1, 5 << 20);
    EXPECT(gate_call(gate, "s", "m", large, 5 << 20, 0, NULL, NULL, NULL) == 0); // there is no daemon, so it fails like any other
    while (gate_process(gate) > 0) continue;
    free(large);

    // Nobody listens: the call fails in gate_process(), the _sync call fails at once, and both give the reason.
    EXPECT(gate_authorize(gate, "link.open", "x", 0, counted, NULL, &number) == 0 && number > 0 && calls == 0);
    EXPECT(gate_get_timeout(gate, &until) == 0 && until == 0);
    EXPECT(gate_wait_sync(gate, UINT64_MAX) == 1 && gate_process(gate) == 1 && calls == 1);
    EXPECT(gate_get_error(gate) == NULL && gate_check_sync(gate, "link.open", &outcome) == GATE_UNAVAILABLE);
    EXPECT(outcome == GATE_OUTCOME_DENIED && gate_get_error(gate)->code == GATE_UNAVAILABLE && strstr(gate_get_error(gate)->message, path));
    EXPECT(gate_authorize_sync(gate, "link.open", "x") == GATE_UNAVAILABLE);
    // The handler of a cancelled call is not called, even if the call has failed already.
    EXPECT(gate_authorize(gate, "link.open", "x", 0, counted, NULL, &number) == 0 && gate_cancel(gate, number) == 0);
    while (gate_process(gate) > 0) continue;
    EXPECT(calls == 1 && gate_cancel(gate, number) == -ENOENT);
    // Here the call has failed, and its handler was not called, since a _sync call calls no handlers.
    EXPECT(gate_authorize(gate, "link.open", "x", 0, counted, NULL, &number) == 0);
    EXPECT(gate_check_sync(gate, "link.open", &outcome) == GATE_UNAVAILABLE && calls == 1 && gate_cancel(gate, number) == 0);
    while (gate_process(gate) > 0) continue;
    EXPECT(calls == 1);
    // Handlers may be NULL.
    EXPECT(gate_watch(gate, GATE_TOPIC_MODE, NULL, NULL) == 0 && gate_watch(gate, GATE_TOPIC_MODE, NULL, NULL) == -EBUSY);
    EXPECT(gate_lock(gate, NULL, NULL, NULL) == 0 && gate_check(gate, "a", NULL, NULL, NULL) == 0 && gate_log_out(gate, NULL, NULL, NULL) == 0);
    while (gate_process(gate) > 0) continue;
    EXPECT(!gate_is_current(gate) && gate_get_mode(gate) == GATE_MODE_CHILD && !gate_get_session(gate) && !gate_get_entitlements(gate)[0]);
    EXPECT(!gate_is_entitled(gate, NULL) && !gate_is_entitled(gate, "premium") && !gate_get_drafts(gate)[0] && !gate_get_presentations(gate)[0]);
    // Next comes an attempt to connect, at first soon, later more and more rarely.
    EXPECT(gate_get_timeout(gate, &until) == 0 && until > now() - 1000000 && until < now() + 20000);
    uint64_t end = now() + 700000;
    int attempts = 0;
    while (now() < end) {
        gate_get_timeout(gate, &until);
        gate_wait_sync(gate, until > now() ? until - now() : 0);
        attempts += gate_process(gate) > 0;
    }
    EXPECT(attempts >= 4 && attempts < 12);
    gate_free(gate);
}

static void mistakes_with_asks(void) {
    gate *gate = made();
    uint64_t ask = 7;
    int64_t until = 7;
    // Only authorizations may wait, and that takes no screen.
    EXPECT(gate_toggle(gate, GATE_MAY_WAIT, NULL, NULL, NULL) == -EINVAL && gate_extend(gate, 0, GATE_MAY_WAIT, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_require_premium(gate, NULL, GATE_MAY_WAIT, NULL, NULL, NULL) == -EINVAL && gate_show_news(gate, "a", "1", GATE_MAY_WAIT, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_remove_person(gate, "a", GATE_MAY_WAIT, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_authorize(gate, "a", "", GATE_MAY_WAIT | GATE_PRESENTS_IF_NEEDED, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_authorize_or_ask_sync(gate, NULL, "") == -EINVAL && gate_authorize_or_ask_sync(gate, "a", NULL) == -EINVAL);
    EXPECT(gate_answer_ask(gate, 1, 2, NULL, NULL, NULL, NULL) == -EINVAL && gate_answer_ask(gate, 1, -1, NULL, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_answer_ask(gate, 1, GATE_ANSWER_NO, "once", NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_answer_ask(gate, 1, GATE_ANSWER_YES + 1, "until-tomorrow", NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_answer_ask(gate, 1, GATE_ANSWER_NO, "until-tomorrow", NULL, NULL, NULL) == 0);
    // There is no daemon: nothing was asked, nothing waits, and nothing is open.
    EXPECT(gate_authorize(gate, "a", "", GATE_MAY_WAIT, NULL, NULL, NULL) == 0 && gate_request_grant(gate, "a", "", 1, GATE_MAY_WAIT, NULL, NULL, NULL) == 0);
    EXPECT(gate_list_asks(gate, NULL, NULL, NULL) == 0 && gate_withdraw_ask(gate, 1, NULL, NULL, NULL) == 0);
    EXPECT(gate_ask_more_time(gate, NULL, NULL, NULL, NULL, NULL) == -EINVAL && gate_ask_more_time(gate, "game.play", NULL, NULL, NULL, NULL) == 0);
    EXPECT(gate_count_use(gate, NULL, NULL, NULL, NULL, NULL) == -EINVAL && gate_count_use(gate, "game.play", NULL, NULL, NULL, NULL) == 0);
    EXPECT(gate_answer_ask(gate, 1, GATE_ANSWER_NO, NULL, NULL, NULL, NULL) == 0 && gate_watch(gate, GATE_TOPIC_ASKS | GATE_TOPIC_SCHEDULES, NULL, NULL) == 0);
    while (gate_process(gate) > 0) continue;
    EXPECT(gate_authorize_or_ask_sync(gate, "a", "") == GATE_UNAVAILABLE && !gate_error_is_asked(gate_get_error(gate), &ask, &until));
    EXPECT(!gate_error_is_asked(NULL, &ask, &until) && ask == 7 && until == 7);
    EXPECT(!gate_get_asks(gate)[0] && !gate_get_schedules(gate)[0] && !gate_is_schedule_open(gate, "a") && !gate_is_schedule_open(gate, NULL));
    // No age is told either.
    const gate_age_range *range = NULL;
    EXPECT(gate_query_age_range(NULL, NULL, NULL, NULL) == -EINVAL && gate_query_age_range_sync(gate, NULL) == -EINVAL);
    EXPECT(gate_query_age_range_sync(NULL, &range) == -EINVAL && range && !range->is_told);
    EXPECT(gate_query_age_range(gate, NULL, NULL, NULL) == 0 && gate_query_age_range_sync(gate, &range) == GATE_UNAVAILABLE && !range->is_told);
    gate_free(gate);

    // What the error of a request says.
    const gate_parameter number = {"ask", "12"}, ends = {"ends", "9223372036854775807"}, odd = {"ask", "-3"}, late = {"ends", "9223372036854775808"};
    const gate_parameter *const both[] = {&number, &ends, NULL}, *const none[] = {NULL}, *const wrong[] = {&odd, &late, NULL};
    const gate_issue *const issues[] = {NULL};
    const gate_error asked = {GATE_FAILED_PRECONDITION, GATE_REASON_ASKED, "It waits.", 0, both, issues};
    const gate_error untold = {GATE_FAILED_PRECONDITION, GATE_REASON_ASKED, "It waits.", 0, none, issues};
    const gate_error garbled = {GATE_FAILED_PRECONDITION, GATE_REASON_ASKED, "It waits.", 0, wrong, issues};
    const gate_error refused = {GATE_FAILED_PRECONDITION, GATE_REASON_REFUSED, "No.", 0, both, issues};
    const gate_error other = {GATE_INTERNAL, GATE_REASON_ASKED, "It waits.", 0, both, issues};
    EXPECT(gate_error_is_asked(&asked, NULL, NULL) && gate_error_is_asked(&asked, &ask, &until) && ask == 12 && until == INT64_MAX);
    EXPECT(gate_error_is_asked(&untold, &ask, &until) && ask == 0 && until == 0);
    EXPECT(gate_error_is_asked(&garbled, &ask, &until) && ask == 0 && until == 0);
    EXPECT(!gate_error_is_asked(&refused, &ask, &until) && !gate_error_is_asked(&other, &ask, &until));
}

static void opened(gate *gate, const gate_form *form, const gate_error *error, void *userdata) {
    (void)gate;
    EXPECT(!form && error && error->code == GATE_UNAVAILABLE);
    ++*(int *)userdata;
}

static void mistakes_with_forms(void) {
    gate *gate = made();
    int told = 0;
    uint64_t form = 0, other = 0;
    EXPECT(gate_open_form(gate, NULL, NULL, NULL, NULL, NULL) == -EINVAL && gate_begin_draft(gate, NULL, "", NULL, 1, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_open_draft(gate, NULL, 1, NULL, NULL, NULL) == -EINVAL && gate_request_form(gate, NULL, NULL, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_open_shown_form(gate, 7, 0, NULL, NULL, NULL) == -ENOENT && gate_begin_shown_form(gate, 0, 0, NULL, NULL, NULL) == -ENOENT);
    EXPECT(gate_read_questionnaire(gate, NULL, NULL, NULL, NULL) == -EINVAL && gate_read_form_questionnaire(gate, 7, NULL, NULL, NULL) == -ENOENT);
    EXPECT(gate_set_answers(gate, 7, NULL, NULL, NULL, NULL, NULL) == -EINVAL && gate_set_answers(gate, 7, "a", NULL, NULL, NULL, NULL) == -ENOENT);
    EXPECT(gate_suggest_answers(gate, 7, "a", "[]", 1, NULL, NULL, NULL) == -EINVAL && gate_suggest_answers(gate, 7, "a", NULL, -1, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_remove_group(gate, 7, NULL, NULL, NULL, NULL) == -EINVAL && gate_fill_form(gate, 7, NULL, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_label_draft(gate, 7, NULL, NULL, NULL, NULL) == -EINVAL && gate_read_form(gate, 0, NULL, NULL, NULL) == -ENOENT);
    EXPECT(gate_complete_form(gate, 7, NULL, NULL, NULL) == -ENOENT && gate_discard_form(gate, 7, NULL, NULL, NULL) == -ENOENT);
    EXPECT(gate_close_form(gate, 0) == -ENOENT && gate_validate_form(gate, 7, NULL, NULL, NULL) == -ENOENT && gate_save_form(gate, 7, NULL, NULL, NULL) == -ENOENT);
    EXPECT(gate_load_response(gate, 7, 1, NULL, NULL, NULL) == -ENOENT && gate_reset_form(gate, 7, NULL, NULL, NULL) == -ENOENT);
    EXPECT(gate_add_news_feature(gate, "a", NULL, NULL) == -ENOENT && gate_add_news(gate, NULL, "a", NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_add_news(gate, "1", "a", NULL, NULL, "https://example.org/") == -EINVAL && gate_add_news(gate, "1", "a", NULL, NULL, NULL) == 0);
    for (int i = 0; i < 50; i++) EXPECT(gate_add_news_feature(gate, "a", "b", NULL) == 0);
    EXPECT(gate_add_news_feature(gate, "a", NULL, NULL) == -EMSGSIZE && gate_add_news_feature(gate, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_show_news(gate, NULL, "1", 0, NULL, NULL, NULL) == -EINVAL && gate_show_news(gate, "a", "1", GATE_PRESENTS_ITSELF, NULL, NULL, NULL) == -EINVAL);
    EXPECT(gate_acknowledge_news(gate, "a", NULL, NULL, NULL, NULL) == -EINVAL);

    // There is no daemon: each handler is told once, and what was not opened is no form.
    EXPECT(gate_open_form(gate, "trip", NULL, opened, &told, &form) == 0 && gate_begin_draft(gate, "trip", NULL, NULL, 3, opened, &told, &other) == 0);
    EXPECT(gate_read_form(gate, form, NULL, NULL, NULL) == -ENOENT && gate_close_form(gate, form) == -ENOENT);
    EXPECT(gate_list_forms(gate, NULL, NULL, NULL) == 0 && gate_list_drafts(gate, NULL, NULL, NULL, NULL) == 0 && gate_list_responses(gate, "a", NULL, NULL, NULL) == 0);
    EXPECT(gate_read_response(gate, 3, NULL, NULL, NULL) == 0 && gate_withdraw_response(gate, 3, NULL, NULL, NULL) == 0);
    EXPECT(gate_show_news(gate, "a", "1", 0, NULL, NULL, NULL) == 0 && gate_reset_news(gate, NULL, NULL, NULL, NULL) == 0);
    while (gate_process(gate) > 0) continue;
    EXPECT(told == 2 && gate_cancel(gate, form) == -ENOENT && gate_read_form(gate, form, NULL, NULL, NULL) == -ENOENT);
    // Cancelled before the attempt, and after it.
    EXPECT(gate_open_form(gate, "trip", NULL, opened, &told, &form) == 0 && gate_cancel(gate, form) == 0);
    EXPECT(gate_list_forms(gate, NULL, NULL, &other) == 0 && gate_cancel(gate, other) == 0);
    while (gate_process(gate) > 0) continue;
    EXPECT(told == 2);
    // A message that is larger than a frame fails like any other while there is no daemon.
    char *large = malloc(5 << 20);
    memset(large, ' ', 5 << 20);
    large[(5 << 20) - 1] = 0;
    EXPECT(gate_open_form(gate, "trip", large, opened, &told, &form) == 0);
    while (gate_process(gate) > 0) continue;
    free(large);
    EXPECT(told == 3);
    gate_open_form(gate, "trip", NULL, opened, &told, &form); // and the handle is freed while this is under way
    gate_list_forms(gate, NULL, NULL, NULL);
    gate_free(gate);
    EXPECT(told == 3);
}

static void freed_in_handlers(void) {
    calls = 0;
    for (int i = 0; i < 3; i++) {
        gate *gate = made();
        // Later handlers are not called.
        for (int j = 0; j < 3; j++) EXPECT(gate_authorize(gate, "link.open", "x", 0, freeing, NULL, NULL) == 0);
        int result;
        while ((result = gate_process(gate)) > 0) continue;
        EXPECT(result == -ESHUTDOWN && calls == i + 1);
    }
}

static void *in_thread(void *userdata) {
    gate *gate = userdata;
    uint64_t until;
    EXPECT(gate_process(gate) == -EPERM && gate_get_fd(gate) == -EPERM && gate_get_timeout(gate, &until) == -EPERM);
    EXPECT(gate_authorize(gate, "a", "", 0, NULL, NULL, NULL) == -EPERM && gate_get_mode(gate) == GATE_MODE_CHILD);
    EXPECT(gate_open_form(gate, "trip", NULL, NULL, NULL, NULL) == -EPERM && gate_read_form(gate, 1, NULL, NULL, NULL) == -EPERM);
    EXPECT(gate_list_forms(gate, NULL, NULL, NULL) == -EPERM && gate_add_news(gate, "1", "a", NULL, NULL, NULL) == -EPERM);
    EXPECT(gate_set_program(gate, "x") == -EPERM && !gate_is_current(gate) && gate_get_error(gate) == NULL);
    return NULL;
}

static void threads_and_forks(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int server = socket(AF_UNIX, SOCK_STREAM, 0), status, peer;
    char byte;
    strcpy(address.sun_path, path);
    EXPECT(bind(server, (struct sockaddr *)&address, sizeof address) == 0 && listen(server, 4) == 0);
    gate *gate = made();
    EXPECT(gate_watch(gate, GATE_TOPIC_MODE, NULL, NULL) == 0);
    while (gate_process(gate) > 0) continue;
    EXPECT((peer = accept(server, NULL, NULL)) >= 0 && recv(peer, &byte, 1, 0) == 1);

    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, in_thread, gate) == 0 && pthread_join(thread, NULL) == 0);
    pid_t child = fork();
    if (child == 0) {
        EXPECT(gate_process(gate) == -ECHILD && gate_get_fd(gate) == -ECHILD && gate_lock(gate, NULL, NULL, NULL) == -ECHILD);
        EXPECT(gate_get_mode(gate) == GATE_MODE_CHILD && gate_check_sync(gate, "a", &status) == -ECHILD);
        gate_free(gate);
        _exit(0);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    // That the child freed the handle has changed nothing here: what the daemon sends is still received.
    EXPECT(gate_wait_sync(gate, 50000) == 0);
    close(peer);
    struct pollfd polled = {.fd = gate_get_fd(gate), .events = POLLIN};
    EXPECT(poll(&polled, 1, 2000) == 1 && gate_process(gate) == 1);
    close(server);
    unlink(path);
    gate_free(gate);
}

int main(void) {
    snprintf(path, sizeof path, "%s/libgate.%d", getenv("XDG_RUNTIME_DIR") ? getenv("XDG_RUNTIME_DIR") : "/tmp", (int)getpid());
    signal(SIGPIPE, SIG_DFL); // the library must not cause SIGPIPE
    alarm(60);
    int before = open_descriptors();
    mistakes();
    mistakes_with_asks();
    mistakes_with_forms();
    freed_in_handlers();
    threads_and_forks();
    EXPECT(open_descriptors() == before);
    printf("ok: mistakes, threads, forks, handlers that free the handle, %zu bits\n", sizeof(void *) * 8);
    return 0;
}
