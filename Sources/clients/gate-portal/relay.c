// The relay: a socket of the session, $XDG_RUNTIME_DIR/gate/portal, over which sandboxed apps talk with gated in its own language. An app
// in a sandbox can't reach gated, and could not check that it is gated, since its user namespace does not map gated's user. So it trusts
// this process, which runs as the app's own user and has checked gated.
//
// Each connection of an app has one of its own to gated, so that a grant, a stream and a count of time end with the app. relay-frames.c says
// what goes from one to the other, relay-calls.c which calls may. Here are the sockets:
//
// | event                                       | what happens                                                                      |
// |---------------------------------------------|-----------------------------------------------------------------------------------|
// | somebody connects                           | it is closed at once, unless it is an app of this user, there is room, and gated   |
// |                                             | is there and is gated                                                             |
// | the app's socket has bytes                  | they are read, unless something of the app's waits                                |
// | the app hangs up, or breaks the protocol    | both sockets are closed; gated cancels what was open                              |
// | gated's socket has bytes                    | they are read, unless the app has not read the earlier ones                       |
// | gated hangs up                              | the app gets what came before, and then both sockets are closed                   |
//
// No connection waits for another one, and an app that does not read costs a fixed amount of memory.
#define _GNU_SOURCE
#include <errno.h>
#include <glib-unix.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../libgate/trust.h"
#include "portal.h"

enum { PAUSE_MSEC = 200, PEER_PIDFD = 77, PASS_RIGHTS = 83 }; // SO_PEERPIDFD since Linux 6.5, SO_PASSRIGHTS since 6.16

struct end { int socket; gpointer tag; GIOCondition events; }; // tag: of the source that polls it; NULL: it is not polled

struct connection {
    GSource source;             // the first field, as GLib wants it
    struct connection *next;
    struct relay *relay;
    struct end app, gated;
    bool is_deaf;               // gated reads no more
    char id[APP_NAME_BYTES];
    struct relay_frames frames;
};

struct relay {
    GMainContext *context;
    int listener;
    GSource *accepting;         // NULL: paused
    GSource *pause;
    const struct settings *settings;
    struct connection *connections;
};

// MARK: a connection

static void connection_close(struct connection *connection) {
    struct connection **link = &connection->relay->connections;
    while (*link != connection) link = &(*link)->next;
    *link = connection->next;
    close(connection->app.socket);
    close(connection->gated.socket);
    relay_frames_free(&connection->frames);
    g_source_destroy(&connection->source);
    g_source_unref(&connection->source);
}

// Both return false if the other side is gone.
static bool receive(int socket, uint8_t *room, size_t size, size_t *count) {
    *count = 0;
    ssize_t received = recv(socket, room, size, MSG_DONTWAIT);
    if (received < 0) return errno == EAGAIN || errno == EINTR;
    *count = (size_t)received;
    return received > 0;
}

