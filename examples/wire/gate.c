// A client of Gate in C: it watches the mode, asks for a gated action, presents questions, and signs in.
// Written from docs/wire.md. It needs libprotobuf-c. README.md says how to build and try it.
//
// usage: gate [--server-user UID] watch | open URL | present | sign-in NAME
//
// Exit status: 0 done, 1 refused, 2 this program can't show the question, 64 wrong usage, 69 no trusted daemon.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "gate/v1/authorization.pb-c.h"
#include "gate/v1/mode.pb-c.h"
#include "gate/v1/presentations.pb-c.h"
#include "gate/v1/signin.pb-c.h"
#include "gate/v1/watch.pb-c.h"

enum { REFUSED = 1, NOT_SHOWN = 2, USAGE = 64, NO_DAEMON = 69 };

static const ProtobufCServiceDescriptor *const authorization = &gate__v1__authorization__descriptor;
static const ProtobufCServiceDescriptor *const presentations = &gate__v1__presentations__descriptor;
static uid_t server_user;
static struct gate *gate; // NULL: there is no connection

static bool dial(void)
{
    static int said; // so that it is printed once, however often it is tried
    gate_close(gate);
    gate = gate_connect(server_user);
    int error = gate ? 0 : errno;
    const char *why = error == EPERM ? "somebody else listens there"
        : error == EOVERFLOW ? "in this user namespace nobody can tell who listens" : strerror(error);
    if (error && error != said) fprintf(stderr, "gate: no daemon: %s\n", why);
    said = error;
    return !error;
}

static int exit_status(void)
{
    return gate && gate_code(gate) != GATE_UNAVAILABLE ? REFUSED : NO_DAEMON;
}

// MARK: watching

// What the stream has told. It counts only while there is a connection.
static struct {
    bool is_true;
    Gate__V1__ModeState__Mode mode;
    int64_t deadline; // 0: none
    char session[65]; // who is signed in; empty: nobody is
    int64_t session_deadline;
} known;
static Gate__V1__Revision seen = GATE__V1__REVISION__INIT; // number 0: nothing was seen yet
static int alarm_clock;                                    // a timer that expires at the next deadline

static void print_known(void)
{
    static char printed[128];
    char line[128] = "child";
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    int64_t nanoseconds = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    bool is_over = known.deadline && known.deadline <= nanoseconds;
    bool is_signed_out = !known.session[0] || (known.session_deadline && known.session_deadline <= nanoseconds);
    if (!known.is_true) {
        strcpy(line, "child (no connection)");
    } else {
        if (!is_over && known.mode == GATE__V1__MODE_STATE__MODE__MODE_PARENT) strcpy(line, "parent");
        if (!is_over && known.mode == GATE__V1__MODE_STATE__MODE__MODE_VERIFYING) strcpy(line, "verifying");
        if (!is_signed_out) strcat(strcat(line, ", signed in: "), known.session);
    }
    if (strcmp(printed, line) != 0) puts(strcpy(printed, line));
    // poll's own time limit does not run while the device sleeps; this clock does.
    int64_t next = is_over ? 0 : known.deadline;
    if (!is_signed_out && known.session_deadline && (!next || known.session_deadline < next)) next = known.session_deadline;
    struct itimerspec at = {.it_value = {next / 1000000000, next % 1000000000}};
    timerfd_settime(alarm_clock, TFD_TIMER_ABSTIME, &at, NULL);
}

static bool changed(const uint8_t *message, size_t size)
{
    Gate__V1__WatchResponse *change = gate__v1__watch_response__unpack(NULL, size, message);
    if (!change || !change->revision) return false;
    if (change->is_snapshot) memset(&known, 0, sizeof known);
    known.is_true = true;
    seen.epoch = change->revision->epoch;
    seen.number = change->revision->number;
    if (change->mode) {
        known.mode = change->mode->mode;
        known.deadline = change->mode->deadline_boottime_nanoseconds;
    }
    if (change->sign_in) {
        const Gate__V1__Session *session = change->sign_in->session;
        snprintf(known.session, sizeof known.session, "%s", session ? session->name : "");
        known.session_deadline = session ? session->deadline_boottime_nanoseconds : 0;
    }
    gate__v1__watch_response__free_unpacked(change, NULL);
    return true;
}

