// gate-portal: asks Gate on behalf of sandboxed apps. Flatpak's apps see neither the socket of gated nor who serves it, so without this program
// they are in child mode for ever. It runs in the session of each user, as that user, and has three parts:
//
// - portal.c: org.gate.Portal on the session's bus, with calls like those of xdg-desktop-portal;
// - access.c: a backend of xdg-desktop-portal, so that a gate stands before an app's camera, location and screenshots;
// - relay.c: a socket on which apps speak with gated as they do outside of a sandbox.
//
// It decides nothing: gated does, and treats each question as one of this user's. gated can't verify the app's name, which this program
// states, so screens show it as unverified. All of this restrains apps, but not the person: every program of the same user outside a
// sandbox may do what this one does.
//
//     gate-portal [--NAME=VALUE ...]
//
// Options, for tests: --gate-socket=PATH and --server-uid=UID, for a gated of one's own. The relay's socket comes from systemd, or is made at
// $XDG_RUNTIME_DIR/gate/portal.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "portal.h"

enum { FIRST_PASSED = 3, BACKLOG = 64 }; // systemd passes descriptors from this number on

gate *gate_for(const struct settings *settings, const char *program) {
    gate *made;
    if (gate_new(&made) < 0) return NULL;
    bool is_set = gate_set_program(made, program) == 0;
    if (settings->gate_socket) is_set = is_set && gate_set_socket(made, settings->gate_socket) == 0;
    if (settings->has_server_uid) is_set = is_set && gate_set_server_uid(made, settings->server_uid) == 0;
    return is_set ? made : gate_free(made);
}

// MARK: the relay's socket

// The socket that systemd has passed, or -1.
static int passed_listener(void) {
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    int type = 0;
    socklen_t size = sizeof type;
    if (!pid || !count || strtol(pid, NULL, 10) != getpid() || strcmp(count, "1") != 0) return -1;
    if (getsockopt(FIRST_PASSED, SOL_SOCKET, SO_ACCEPTCONN, &type, &size) != 0 || !type) return -1;
    return fcntl(FIRST_PASSED, F_SETFD, FD_CLOEXEC) == 0 ? FIRST_PASSED : -1; // relay_start() makes it non-blocking
}

// Whether another program listens at this address: systemd, or the gate-portal of another bus of the same person's.
static bool is_taken(const struct sockaddr_un *address) {
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is = probe >= 0 && (connect(probe, (const struct sockaddr *)address, sizeof *address) == 0 || errno == EAGAIN);
    if (probe >= 0) close(probe);
    return is;
}

// Makes the socket itself, in a session that systemd does not run. Returns -1 if that can't be, or need not be.
static int own_listener(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *folder = g_build_filename(g_get_user_runtime_dir(), "gate", NULL), *path = g_build_filename(folder, "portal", NULL);
    int listener = -1;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) goto end;
    if (g_strlcpy(address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) goto end;
    if (is_taken(&address)) {
        errno = EADDRINUSE;
        goto end;
    }
    // The program that listened here before has ended, and left its socket behind.
    if (unlink(path) != 0 && errno != ENOENT) goto end;
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener >= 0 && (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, BACKLOG) != 0)) {
        close(listener);
        listener = -1;
    }
end:
    if (listener < 0) fprintf(stderr, "no socket for sandboxed apps at %s: %s\n", path, g_strerror(errno));
    g_free(path);
    g_free(folder);
    return listener;
}

// MARK: the loop

static gboolean quit(gpointer loop) {
    g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

// The two names on the bus. This program is of use with both.
struct owning { GMainLoop *loop; unsigned count; bool has_lost; };

static void name_acquired(GDBusConnection *bus, const char *name, gpointer userdata) {
    struct owning *owning = userdata;
    (void)bus, (void)name;
    owning->count++;
}

static void name_lost(GDBusConnection *bus, const char *name, gpointer userdata) {
    struct owning *owning = userdata;
    g_main_loop_quit(owning->loop);
    if (!bus) return; // the session ends, and has no bus any more
    fprintf(stderr, "another program has the name %s on the session bus\n", name);
    owning->has_lost = true;
}

static bool take_setting(struct settings *settings, const char *word) {
    const char *value = strchr(word, '=');
    char *rest = NULL;
    if (!value || !*++value) return false;
    if (g_str_has_prefix(word, "--gate-socket=")) settings->gate_socket = value;
    else if (g_str_has_prefix(word, "--server-uid=")) settings->server_uid = (uid_t)strtoul(value, &rest, 10), settings->has_server_uid = true;
    else return false;
    return !rest || !*rest;
}

int main(int count, char **words) {
    struct settings settings = {0};
    for (int i = 1; i < count; i++) {
        if (take_setting(&settings, words[i])) continue;
        fprintf(stderr, "gate-portal has no option '%s'\n", words[i]);
        return 64;
    }
    umask(077);
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    g_unix_signal_add(SIGTERM, quit, loop);
    g_unix_signal_add(SIGINT, quit, loop);
    GError *error = NULL;
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
    if (!bus) {
        fprintf(stderr, "there is no session bus: %s\n", error->message);
        return 69;
    }
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    g_signal_connect_swapped(bus, "closed", G_CALLBACK(g_main_loop_quit), loop);
    requests_start(&settings);
    if (!portal_start(bus, &settings) || !access_start(bus)) {
        fputs("org.gate.Portal can't be offered on the session bus\n", stderr);
        return 69;
    }
    struct relay *relay = NULL;
    struct owning owning = {.loop = loop};
    // Objects are there before the names, since callers come as soon as the names do.
    guint portal = g_bus_own_name_on_connection(bus, "org.gate.Portal", G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, name_acquired, name_lost, &owning, NULL);
    guint access = g_bus_own_name_on_connection(bus, "org.freedesktop.impl.portal.desktop.gate", G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, name_acquired,
        name_lost, &owning, NULL);
    while (!owning.has_lost && owning.count < 2 && !g_dbus_connection_is_closed(bus)) g_main_context_iteration(NULL, TRUE);
    int status = owning.has_lost ? 69 : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS) {
        permissions_start(bus);
        int listener = passed_listener();
        if (listener < 0) listener = own_listener();
        if (listener >= 0) relay = relay_start(NULL, listener, &settings);
        g_main_loop_run(loop);
        status = owning.has_lost ? 69 : EXIT_SUCCESS;
    }
    relay_stop(relay);
    requests_stop();
    g_bus_unown_name(access);
    g_bus_unown_name(portal);
    portal_stop();
    g_dbus_connection_flush_sync(bus, NULL, NULL);
    g_object_unref(bus);
    g_main_loop_unref(loop);
    return status;
}
