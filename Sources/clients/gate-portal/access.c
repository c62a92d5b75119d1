// The backend of xdg-desktop-portal that is asked whether an app may use the camera, the location, the screen and the like
// (org.freedesktop.impl.portal.Access). The question becomes a request for the gated action portal.APP, if the policy has it, else for
// `portal`. Its words begin with the app's id and with what it wants to use, since a yes that holds for longer is for exactly these words, and
// the app's author has chosen some of the others: the app's name stands in all titles, before the words that say what it wants.
//
// Behaviour of xdg-desktop-portal that it does not document, and what this file does about it (versions 1.16 to 1.22):
// - It never answers some apps if its backend answers with an error. So each call ends with a response.
// - For most kinds of access it waits for at most 25 s. So the answer is "no" before that, and the question goes on waiting if the policy
//   allows it: the app's next try gets the answer. The kinds for which it waits without a limit are recognized by their icons.
// - It passes on Close only for some kinds. So this program watches the app's connection, whose name is in the handle.
// - It stores yes and no, and does not ask again: see permissions.c.
#include <string.h>

#include "interfaces.h"
#include "portal.h"

enum { PATIENCE_SECONDS = 20, WORDS_BYTES = 512, ACTION_BYTES = 64 };

static GDBusNodeInfo *interfaces;

struct dialog {
    char *details, *app, *caller;
    const char *device;
    char action[ACTION_BYTES + 1];
};

static void dialog_free(struct dialog *dialog) {
    g_free(dialog->details);
    g_free(dialog->app);
    g_free(dialog->caller);
    *dialog = (struct dialog){0};
}

// MARK: answers

static void access_answer(struct request *request, enum response response, const gate_error *error) {
    struct dialog *dialog = request->more;
    (void)error;
    permissions_answered(dialog->app, dialog->caller, dialog->device, response == RESPONSE_YES);
    g_dbus_method_invocation_return_value(request->invocation, g_variant_new("(ua{sv})", (guint32)response, NULL));
    request->invocation = NULL;
    dialog_free(dialog);
}

static void access_close(struct request *request) {
    access_answer(request, RESPONSE_OTHER, NULL);
}

static const struct request_kind access_kind = {.answer = access_answer, .close = access_close};

static gboolean patience_ended(gpointer userdata) {
    struct request *request = userdata;
    request->timer = 0;
    request_answer(request, RESPONSE_OTHER, NULL);
    return G_SOURCE_REMOVE;
}

// MARK: words

// Appends a text that others have written, as one line without invisible characters, cut if it is too long.
static void append(GString *words, const char *text) {
    gsize end = words->len + WORDS_BYTES;
    for (const char *at = text; *at && words->len < end; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        bool is_shown = g_unichar_isprint(character) && g_unichar_type(character) != G_UNICODE_FORMAT;
        g_string_append_unichar(words, is_shown ? character : ' ');
    }
}

static char *details_for(const char *app, const char *use, const char *title, const char *subtitle, const char *body) {
    GString *words = g_string_new(NULL);
    append(words, *app ? app : "xdg-desktop-portal");
    if (*use) {
        g_string_append(words, " (");
        append(words, use);
        g_string_append_c(words, ')');
    }
    g_string_append(words, ": ");
    append(words, title);
    g_string_append_c(words, ' ');
    append(words, *subtitle ? subtitle : body);
    return g_strchomp(g_string_free(words, FALSE));
}

// The name of the app's own gated action: lower-case words of letters, digits and hyphens, with dots between them. Returns false if no such
// name can be made of the id.
static bool action_of(const char *app, char action[ACTION_BYTES + 1]) {
    if (g_snprintf(action, ACTION_BYTES + 1, "portal.%s", app) > ACTION_BYTES || !*app) return false;
    for (char *at = action; *at; at++) {
        *at = *at == '_' ? '-' : g_ascii_tolower(*at);
        if (*at == '-' && (at[-1] == '.' || at[1] == '.' || !at[1])) return false;
    }
    return true;
}

// MARK: asking

static void authorize(struct request *request, const char *action) {
    const struct dialog *dialog = request->more;
    if (gate_authorize(app_gate(request->app), action, dialog->details, GATE_MAY_WAIT, request_decided, request, &request->call) < 0)
        request_answer(request, RESPONSE_OTHER, NULL);
}

static void looked_up(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata) {
    struct request *request = userdata;
    const struct dialog *dialog = request->more;
    (void)gate, (void)bytes, (void)size;
    request->call = 0;
    if (!error) authorize(request, dialog->action);
    else if (error->code == GATE_NOT_FOUND) authorize(request, "portal");
    else request_answer(request, RESPONSE_OTHER, error);
}

// Looks whether the policy has the app's own gated action. The message has one field, the name.
static void look_up(struct request *request) {
    const struct dialog *dialog = request->more;
    char message[2 + ACTION_BYTES] = {0x0a};
    size_t size = strlen(dialog->action);
    message[1] = (char)size;
    memcpy(message + 2, dialog->action, size);
    if (gate_call(app_gate(request->app), "gate.v1.Authorization", "GetGatedAction", message, 2 + size, 0, looked_up, request, &request->call) < 0)
        request_answer(request, RESPONSE_OTHER, NULL);
}

static void begin(struct request *request) {
    struct dialog *dialog = request->more;
    bool has_app = request_set_app(request, *dialog->app ? dialog->app : "xdg-desktop-portal");
    if (!has_app) return request_answer(request, RESPONSE_OTHER, NULL);
    if (action_of(dialog->app, dialog->action)) look_up(request);
    else authorize(request, "portal");
}

