// Guesses a passcode as many users. It runs as root of a user namespace with a range of uids, and uses one after the
// other. Prints how many guesses were checked, and how many were refused unchecked.
// usage: guess SOCKET GATED-ACTION SECONDS      in `unshare --user --map-root-user --map-auto`
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../Hostile/hostile.h"

// Guessers at the same time, each as another user.
enum { GUESSERS = 8, FIRST_UID = 1, LAST_UID = 65000 };

static struct tally {
    _Atomic unsigned long checked, refused, right, hang_ups;
    _Atomic unsigned next_uid, next_passcode;
} *tally;

void broken(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

// As this user, asks and answers until nothing more is checked.
static void guess_as(uid_t uid, struct scene *scene, const char *gated_action, double until) {
    if (setgroups(0, NULL) != 0 || setgid(uid) != 0 || setuid(uid) != 0) fail_system("can't become %u", uid);
    struct peer *peer = open_peer(scene);
    while (peer && now() < until) {
        struct bytes message = authorize_message(gated_action, true), guess = {0};
        struct answer answer;
        struct field presentation, cookie;
        if (!call(peer, "Authorization/Authorize", &message, &answer)) break;
        free(message.data);
        if (answer.code == RESOURCE_EXHAUSTED) {
            tally->refused++;
            return;
        }
        if (answer.code != OK || !find_field(message_of(&answer), 3, &presentation) || !find_field(presentation.fields, 2, &cookie))
            broken("Authorization/Authorize: code %d: %s", answer.code, answer.message);
        char passcode[16];
        snprintf(passcode, sizeof passcode, "%04u", tally->next_passcode++ % 10000);
        put_data(&guess, 1, cookie.fields.next, (size_t)cookie.value);
        put_data(&guess, 3, passcode, strlen(passcode));
        if (!call(peer, "Presentations/Complete", &guess, &answer)) break;
        free(guess.data);
        if (answer.code == OK) {
            tally->right++;
            printf("%s\n", passcode);
        }
        if (answer.code == OK || answer.code == FAILED_PRECONDITION) tally->checked++; else tally->refused++;
    }
    tally->hang_ups++;
}

// All processes end together with the first one.
static void stop(int signal_) {
    (void)signal_;
    kill(0, SIGKILL);
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: guess SOCKET GATED-ACTION SECONDS\n");
        return 64;
    }
    static struct scene scene;
    snprintf(scene.socket, sizeof scene.socket, "%s", arguments[1]);
    double until = now() + atof(arguments[3]);
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED) fail_system("no memory to share");
    tally->next_uid = FIRST_UID;
    if (setpgid(0, 0) != 0) fail_system("no group of processes");
    signal(SIGTERM, stop);
    for (int i = 0; i < GUESSERS; i++) {
        if (fork() != 0) continue;
        // One child process for each user, since a process can't get its privileges back.
        while (now() < until) {
            unsigned uid = tally->next_uid++;
            if (uid > LAST_UID) tally->next_uid = FIRST_UID;
            pid_t guesser = fork();
            if (guesser == 0) {
                guess_as((uid_t)uid, &scene, arguments[2], until);
                _exit(0);
            }
            int status = 0;
            waitpid(guesser, &status, 0);
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) _exit(1);
        }
        _exit(0);
    }
    int status, code = 0;
    while (wait(&status) > 0) code |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    if (tally->checked + tally->refused == 0) broken("nobody was answered; %lu could not connect, or were hung up on", tally->hang_ups);
    printf("users %u checked %lu right %lu refused %lu\n", tally->next_uid - FIRST_UID, tally->checked, tally->right, tally->refused);
    return code;
}
