// Requests of an app or of xdg-desktop-portal, until gated or a person has answered. A request is in one of these states:
//
// | state    | what is true                            | events                                                                         |
// |----------|-----------------------------------------|--------------------------------------------------------------------------------|
// | new      | it counts for its connection            | its interface has read it: open; it can't be asked: an error, the end          |
// | open     | gated has the call, under the app's     | gated has answered, or is lost: the answer, the end; the caller closes it, or   |
// |          | name; it counts for its app and for all | leaves the bus: the call is cancelled, the end                                 |
//
// An answer that gated gives after the end is ignored: libgate does not call the handler of a cancelled call.
//
// gated takes the name of a program from the connection, so each app has a connection of its own, as long as it has requests.
#include <errno.h>
#include <gate-glib.h>
#include <string.h>

#include "portal.h"

struct app {
    char *name;
    gate *gate;
    guint source, idle;             // ids in GLib; 0: none
    unsigned requests;
};

static const struct settings *settings;
static GHashTable *requests;        // a set
static GHashTable *apps;            // by name
static unsigned open_count;         // of the requests that have an app

void requests_start(const struct settings *from) {
    settings = from;
    requests = g_hash_table_new(NULL, NULL);
    apps = g_hash_table_new(g_str_hash, g_str_equal);
}

// MARK: apps

static void app_free(struct app *app) {
    g_hash_table_remove(apps, app->name);
    g_source_remove(app->source);
    if (app->idle) g_source_remove(app->idle);
    gate_free(app->gate);
    g_free(app->name);
    g_free(app);
}

static gboolean app_free_unused(gpointer userdata) {
    struct app *app = userdata;
    app->idle = 0;
    if (app->requests == 0) app_free(app);
    return G_SOURCE_REMOVE;
}

static struct app *app_for(const char *name) {
    struct app *app = g_hash_table_lookup(apps, name);
    if (app || g_hash_table_size(apps) >= MAXIMUM_APPS) return app;
    gate *gate = gate_for(settings, name);
    if (!gate) return NULL;
    app = g_new0(struct app, 1);
    *app = (struct app){.name = g_strdup(name), .gate = gate, .source = gate_source_attach(gate, NULL)};
    g_hash_table_insert(apps, app->name, app);
    return app;
}

gate *app_gate(const struct app *app) {
    return app->gate;
}

bool request_set_app(struct request *request, const char *name) {
    struct app *app = open_count < MAXIMUM_REQUESTS ? app_for(name) : NULL;
    if (!app || app->requests >= REQUESTS_OF_CALLER) return false;
    app->requests++;
    open_count++;
    request->app = app;
    return true;
}

static void app_release(struct app *app) {
    open_count--;
    // Not at once, since a handler of its handle may be what ends the request.
    if (--app->requests == 0 && !app->idle) app->idle = g_idle_add(app_free_unused, app);
}

// MARK: requests

static void close_request(struct request *request) {
    request->kind->close(request);
    request_free(request);
}

static void name_changed(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal, GVariant *parameters,
    gpointer userdata) {
    const char *owner;
    (void)bus, (void)sender, (void)path, (void)interface, (void)signal;
    g_variant_get(parameters, "(&s&s&s)", NULL, NULL, &owner);
    if (!*owner) close_request(userdata);
}

struct request *request_open(const struct request_kind *kind, GDBusMethodInvocation *invocation, const char *leaver) {
    const char *sender = g_dbus_method_invocation_get_sender(invocation);
    GHashTableIter iterator;
    struct request *other;
    unsigned count = 0;
    g_hash_table_iter_init(&iterator, requests);
    while (g_hash_table_iter_next(&iterator, (gpointer *)&other, NULL)) count += strcmp(other->sender, sender) == 0;
    // xdg-desktop-portal asks for all apps.
    bool is_for_others = strcmp(sender, leaver) != 0;
    // A request that has no app yet does not count towards the limit for all apps; otherwise an app with many connections could use it up.
    if (!is_for_others && count >= REQUESTS_OF_CALLER) return NULL;
    struct request *request = g_new0(struct request, 1);
    *request = (struct request){.kind = kind, .bus = g_dbus_method_invocation_get_connection(invocation), .invocation = invocation,
        .sender = g_strdup(sender), .cancellable = g_cancellable_new()};
    request->watch = g_dbus_connection_signal_subscribe(request->bus, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged",
        "/org/freedesktop/DBus", leaver, G_DBUS_SIGNAL_FLAGS_NONE, name_changed, request, NULL);
    g_hash_table_add(requests, request);
    return request;
}

static void called(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method, GVariant *parameters,
    GDBusMethodInvocation *invocation, gpointer userdata) {
    struct request *request = userdata;
    (void)bus, (void)path, (void)interface, (void)method, (void)parameters;
    if (strcmp(sender, request->sender) != 0) {
        g_dbus_method_invocation_return_error_literal(invocation, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED, "This request is another program's.");
        return;
    }
    g_dbus_method_invocation_return_value(invocation, NULL);
    close_request(request);
}

bool request_export(struct request *request, const char *path, GDBusInterfaceInfo *interface) {
    static const GDBusInterfaceVTable functions = {.method_call = called};
    request->object = g_dbus_connection_register_object(request->bus, path, interface, &functions, request, NULL, NULL);
    if (request->object) request->path = g_strdup(path);
    return request->object != 0;
}

void request_free(struct request *request) {
    g_hash_table_remove(requests, request);
    g_cancellable_cancel(request->cancellable);
    g_object_unref(request->cancellable);
    if (request->watch) g_dbus_connection_signal_unsubscribe(request->bus, request->watch);
    if (request->timer) g_source_remove(request->timer);
    if (request->object) g_dbus_connection_unregister_object(request->bus, request->object);
    if (request->call) gate_cancel(request->app->gate, request->call);
    if (request->app) app_release(request->app);
    g_free(request->sender);
    g_free(request->path);
    g_free(request->more);
    g_free(request);
}

void request_answer(struct request *request, enum response response, const gate_error *error) {
    request->kind->answer(request, response, error);
    request_free(request);
}

void request_decided(gate *gate, const gate_error *error, void *userdata) {
    struct request *request = userdata;
    (void)gate;
    request->call = 0;
    bool is_no = error && (error->code == GATE_CANCELLED || error->reason == GATE_REASON_REFUSED || error->reason == GATE_REASON_DENIED);
    request_answer(request, !error ? RESPONSE_YES : is_no ? RESPONSE_NO : RESPONSE_OTHER, error);
}

void requests_stop(void) {
    GHashTableIter iterator;
    struct request *request;
    struct app *app;
    for (;;) {
        g_hash_table_iter_init(&iterator, requests);
        if (!g_hash_table_iter_next(&iterator, (gpointer *)&request, NULL)) break;
        close_request(request);
    }
    for (;;) {
        g_hash_table_iter_init(&iterator, apps);
        if (!g_hash_table_iter_next(&iterator, NULL, (gpointer *)&app)) break;
        app_free(app);
    }
    g_hash_table_unref(requests);
    g_hash_table_unref(apps);
}
