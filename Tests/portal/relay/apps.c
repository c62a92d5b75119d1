// The relay by itself, with a list of apps in place of sandboxes: the n-th connection is the app whose number is behind the n-th letter of the
// argument, and the last one is used again and again. "h" is a program in no sandbox, "u" one that can't be found out, "l" an app with a
// long id: the number is how many bytes it has.
//
//     apps SOCKET GATED SERVER-UID a1a1a2h
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../../Sources/clients/gate-portal/portal.h"

static const char *apps;

enum app_kind app_identify(pid_t pid, int pidfd, char name[APP_NAME_BYTES]) {
    char kind = *apps;
    long number = strtol(apps + 1, NULL, 10);
    (void)pid, (void)pidfd;
    // "n" counts up from its number: each connection is another app.
    static long next;
    if (kind == 'n') number += next++ / 2;
    else if (apps[1 + strspn(apps + 1, "0123456789")]) apps += 1 + strspn(apps + 1, "0123456789");
    if (kind == 'l') snprintf(name, APP_NAME_BYTES, "org.example.%0*d", (int)number - 12, 0);
    else snprintf(name, APP_NAME_BYTES, "org.example.App%ld", number);
    return kind == 'h' ? APP_HOST : kind == 'u' ? APP_UNKNOWN : APP_SANDBOXED;
}

static gboolean quit(gpointer loop) {
    g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

int main(int count, char **words) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count != 5 || g_strlcpy(address.sun_path, words[1], sizeof address.sun_path) >= sizeof address.sun_path) return 64;
    struct settings settings = {.gate_socket = words[2], .server_uid = (uid_t)strtoul(words[3], NULL, 10), .has_server_uid = true};
    apps = words[4];
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (relay_start(NULL, listener, &settings) != NULL) return 1; // it does not listen
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0) return 1;
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    g_unix_signal_add(SIGTERM, quit, loop);
    struct relay *relay = relay_start(NULL, listener, &settings);
    puts("ready");
    fflush(stdout);
    g_main_loop_run(loop);
    relay_stop(relay);
    g_main_loop_unref(loop);
    return 0;
}
