// Authenticates a user by a PAM service from a private folder: prints what the conversation shows, and answers with the
// lines that it reads.
// usage: ask FOLDER SERVICE USER [called-by=UID[@HOST] | caller=NAME[@HOST]]
// called-by   the real user, as with su; the effective user stays root
// caller      the user that the program names as its caller, as sudo does
// HOST        the caller's host, as a network server names it
#define _GNU_SOURCE
#include <security/pam_appl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *userdata) {
    (void)userdata;
    *responses = calloc((size_t)count, sizeof **responses);
    for (int i = 0; *responses && i < count; i++) {
        static const char *const names[] = {"?", "hidden", "shown", "error", "info"};
        char *line = NULL;
        size_t size = 0;
        printf("%s uid=%u %s\n", names[messages[i]->msg_style], (unsigned)geteuid(), messages[i]->msg);
        if (messages[i]->msg_style != PAM_PROMPT_ECHO_ON && messages[i]->msg_style != PAM_PROMPT_ECHO_OFF) continue;
        ssize_t length = getline(&line, &size, stdin);
        if (length < 0) {
            free(line);
            return PAM_CONV_ERR;
        }
        line[strcspn(line, "\n")] = 0;
        (*responses)[i].resp = line;
    }
    return *responses ? PAM_SUCCESS : PAM_BUF_ERR;
}

int main(int count, char **words) {
    const struct pam_conv conversation = {converse, NULL};
    pam_handle_t *pam = NULL;
    const char *word = count == 5 ? words[4] : "", *host = strchr(word, '@');
    char caller[64] = "";
    if (count != 4 && count != 5) return 64;
    if (strncmp(word, "called-by=", 10) == 0 && setresuid((uid_t)atoi(word + 10), 0, 0) != 0) return 71;
    if (strncmp(word, "caller=", 7) == 0)
        snprintf(caller, sizeof caller, "%.*s", (int)(host ? host - word - 7 : (long)strlen(word + 7)), word + 7);
    setvbuf(stdout, NULL, _IOLBF, 0);
    int result = pam_start_confdir(words[2], words[3], &conversation, words[1], &pam);
    if (result == PAM_SUCCESS && *caller) result = pam_set_item(pam, PAM_RUSER, caller);
    if (result == PAM_SUCCESS && host) result = pam_set_item(pam, PAM_RHOST, host + 1);
    if (result == PAM_SUCCESS) result = pam_authenticate(pam, 0);
    if (result == PAM_SUCCESS) result = pam_setcred(pam, PAM_ESTABLISH_CRED);
    printf("result %d uid=%u %s\n", result, (unsigned)geteuid(), pam_strerror(pam, result));
    pam_end(pam, result);
    return 0;
}
