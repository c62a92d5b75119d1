// What the parts of gate-portal share. main.c has the overview.
#pragma once
#include <gate.h>
#include <gio/gio.h>
#include <stdbool.h>

#include "app-id.h"
#include "relay.h"

enum {
    MAXIMUM_REQUESTS = 128,         // that are open, of all callers
    REQUESTS_OF_CALLER = 16,        // of one connection to the bus, and of one app
    MAXIMUM_APPS = 32,              // that have a connection to gated at a time
};

// MARK: main.c

struct settings {
    const char *gate_socket;        // NULL: libgate's own
    uid_t server_uid;
    bool has_server_uid;
};
// Makes a handle of libgate that says it is this program. Returns NULL if that fails.
gate *gate_for(const struct settings *settings, const char *program);

// MARK: requests.c: open requests

// The answer to a request, by a person or the policy.
enum response { RESPONSE_YES = 0, RESPONSE_NO = 1, RESPONSE_OTHER = 2 };

struct request;
// The two interfaces differ in these.
struct request_kind {
    // Sends the answer to the caller. The request is freed afterwards. `error` is NULL for a yes, and if there is nothing to report.
    void (*answer)(struct request *request, enum response response, const gate_error *error);
    // The caller has closed the request, has left, or this program ends.
    void (*close)(struct request *request);
};

struct request {
    const struct request_kind *kind;
    GDBusConnection *bus;
    GDBusMethodInvocation *invocation; // the caller's call; NULL once it was returned
    char *sender;                   // the unique name of the caller
    char *path;                     // of its object; NULL: it has none yet
    struct app *app;                // whose connection to gated it uses; NULL: none yet
    uint64_t call;                  // the number of the open call on it; 0: there is none
    guint object, watch, timer;     // ids in GLib; 0: none
    GCancellable *cancellable;      // of what it waits for on the bus; cancelled when the request is freed
    const gate_age_range *range;    // what the answer to QueryAgeRange tells; NULL: nothing
    void *more;                     // the interface's own; freed with g_free
};

void requests_start(const struct settings *settings);
// Closes all.
void requests_stop(void);
// Makes a request from a call. If `leaver`, for which it is made, leaves the bus, the request is closed. Returns NULL if there are too
// many.
struct request *request_open(const struct request_kind *kind, GDBusMethodInvocation *invocation, const char *leaver);
// Gives the request a connection to gated under the name of its app. Returns false if that fails.
bool request_set_app(struct request *request, const char *app);
// Exports the request at this path with this interface, so that its caller can close it. Returns false if there is another object at the
// path.
bool request_export(struct request *request, const char *path, GDBusInterfaceInfo *interface);
// The handler for libgate: a call to gated has ended. Answers the request, which is the userdata.
void request_decided(gate *gate, const gate_error *error, void *request);
// Answers the request, and frees it.
void request_answer(struct request *request, enum response response, const gate_error *error);
// Cancels its call, and frees it.
void request_free(struct request *request);
// The handle of an app's connection.
gate *app_gate(const struct app *app);

// MARK: portal.c, access.c, permissions.c

// Offers org.gate.Portal on the bus, and follows the mode. Returns false if that fails.
bool portal_start(GDBusConnection *bus, const struct settings *settings);
void portal_stop(void);
// Offers the backend of xdg-desktop-portal.
bool access_start(GDBusConnection *bus);

void permissions_start(GDBusConnection *bus);
// xdg-desktop-portal asks Gate: from now on, the permission store keeps no yes.
void permissions_chosen(void);
// Call this just before a question about an app is answered. `caller` is the app's connection to the bus; NULL: unknown. `device` is a constant,
// "camera", "microphone" or "speakers"; NULL: the question was about something else.
void permissions_answered(const char *app, const char *caller, const char *device, bool is_yes);