static _Noreturn void watch(void)
{
    Gate__V1__Topic topics[] = {GATE__V1__TOPIC__TOPIC_MODE, GATE__V1__TOPIC__TOPIC_SIGN_IN};
    Gate__V1__WatchRequest request = GATE__V1__WATCH_REQUEST__INIT;
    request.n_topics = 2;
    request.topics = topics;
    alarm_clock = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    for (;;) {
        request.after = seen.number ? &seen : NULL;
        if (dial() && gate_stream(gate, &gate__v1__watch__descriptor, "Watch", &request, changed))
            for (enum gate_event event; (event = gate_wait(gate, alarm_clock)) != GATE_LOST; print_known()) {
                uint64_t times;
                if (event == GATE_READY && read(alarm_clock, &times, sizeof times) < 0) continue; // it was set again meanwhile
            }
        known.is_true = false;
        print_known();
        sleep(1);
    }
}

// MARK: questions

// Shows a sum. Returns false if it is another question, which this program can't show.
static bool show(const Gate__V1__Presentation *question)
{
    if (question->content_case != GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_CHOICE) return false;
    static const char *const signs[] = {"?", "+", "−", "×", "÷"};
    const Gate__V1__ArithmeticChoice *sum = question->arithmetic_choice;
    const Gate__V1__Asked *asked = question->summary->asked;
    printf("%s (unverified), user %" PRIu32 ": %s %s\n", asked->program, asked->uid, asked->title, asked->details);
    printf("%" PRIu32 " %s %" PRIu32 " = ?", sum->left, sum->operation <= 4 ? signs[sum->operation] : "?", sum->right);
    for (size_t i = 0; i < sum->n_choices; i++) printf("  %" PRIu32, sum->choices[i]);
    puts("");
    return true;
}

// The line that the person has typed, without its end. NULL at the end of the input.
static char *typed(void)
{
    static char *line;
    static size_t size;
    ssize_t count = getline(&line, &size, stdin);
    if (count > 0 && line[count - 1] == '\n') line[count - 1] = 0;
    return count > 0 ? line : NULL;
}

// Dismisses a question that is not answered here.
static int dismiss(const Gate__V1__Presentation *question, int status)
{
    Gate__V1__DismissRequest dismissal = GATE__V1__DISMISS_REQUEST__INIT;
    dismissal.cookie = question->cookie;
    void *answer = gate_call(gate, presentations, "Dismiss", &dismissal);
    gate_free(answer);
    return answer ? status : exit_status();
}

// Asks for the gated action link.open, shows the question itself, and redeems the grant.
static int open_link(char *url)
{
    Gate__V1__AuthorizeRequest wish = GATE__V1__AUTHORIZE_REQUEST__INIT;
    wish.gated_action = "link.open";
    wish.details = url;
    wish.presents_itself = true;
    Gate__V1__AuthorizeResponse *response = dial() ? gate_call(gate, authorization, "Authorize", &wish) : NULL;
    if (!response) return exit_status();
    Gate__V1__Presentation *question =
        response->result_case == GATE__V1__AUTHORIZE_RESPONSE__RESULT_PRESENTATION ? response->presentation : NULL;
    Gate__V1__Grant *grant = response->result_case == GATE__V1__AUTHORIZE_RESPONSE__RESULT_GRANT ? response->grant : NULL;

    while (question) {
        if (!show(question)) return dismiss(question, NOT_SHOWN);
        enum gate_event event;
        while ((event = gate_wait(gate, STDIN_FILENO)) == GATE_HEARD) continue;
        if (event == GATE_LOST) return exit_status();
        Gate__V1__CompleteRequest answer = GATE__V1__COMPLETE_REQUEST__INIT;
        answer.cookie = question->cookie;
        answer.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT;
        if (!(answer.text = typed())) return dismiss(question, REFUSED);
        Gate__V1__CompleteResponse *answered = gate_call(gate, presentations, "Complete", &answer);
        if (!answered && gate_code(gate) == GATE_INVALID_ARGUMENT) continue; // the question is still open
        if (!answered) return exit_status();
        question = answered->result_case == GATE__V1__COMPLETE_RESPONSE__RESULT_NEXT ? answered->next : NULL;
        grant = answered->result_case == GATE__V1__COMPLETE_RESPONSE__RESULT_GRANT ? answered->grant : NULL;
    }
    if (!grant) return NO_DAEMON;

    Gate__V1__RedeemRequest use = GATE__V1__REDEEM_REQUEST__INIT;
    use.proof = grant->proof;
    use.gated_action = "link.open";
    use.details = url; // what this program is about to do, not what the daemon granted
    if (!gate_call(gate, authorization, "Redeem", &use)) return exit_status();
    printf("granted: %s\n", url);
    return 0;
}

// MARK: presenting

static Gate__V1__RegisterPresenterResponse *screen; // the newest message of the stream