// MARK: the caller

static void bus_call(struct request *request, const char *method, const char *name, const char *type, GAsyncReadyCallback callback) {
    g_dbus_connection_call(request->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, g_variant_new("(s)", name),
        G_VARIANT_TYPE(type), G_DBUS_CALL_FLAGS_NONE, -1, request->cancellable, callback, request);
}

// The bus tells when the app leaves, but not if it had left before it was watched.
static void caller_found(GObject *bus, GAsyncResult *result, gpointer userdata) {
    GVariant *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, NULL);
    gboolean is_there;
    if (!reply) return; // there is no request any more, or no bus
    g_variant_get(reply, "(b)", &is_there);
    g_variant_unref(reply);
    if (is_there) begin(userdata);
    else request_answer(userdata, RESPONSE_OTHER, NULL);
}

// Only questions of xdg-desktop-portal are accepted, because it alone can be trusted to say which app asks.
static void owner_found(GObject *bus, GAsyncResult *result, gpointer userdata) {
    GError *error = NULL;
    GVariant *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, &error);
    bool is_over = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    struct request *request = userdata;
    const char *owner = "";
    g_clear_error(&error);
    if (reply) g_variant_get(reply, "(&s)", &owner);
    if (!is_over && strcmp(owner, request->sender) == 0) {
        struct dialog *dialog = request->more;
        permissions_chosen();
        if (dialog->caller) bus_call(request, "NameHasOwner", dialog->caller, "(b)", caller_found);
        else begin(request);
    } else if (!is_over) {
        struct dialog *dialog = request->more;
        g_dbus_method_invocation_return_error_literal(request->invocation, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED, "This is for xdg-desktop-portal.");
        request->invocation = NULL;
        dialog_free(dialog);
        request_free(request);
    }
    if (reply) g_variant_unref(reply);
}

// The unique name of the app's connection, from the last but one part of the handle: ":1.5" if that is "1_5". NULL if it is no such name.
static char *caller_of(const char *handle) {
    char **parts = g_strsplit(handle, "/", -1), *name = NULL;
    guint count = g_strv_length(parts);
    if (count > 2) name = g_strdelimit(g_strconcat(":", parts[count - 2], NULL), "_", '.');
    if (name && !g_dbus_is_unique_name(name)) g_clear_pointer(&name, g_free);
    g_strfreev(parts);
    return name;
}

// What apps want to use, by the icon that xdg-desktop-portal shows. Devices have these names in the permission store.
static const struct use { const char *icon, *name; bool is_device; } uses[] = {
    {"camera-web-symbolic", "camera", true}, {"audio-input-microphone-symbolic", "microphone", true}, {"audio-speakers-symbolic", "speakers", true},
    {"applets-screenshooter-symbolic", "screenshot", false}, {"preferences-desktop-wallpaper-symbolic", "wallpaper", false},
    {"find-location-symbolic", "location", false},
};

// The use that this icon stands for; NULL if it is not one of `uses`.
static const struct use *use_of(const char *icon) {
    for (size_t i = 0; i < G_N_ELEMENTS(uses); i++)
        if (strcmp(uses[i].icon, icon) == 0) return &uses[i];
    return NULL;
}

static void called(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method, GVariant *parameters,
    GDBusMethodInvocation *invocation, gpointer userdata) {
    const char *handle, *app, *title, *subtitle, *body, *icon = "";
    GVariant *options;
    (void)bus, (void)path, (void)interface, (void)method, (void)userdata;
    g_variant_get(parameters, "(&o&s&s&s&s&s@a{sv})", &handle, &app, NULL, &title, &subtitle, &body, &options);
    char *caller = caller_of(handle);
    struct request *request = request_open(&access_kind, invocation, caller ? caller : sender);
    if (request) {
        g_variant_lookup(options, "icon", "&s", &icon);
        const struct use *use = use_of(icon);
        struct dialog *dialog = g_new0(struct dialog, 1);
        *dialog = (struct dialog){.details = details_for(app, use ? use->name : icon, title, subtitle, body), .app = g_strdup(app), .caller = caller,
            .device = use && use->is_device ? use->name : NULL};
        request->more = dialog;
        // xdg-desktop-portal waits without a limit for devices, and for an app that asks to run in the background, for which it shows no
        // icon.
        if (*icon && !dialog->device) request->timer = g_timeout_add_seconds(PATIENCE_SECONDS, patience_ended, request);
        request_export(request, handle, g_dbus_node_info_lookup_interface(interfaces, "org.freedesktop.impl.portal.Request"));
        bus_call(request, "GetNameOwner", "org.freedesktop.portal.Desktop", "(s)", owner_found);
    } else {
        g_dbus_method_invocation_return_value(invocation, g_variant_new("(ua{sv})", (guint32)RESPONSE_OTHER, NULL));
        g_free(caller);
    }
    g_variant_unref(options);
}

bool access_start(GDBusConnection *bus) {
    static const GDBusInterfaceVTable functions = {.method_call = called};
    interfaces = g_dbus_node_info_new_for_xml(access_interface, NULL);
    GDBusInterfaceInfo *interface = g_dbus_node_info_lookup_interface(interfaces, "org.freedesktop.impl.portal.Access");
    return g_dbus_connection_register_object(bus, "/org/freedesktop/portal/desktop", interface, &functions, NULL, NULL, NULL) != 0;
}