static bool deliver(int socket, const uint8_t *bytes, size_t size, size_t *count) {
    *count = 0;
    ssize_t sent = send(socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    *count = (size_t)sent;
    return true;
}

// Passes on what waits for either side. Returns false if the app is gone.
static bool send_waiting(struct connection *connection) {
    struct relay_frames *frames = &connection->frames;
    const uint8_t *bytes;
    size_t size, count;
    while ((size = relay_answers(frames, &bytes)) > 0) {
        if (!deliver(connection->app.socket, bytes, size, &count)) return false;
        if (count == 0) break;
        relay_answers_went(frames, count);
    }
    if ((size = relay_requests(frames, &bytes)) > 0) {
        // What gated has said before it went has still to be read.
        if (!deliver(connection->gated.socket, bytes, size, &count)) connection->is_deaf = true;
        else relay_requests_went(frames, count);
    }
    return true;
}

// Polls a socket for these events. Without events it is not polled at all, because poll would report a hang-up again and again. With
// `always`, as for the app's socket, it is.
static void poll_for(struct connection *connection, struct end *end, GIOCondition events, bool always) {
    if (!events && !always) {
        if (end->tag) g_source_remove_unix_fd(&connection->source, end->tag);
        end->tag = NULL;
    } else if (!end->tag) {
        end->tag = g_source_add_unix_fd(&connection->source, end->socket, events);
    } else if (events != end->events) {
        g_source_modify_unix_fd(&connection->source, end->tag, events);
    }
    end->events = events;
}

static void poll_again(struct connection *connection) {
    struct relay_frames *frames = &connection->frames;
    const uint8_t *bytes;
    uint8_t *room;
    GIOCondition app = 0, gated = 0;
    if (relay_answers(frames, &bytes) > 0) app |= G_IO_OUT;
    if (relay_room_for_requests(frames, &room) > 0 && !connection->is_deaf) app |= G_IO_IN;
    if (relay_requests(frames, &bytes) > 0 && !connection->is_deaf) gated |= G_IO_OUT;
    if (relay_room_for_answers(frames, &room) > 0) gated |= G_IO_IN;
    poll_for(connection, &connection->app, app, true);
    poll_for(connection, &connection->gated, gated, false);
}

// One round: each socket is read from at most once, so that a busy app does not keep the others waiting. Returns false at the end.
static bool connection_turn(struct connection *connection) {
    struct relay_frames *frames = &connection->frames;
    uint8_t *room;
    size_t size, count;
    GIOCondition app = g_source_query_unix_fd(&connection->source, connection->app.tag);
    GIOCondition gated = connection->gated.tag ? g_source_query_unix_fd(&connection->source, connection->gated.tag) : 0;
    if (app & (G_IO_HUP | G_IO_ERR)) return false;
    if ((gated & (G_IO_IN | G_IO_HUP | G_IO_ERR)) && (size = relay_room_for_answers(frames, &room)) > 0) {
        // It is only read from if nothing waits for the app, so the app has everything that came before the end.
        if (!receive(connection->gated.socket, room, size, &count)) return false;
        if (count > 0) relay_answers_came(frames, count);
    }
    if ((app & G_IO_IN) && !connection->is_deaf && (size = relay_room_for_requests(frames, &room)) > 0) {
        if (!receive(connection->app.socket, room, size, &count)) return false;
        if (count > 0) relay_requests_came(frames, count);
    }
    return !frames->is_broken && send_waiting(connection);
}

static gboolean connection_ready(GSource *source, GSourceFunc unused, gpointer also_unused) {
    struct connection *connection = (struct connection *)source;
    (void)unused, (void)also_unused;
    if (connection_turn(connection)) poll_again(connection);
    else connection_close(connection);
    return G_SOURCE_CONTINUE;
}

static GSourceFuncs connection_functions = {.dispatch = connection_ready};

// MARK: accepting

// Connects to gated. Returns -1 if it is not there, or is not gated.
static int connect_to_gated(const struct settings *settings) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = settings->gate_socket ? settings->gate_socket : getenv("GATE_SOCKET");
    uid_t who;
    if (!path || !*path) path = DAEMON_SOCKET;
    if (g_strlcpy(address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) return -1;
    int new = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (new < 0) return -1;
    // If gated's queue is full (EAGAIN), the app tries again.
    if (connect(new, (struct sockaddr *)&address, sizeof address) == 0
        && trust_of_server(new, settings->has_server_uid ? &settings->server_uid : NULL, &who) == TRUSTED)
        return new;
    close(new);
    return -1;
}

static bool has_room(const struct relay *relay, const char *app) {
    size_t all = 0, of_app = 0;
    for (const struct connection *connection = relay->connections; connection; connection = connection->next) {
        all++;
        of_app += strcmp(connection->id, app) == 0;
    }
    return all < RELAY_CONNECTIONS && of_app < RELAY_APP_CONNECTIONS;
}

// Whether the peer is an app of this user. Programs outside of sandboxes have gated's own socket. Of a longer id gated would keep the
// beginning, which can be that of another app.
static bool is_app(int socket, char id[APP_NAME_BYTES]) {
    struct ucred peer = {0};
    int pidfd = -1;
    socklen_t size = sizeof peer, pidfd_size = sizeof pidfd;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) return false;
    if (getsockopt(socket, SOL_SOCKET, PEER_PIDFD, &pidfd, &pidfd_size) != 0) pidfd = -1;
    bool is = app_identify(peer.pid, pidfd, id) == APP_SANDBOXED && strlen(id) <= RELAY_ID_BYTES;
    if (pidfd >= 0) close(pidfd);
    return is;
}

