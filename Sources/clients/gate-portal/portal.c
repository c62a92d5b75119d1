// org.gate.Portal, the interface for apps. portal.xml describes it.
//
// The bus says which process the caller is. For an app of Flatpak's that is its xdg-dbus-proxy, which Flatpak starts with the app's
// /.flatpak-info.
#include <errno.h>
#include <gate-glib.h>
#include <gio/gunixfdlist.h>
#include <string.h>
#include <unistd.h>

#include "interfaces.h"
#include "portal.h"

#define OBJECT "/org/gate/Portal"

static GDBusNodeInfo *interfaces;
static GDBusInterfaceInfo *request_interface;
static GDBusConnection *the_bus;
static gate *watched;               // follows the mode
static guint watched_source;
static int mode_told = GATE_MODE_CHILD;
static int64_t deadline_told;

// MARK: the mode

static const char *name_of(int mode) {
    return mode == GATE_MODE_PARENT ? "parent" : mode == GATE_MODE_VERIFYING ? "verifying" : "child";
}

static GVariant *get_property(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *name, GError **error,
    gpointer userdata) {
    (void)bus, (void)sender, (void)path, (void)interface, (void)error, (void)userdata;
    if (strcmp(name, "Mode") == 0) return g_variant_new_string(name_of(gate_get_mode(watched)));
    if (strcmp(name, "ModeDeadline") == 0) return g_variant_new_int64(gate_get_mode_deadline(watched));
    return g_variant_new_uint32(1);
}

static void tell_mode(gate *gate, const gate_update *update, void *userdata) {
    int mode = gate_get_mode(gate);
    int64_t deadline = gate_get_mode_deadline(gate);
    (void)update, (void)userdata;
    if (mode == mode_told && deadline == deadline_told) return;
    mode_told = mode;
    deadline_told = deadline;
    GVariantBuilder changed;
    g_variant_builder_init(&changed, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&changed, "{sv}", "Mode", g_variant_new_string(name_of(mode)));
    g_variant_builder_add(&changed, "{sv}", "ModeDeadline", g_variant_new_int64(deadline));
    g_dbus_connection_emit_signal(the_bus, NULL, OBJECT, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        g_variant_new("(sa{sv}as)", "org.gate.Portal", &changed, NULL), NULL);
}

// MARK: answers

// Ends the caller's call, which has no request yet, with an error.
static void refuse(struct request *request, GDBusError code, const char *why) {
    g_dbus_method_invocation_return_error_literal(request->invocation, G_DBUS_ERROR, code, why);
    request->invocation = NULL;
    request_free(request);
}

static void portal_close(struct request *request) {
    if (!request->invocation) return;
    g_dbus_method_invocation_return_error_literal(request->invocation, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY, "The request is over.");
    request->invocation = NULL;
}

static void portal_answer(struct request *request, enum response response, const gate_error *error) {
    GVariantBuilder results;
    uint64_t ask;
    int64_t until;
    g_variant_builder_init(&results, G_VARIANT_TYPE_VARDICT);
    if (error) {
        g_variant_builder_add(&results, "{sv}", "code", g_variant_new_uint32((guint32)error->code));
        g_variant_builder_add(&results, "{sv}", "reason", g_variant_new_uint32((guint32)error->reason));
        g_variant_builder_add(&results, "{sv}", "message", g_variant_new_string(error->message));
        if (error->retry_after_ms) g_variant_builder_add(&results, "{sv}", "retry_after_ms", g_variant_new_int64(error->retry_after_ms));
        if (gate_error_is_asked(error, &ask, &until)) {
            g_variant_builder_add(&results, "{sv}", "ask", g_variant_new_uint64(ask));
            g_variant_builder_add(&results, "{sv}", "until", g_variant_new_int64(until));
        }
    }
    if (request->range) {
        const gate_age_range *range = request->range;
        const char *source = range->source == GATE_AGE_SOURCE_GUARDIAN ? "guardian" : range->source == GATE_AGE_SOURCE_SELF ? "self" : "";
        g_variant_builder_add(&results, "{sv}", "low", g_variant_new_uint32(range->low));
        g_variant_builder_add(&results, "{sv}", "high", g_variant_new_uint32(range->high));
        g_variant_builder_add(&results, "{sv}", "source", g_variant_new_string(source));
    }
    // The signal is sent to the caller only.
    g_dbus_connection_emit_signal(request->bus, request->sender, request->path, "org.freedesktop.portal.Request", "Response",
        g_variant_new("(ua{sv})", (guint32)response, &results), NULL);
}

static const struct request_kind portal_kind = {.answer = portal_answer, .close = portal_close};

static void age_told(gate *gate, const gate_age_range *range, const gate_error *error, void *userdata) {
    struct request *request = userdata;
    if (!error && range->is_told) request->range = range;
    request_decided(gate, error, request);
}

// MARK: calls

// Exports the request where the caller expects it; the last part of the path differs if there is one already.
static bool export(struct request *request, GVariant *options) {
    const char *token = "t";
    char *sender = g_strdelimit(g_strdup(request->sender + 1), ".", '_'), *path = NULL;
    bool is_exported = false;
    g_variant_lookup(options, "handle_token", "&s", &token);
    for (unsigned i = 0; !is_exported && i <= REQUESTS_OF_CALLER; i++) {
        g_free(path);
        path = i ? g_strdup_printf(OBJECT "/request/%s/%s_%u", sender, token, i) : g_strdup_printf(OBJECT "/request/%s/%s", sender, token);
        if (strchr(token, '/') || strlen(token) > 255 || !g_variant_is_object_path(path)) break;
        is_exported = request_export(request, path, request_interface);
    }
    g_free(path);
    g_free(sender);
    return is_exported;
}

