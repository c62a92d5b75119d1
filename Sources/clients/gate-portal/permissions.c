// Makes xdg-desktop-portal ask each time. It stores yes and no in the person's permission store, and asks only if the entry is missing or
// "ask". So this file changes the entries back that it writes after an answer of Gate's:
//
// | table                 | written for a yes | put back to                | written for a no | put back to |
// |-----------------------|-------------------|----------------------------|------------------|-------------|
// | screenshot, wallpaper | yes               | ask                        | no               | ask         |
// | location              | EXACT             | nothing                    | NONE             | nothing     |
// | devices               | yes               | nothing, once the app that | no               | nothing     |
// |                       |                   | asked has left the bus     |                  |             |
//
// The camera works only as long as its entry is a yes, and an entry "ask" would never become one. The apps that use it now are listed in a
// table of this program's own, so that their entries can be put back even if this program ends first.
//
// A "no" that did not come from Gate stays, because a person has chosen it. Nothing is touched before xdg-desktop-portal has asked Gate in
// this session, since a desktop may have another backend. The table "background" is left alone: xdg-desktop-portal asks there only if the
// entry is "ask" already.
//
// The store is the person's own, and every program of theirs that is in no sandbox can write to it.
#include <string.h>

#include "portal.h"

#define STORE "org.freedesktop.impl.portal.PermissionStore"
#define STORE_OBJECT "/org/freedesktop/impl/portal/PermissionStore"
#define OWN_TABLE "gate-portal"
#define OWN_ID "in-use"
#define FRESH_USEC (10 * G_USEC_PER_SEC) // xdg-desktop-portal writes at once after it was answered

enum { MAXIMUM_ANSWERS = 512, ANSWERS_OF_APP = 16 };

static const struct rule { const char *table, *id; bool asks, stays; } rules[] = {
    {"screenshot", "screenshot", true, false}, {"wallpaper", "wallpaper", true, false}, {"location", "location", false, false},
    {"devices", "camera", false, true}, {"devices", "microphone", false, true}, {"devices", "speakers", false, true},
};

// A recent answer of Gate's to an app, or an answer to an app that is still connected.
struct answer {
    char *app, *caller;
    const char *device;             // the id of the rule, if it stays; NULL: of another one
    bool is_yes;
    gint64 time;
    guint watch;
};

static GDBusConnection *the_bus;
static GQueue answers = G_QUEUE_INIT;
static bool is_chosen;

static void store_call(const char *method, GVariant *parameters) {
    g_dbus_connection_call(the_bus, STORE, STORE_OBJECT, STORE, method, parameters, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}

// MARK: entries

static bool has_answer(const char *app, const char *device, bool is_yes, bool is_fresh) {
    gint64 now = g_get_monotonic_time();
    for (GList *at = answers.head; at; at = at->next) {
        struct answer *answer = at->data;
        bool is_old = is_fresh && now - answer->time >= FRESH_USEC;
        if (is_old || (is_yes && !answer->is_yes)) continue;
        if (strcmp(answer->app, app) == 0 && g_strcmp0(answer->device, device) == 0) return true;
    }
    return false;
}

static void put_back(const struct rule *rule, const char *app) {
    static const char *const ask[] = {"ask", NULL};
    if (rule->asks) store_call("SetPermission", g_variant_new("(sbss^as)", rule->table, TRUE, rule->id, app, ask));
    else store_call("DeletePermission", g_variant_new("(sss)", rule->table, rule->id, app));
}

static void entry_read(const struct rule *rule, const char *app, const char *value) {
    static const char *const yes[] = {"yes", NULL};
    const char *device = rule->stays ? rule->id : NULL;
    bool is_no = strcmp(value, "no") == 0 || strcmp(value, "NONE") == 0;
    if ((is_no && !has_answer(app, device, false, true)) || (rule->asks && strcmp(value, "ask") == 0)) return;
    if (is_no || !device || !has_answer(app, device, true, false)) return put_back(rule, app);
    store_call("SetPermission", g_variant_new("(sbss^as)", OWN_TABLE, TRUE, OWN_ID, app, yes));
}

static void entries_read(const struct rule *rule, GVariant *permissions) {
    GVariantIter iterator;
    const char *app;
    const char **values;
    g_variant_iter_init(&iterator, permissions);
    while (g_variant_iter_next(&iterator, "{&s^a&s}", &app, &values)) {
        if (values[0]) entry_read(rule, app, values[0]);
        g_free(values);
    }
}

static void looked_up(GObject *bus, GAsyncResult *result, gpointer userdata) {
    GVariant *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, NULL);
    if (!reply) return; // there is no entry, or no store
    GVariant *permissions = g_variant_get_child_value(reply, 0);
    entries_read(userdata, permissions);
    g_variant_unref(permissions);
    g_variant_unref(reply);
}