static void connection_open(struct relay *relay, int socket) {
    char id[APP_NAME_BYTES] = "";
    int gated = is_app(socket, id) && has_room(relay, id) ? connect_to_gated(relay->settings) : -1;
    if (gated < 0) {
        close(socket);
        return;
    }
    struct connection *connection = (struct connection *)g_source_new(&connection_functions, sizeof *connection);
    memcpy(connection->id, id, sizeof id);
    connection->relay = relay;
    connection->app.socket = socket;
    connection->gated.socket = gated;
    connection->frames.app = connection->id;
    connection->next = relay->connections;
    relay->connections = connection;
    poll_again(connection);
    g_source_attach(&connection->source, relay->context);
}

static void accept_again(struct relay *relay);

static gboolean pause_over(gpointer userdata) {
    struct relay *relay = userdata;
    g_source_unref(relay->pause);
    relay->pause = NULL;
    accept_again(relay);
    return G_SOURCE_REMOVE;
}

static gboolean accept_ready(int listener, GIOCondition condition, gpointer userdata) {
    struct relay *relay = userdata;
    (void)condition;
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
        connection_open(relay, socket);
        return G_SOURCE_CONTINUE;
    }
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return G_SOURCE_CONTINUE;
    // No descriptors or no memory are left. New connections stay in the kernel's queue.
    g_source_unref(relay->accepting);
    relay->accepting = NULL;
    relay->pause = g_timeout_source_new(PAUSE_MSEC);
    g_source_set_callback(relay->pause, pause_over, relay, NULL);
    g_source_attach(relay->pause, relay->context);
    return G_SOURCE_REMOVE;
}

static void accept_again(struct relay *relay) {
    relay->accepting = g_unix_fd_source_new(relay->listener, G_IO_IN);
    g_source_set_callback(relay->accepting, G_SOURCE_FUNC(accept_ready), relay, NULL);
    g_source_attach(relay->accepting, relay->context);
}

// MARK: the relay

struct relay *relay_start(GMainContext *context, int listener, const struct settings *settings) {
    int type = 0, is_listening = 0, refused = 0;
    socklen_t size = sizeof type, other = sizeof is_listening;
    if (getsockopt(listener, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM) return NULL;
    if (getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &other) != 0 || !is_listening) return NULL;
    if (!g_unix_set_fd_nonblocking(listener, TRUE, NULL)) return NULL;
    // Descriptors that apps send along are of no use, and the kernel would close them in this process, which can take long (SO_LINGER).
    // Before Linux 6.16 that can't be refused.
    (void)setsockopt(listener, SOL_SOCKET, PASS_RIGHTS, &refused, sizeof refused);
    struct relay *relay = g_new0(struct relay, 1);
    relay->context = context;
    relay->listener = listener;
    relay->settings = settings;
    accept_again(relay);
    return relay;
}

void relay_stop(struct relay *relay) {
    if (!relay) return;
    while (relay->connections) connection_close(relay->connections);
    GSource *sources[] = {relay->accepting, relay->pause};
    for (size_t i = 0; i < G_N_ELEMENTS(sources); i++) {
        if (!sources[i]) continue;
        g_source_destroy(sources[i]);
        g_source_unref(sources[i]);
    }
    close(relay->listener);
    g_free(relay);
}