// Asks gated, and returns 0 or a negative errno.
static int call(struct request *request, GVariant *options) {
    GVariant *parameters = g_dbus_method_invocation_get_parameters(request->invocation);
    const char *method = g_dbus_method_invocation_get_method_name(request->invocation), *action, *details;
    gate *gate = app_gate(request->app);
    if (strcmp(method, "Authorize") == 0) {
        gboolean may_wait = FALSE;
        g_variant_lookup(options, "may_wait", "b", &may_wait);
        g_variant_get_child(parameters, 1, "&s", &action);
        g_variant_get_child(parameters, 2, "&s", &details);
        return gate_authorize(gate, action, details, may_wait ? GATE_MAY_WAIT : 0, request_decided, request, &request->call);
    }
    if (strcmp(method, "QueryAgeRange") == 0) return gate_query_age_range(gate, age_told, request, &request->call);
    g_variant_get_child(parameters, 1, "&s", &action);
    return gate_require_premium(gate, *action ? action : NULL, 0, request_decided, request, &request->call);
}

static void begin(struct request *request) {
    GVariant *parameters = g_dbus_method_invocation_get_parameters(request->invocation);
    GVariant *options = g_variant_get_child_value(parameters, g_variant_n_children(parameters) - 1);
    bool is_exported = export(request, options);
    int problem = is_exported ? call(request, options) : 0;
    g_variant_unref(options);
    if (!is_exported) return refuse(request, G_DBUS_ERROR_INVALID_ARGS, "The handle_token can't be part of an object's path.");
    if (problem == -EAGAIN || problem == -ENOMEM) return refuse(request, G_DBUS_ERROR_LIMITS_EXCEEDED, "Too much is asked of Gate now.");
    if (problem < 0) return refuse(request, G_DBUS_ERROR_INVALID_ARGS, "An argument is too long, or no text.");
    g_dbus_method_invocation_return_value(request->invocation, g_variant_new("(o)", request->path));
    request->invocation = NULL;
}

// MARK: the caller

static void identified(GObject *bus, GAsyncResult *result, gpointer userdata) {
    GUnixFDList *descriptors = NULL;
    GError *error = NULL;
    GVariant *reply = g_dbus_connection_call_with_unix_fd_list_finish(G_DBUS_CONNECTION(bus), &descriptors, result, &error);
    bool is_over = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED); // then there is no request any more
    g_clear_error(&error);
    char name[APP_NAME_BYTES];
    enum app_kind kind = APP_UNKNOWN;
    if (reply) {
        GVariant *credentials = g_variant_get_child_value(reply, 0);
        guint32 pid = 0;
        gint32 index;
        // Newer buses hand over a descriptor of the process, and not only its number.
        int pidfd = g_variant_lookup(credentials, "ProcessFD", "h", &index) && descriptors ? g_unix_fd_list_get(descriptors, index, NULL) : -1;
        if (g_variant_lookup(credentials, "ProcessID", "u", &pid) && pid <= G_MAXINT) kind = app_identify((pid_t)pid, pidfd, name);
        if (pidfd >= 0) close(pidfd);
        g_variant_unref(credentials);
        g_variant_unref(reply);
    }
    g_clear_object(&descriptors);
    if (is_over) return;
    struct request *request = userdata;
    switch (kind) {
        case APP_UNKNOWN:
            return refuse(request, G_DBUS_ERROR_ACCESS_DENIED, "It can't be found out which app this is.");
        case APP_HOST:
        case APP_SANDBOXED:
            if (request_set_app(request, name)) return begin(request);
            return refuse(request, G_DBUS_ERROR_LIMITS_EXCEEDED, "Too much is asked, or the app's id has over 64 bytes.");
    }
}

static void called(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method, GVariant *parameters,
    GDBusMethodInvocation *invocation, gpointer userdata) {
    (void)path, (void)interface, (void)method, (void)parameters, (void)userdata;
    struct request *request = request_open(&portal_kind, invocation, sender);
    if (!request) {
        g_dbus_method_invocation_return_error_literal(invocation, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED, "Too many requests are open.");
        return;
    }
    g_dbus_connection_call_with_unix_fd_list(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionCredentials",
        g_variant_new("(s)", sender), G_VARIANT_TYPE("(a{sv})"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, request->cancellable, identified, request);
}

bool portal_start(GDBusConnection *bus, const struct settings *settings) {
    static const GDBusInterfaceVTable functions = {.method_call = called, .get_property = get_property};
    the_bus = bus;
    interfaces = g_dbus_node_info_new_for_xml(portal_interface, NULL);
    request_interface = g_dbus_node_info_lookup_interface(interfaces, "org.freedesktop.portal.Request");
    watched = gate_for(settings, "gate-portal");
    if (!watched || gate_watch(watched, GATE_TOPIC_MODE, tell_mode, NULL) < 0) return false;
    watched_source = gate_source_attach(watched, NULL);
    GDBusInterfaceInfo *interface = g_dbus_node_info_lookup_interface(interfaces, "org.gate.Portal");
    return g_dbus_connection_register_object(bus, OBJECT, interface, &functions, NULL, NULL, NULL) != 0;
}

void portal_stop(void) {
    if (watched_source) g_source_remove(watched_source);
    watched = gate_free(watched);
    g_dbus_node_info_unref(interfaces);
}