static void look_up(const struct rule *rule) {
    g_dbus_connection_call(the_bus, STORE, STORE_OBJECT, STORE, "Lookup", g_variant_new("(ss)", rule->table, rule->id), G_VARIANT_TYPE("(a{sas}v)"),
        G_DBUS_CALL_FLAGS_NONE, -1, NULL, looked_up, (gpointer)rule);
}

static void changed(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal, GVariant *parameters,
    gpointer userdata) {
    const char *table, *id;
    gboolean is_deleted;
    GVariant *permissions;
    (void)bus, (void)sender, (void)path, (void)interface, (void)signal, (void)userdata;
    if (!is_chosen || !g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ssbva{sas})"))) return;
    g_variant_get(parameters, "(&s&sbv@a{sas})", &table, &id, &is_deleted, NULL, &permissions);
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
        if (!is_deleted && strcmp(rules[i].table, table) == 0 && strcmp(rules[i].id, id) == 0) entries_read(&rules[i], permissions);
    g_variant_unref(permissions);
}

// MARK: answers

// A connection that was allowed to use a device in the name of this app has left.
static void give_back(const char *app) {
    bool has_device = false;
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        if (!rules[i].stays) continue;
        look_up(&rules[i]);
        has_device |= has_answer(app, rules[i].id, true, false);
    }
    if (has_device) return;
    store_call("DeletePermission", g_variant_new("(sss)", OWN_TABLE, OWN_ID, app));
}

static void forget(struct answer *answer) {
    g_queue_remove(&answers, answer);
    if (answer->watch) g_dbus_connection_signal_unsubscribe(the_bus, answer->watch);
    if (answer->is_yes && answer->device) give_back(answer->app);
    g_free(answer->app);
    g_free(answer->caller);
    g_free(answer);
}

static void name_changed(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal, GVariant *parameters,
    gpointer userdata) {
    const char *owner;
    (void)bus, (void)sender, (void)path, (void)interface, (void)signal;
    g_variant_get(parameters, "(&s&s&s)", NULL, NULL, &owner);
    if (!*owner) forget(userdata);
}

void permissions_answered(const char *app, const char *caller, const char *device, bool is_yes) {
    struct answer *oldest = NULL; // of the app's, so that one that asks much does not end what another one may do
    unsigned count = 0;
    if (!caller) return;
    for (GList *at = answers.head; at; at = at->next) {
        struct answer *other = at->data;
        if (strcmp(other->app, app) != 0) continue;
        if (other->is_yes == is_yes && g_strcmp0(other->device, device) == 0 && strcmp(other->caller, caller) == 0) {
            other->time = g_get_monotonic_time();
            return;
        }
        if (!oldest) oldest = other;
        count++;
    }
    if (count >= ANSWERS_OF_APP) forget(oldest);
    else if (g_queue_get_length(&answers) >= MAXIMUM_ANSWERS) forget(g_queue_peek_head(&answers));
    struct answer *answer = g_new0(struct answer, 1);
    *answer = (struct answer){.app = g_strdup(app), .caller = g_strdup(caller), .device = device, .is_yes = is_yes, .time = g_get_monotonic_time()};
    answer->watch = g_dbus_connection_signal_subscribe(the_bus, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged",
        "/org/freedesktop/DBus", caller, G_DBUS_SIGNAL_FLAGS_NONE, name_changed, answer, NULL);
    g_queue_push_tail(&answers, answer);
}

// MARK: beginning

void permissions_chosen(void) {
    if (is_chosen) return;
    is_chosen = true;
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) look_up(&rules[i]);
}

// An earlier run of this program ended while these apps had a device.
static void left_over(GObject *bus, GAsyncResult *result, gpointer userdata) {
    GVariant *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, NULL);
    (void)userdata;
    if (!reply) return;
    GVariant *apps = g_variant_get_child_value(reply, 0);
    GVariantIter iterator;
    const char *app;
    g_variant_iter_init(&iterator, apps);
    while (g_variant_iter_next(&iterator, "{&s@as}", &app, NULL)) {
        for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
            if (rules[i].stays) put_back(&rules[i], app);
        store_call("DeletePermission", g_variant_new("(sss)", OWN_TABLE, OWN_ID, app));
    }
    g_variant_unref(apps);
    g_variant_unref(reply);
}

void permissions_start(GDBusConnection *bus) {
    the_bus = bus;
    g_dbus_connection_signal_subscribe(bus, STORE, STORE, "Changed", STORE_OBJECT, NULL, G_DBUS_SIGNAL_FLAGS_NONE, changed, NULL, NULL);
    g_dbus_connection_call(bus, STORE, STORE_OBJECT, STORE, "Lookup", g_variant_new("(ss)", OWN_TABLE, OWN_ID), G_VARIANT_TYPE("(a{sas}v)"),
        G_DBUS_CALL_FLAGS_NONE, -1, NULL, left_over, NULL);
}