static bool offered(const uint8_t *message, size_t size)
{
    if (screen) gate__v1__register_presenter_response__free_unpacked(screen, NULL);
    screen = gate__v1__register_presenter_response__unpack(NULL, size, message);
    return screen != NULL;
}

// Shows questions of other programs, until the connection is lost or the input ends.
static int present(void)
{
    Gate__V1__PresentationKind kinds[] = {GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_ARITHMETIC_CHOICE};
    Gate__V1__Style styles[] = {GATE__V1__STYLE__STYLE_SHEET};
    Gate__V1__RegisterPresenterRequest registration = GATE__V1__REGISTER_PRESENTER_REQUEST__INIT;
    registration.n_kinds = registration.n_styles = 1;
    registration.kinds = kinds;
    registration.styles = styles;
    if (!dial() || !gate_stream(gate, presentations, "RegisterPresenter", &registration, offered))
        return exit_status();

    Gate__V1__Presentation *shown = NULL; // what is on the screen
    uint64_t claimed = 0;                 // the presentation that was claimed last
    for (enum gate_event event = GATE_HEARD; event != GATE_LOST;) {
        const Gate__V1__PresentationSummary *now = screen ? screen->presentation : NULL;
        if (!now) claimed = 0; // it may be offered again
        if (shown && (!now || now->id != claimed)) {
            gate__v1__presentation__free_unpacked(shown, NULL);
            shown = NULL;
            puts("the screen is clear");
        }
        if (now && now->stage == GATE__V1__STAGE__STAGE_OFFERED && now->id != claimed) {
            Gate__V1__ClaimRequest claim = GATE__V1__CLAIM_REQUEST__INIT;
            claim.id = claimed = now->id;
            Gate__V1__ClaimResponse *response = gate_call(gate, presentations, "Claim", &claim);
            if (!response) continue; // another presenter was faster
            shown = response->presentation;
            response->presentation = NULL;
            gate_free(response);
            Gate__V1__ReportRequest report = GATE__V1__REPORT_REQUEST__INIT;
            report.cookie = shown->cookie;
            report.input = GATE__V1__INPUT__INPUT_SHOWN;
            if (show(shown)) gate_free(gate_call(gate, presentations, "Report", &report));
            continue; // the stream may have sent something meanwhile
        }
        event = gate_wait(gate, shown ? STDIN_FILENO : -1);
        if (event != GATE_READY) continue;
        Gate__V1__CompleteRequest answer = GATE__V1__COMPLETE_REQUEST__INIT;
        answer.cookie = shown->cookie;
        answer.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT;
        if (!(answer.text = typed())) return dismiss(shown, 0);
        gate_free(gate_call(gate, presentations, "Complete", &answer)); // right or wrong: the stream says what comes next
    }
    if (shown) puts("the screen is clear");
    return exit_status();
}

// MARK: signing in

static int sign_in(char *name)
{
    Gate__V1__LogInRequest who = GATE__V1__LOG_IN_REQUEST__INIT;
    if (!dial()) return NO_DAEMON;
    char *password = isatty(STDIN_FILENO) ? getpass("Password: ") : typed();
    who.name = name;
    who.password.data = (uint8_t *)password;
    who.password.len = password ? strlen(password) : 0;
    Gate__V1__LogInResponse *response = gate_call(gate, &gate__v1__sign_in__descriptor, "LogIn", &who);
    if (password) explicit_bzero(password, who.password.len);
    if (!response) return exit_status();
    const Gate__V1__Session *session = response->state ? response->state->session : NULL;
    if (!session) return NO_DAEMON;
    printf("signed in: %s%s\n", session->name, session->is_child ? ", a child" : "");
    return 0;
}

int main(int count, char **words)
{
    const struct passwd *user = getpwnam("gate");
    server_user = user ? user->pw_uid : 0;
    if (count > 2 && strcmp(words[1], "--server-user") == 0) { // for a private daemon
        server_user = strtoul(words[2], NULL, 10);
        words += 2;
        count -= 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0); // so that poll notices each line that was not read yet
    if (count == 2 && strcmp(words[1], "watch") == 0) watch();
    if (count == 3 && strcmp(words[1], "open") == 0) return open_link(words[2]);
    if (count == 2 && strcmp(words[1], "present") == 0) return present();
    if (count == 3 && strcmp(words[1], "sign-in") == 0) return sign_in(words[2]);
    fputs("usage: gate [--server-user UID] watch | open URL | present | sign-in NAME\n", stderr);
    return USAGE;
}
