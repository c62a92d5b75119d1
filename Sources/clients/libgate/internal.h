// What the parts of libgate share. Nothing of it is visible outside of the library.
#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What gate.h declares is visible outside; everything else is compiled as hidden.
#pragma GCC visibility push(default)
#include "gate.h"
#pragma GCC visibility pop
#include "frames.h"
#include "reconnecting.h"
#include "trust.h"
#include "watching.h"
#include "ttrpc/ttrpc.pb-c.h"
#include "gate/v1/authorization.pb-c.h"
#include "gate/v1/control.pb-c.h"
#include "gate/v1/entitlements.pb-c.h"
#include "gate/v1/mode.pb-c.h"
#include "gate/v1/people.pb-c.h"
#include "gate/v1/presentations.pb-c.h"
#include "gate/v1/signin.pb-c.h"
#include "gate/v1/watch.pb-c.h"

enum {
    QUEUED_BYTES = 8 << 20,         // the most that wait to be sent, and the most that wait for handlers
    MAXIMUM_CALLS = 256,            // open calls; the daemon allows as many
    MAXIMUM_DELIVERIES = 4096,      // that wait for handlers
    MAXIMUM_DEPTH = 16,             // of a message, as everywhere in Gate
    MAXIMUM_FIELDS = 1 << 16,       // of a message, at all depths together
    PROGRAM_BYTES = 64,
    MAXIMUM_ATTEMPTS = 10,          // to answer a question, while the answers are not valid
    MAXIMUM_FORMS = 256,            // open forms of a handle
    MAXIMUM_PAGES = 1024,           // of a list
    MAXIMUM_NEWS = 16,              // versions of an app; the daemon allows as many
    MAXIMUM_FEATURE_COUNT = 50,          // of a version
};
#define GRACE_USEC UINT64_C(1000000)            // how long the daemon may take to report that a deadline has passed
#define WALL_LOOK_USEC UINT64_C(60000000)       // how often to look at the wall clock, which may be set
#define CONNECT_USEC UINT64_C(5000000)          // how long the daemon may take to accept a connection
#define CALL_USEC UINT64_C(10000000)
#define WAIT_USEC UINT64_C(1000000)             // how long a read may wait, if nothing is due earlier

// MARK: memory

// Memory that is freed all at once. `has_failed` stays true after an allocation has failed; the list concerned is empty then.
struct arena { struct chunk *chunks; bool has_failed; };
void *arena_take(struct arena *arena, size_t size);             // zeroed; NULL if there is no memory
const char *arena_text(struct arena *arena, const char *text);  // a copy; "" if there is no memory
void *const *arena_list(struct arena *arena, size_t count, size_t size); // pointers to `count` zeroed elements, then NULL
void arena_free(struct arena *arena);
const char *known(const char *text);                            // "" for NULL

// MARK: errors

// An error that the caller owns; NULL if there is no memory. Pass it to handlers through `error_or_none`, which is never NULL.
gate_error *error_new(int code, int reason, const char *format, ...) __attribute__((format(printf, 3, 4)));
gate_error *error_of_status(const Ttrpc__Status *status);
gate_error *error_of_detail(const Gate__V1__ErrorDetail *detail, const char *message);
gate_error *error_copy(const gate_error *error);
const gate_error *error_or_none(const gate_error *error);
void error_free(gate_error *error);
bool leaves_question_open(const gate_error *error);

// MARK: messages

// Whether it is safe to unpack the bytes as this message with libprotobuf-c.
bool scan(const uint8_t *bytes, size_t size, const ProtobufCMessageDescriptor *descriptor);
// Whether the bytes are UTF-8 without a NUL.
bool is_text(const uint8_t *bytes, size_t size);
// Replaces bytes that are not UTF-8 by question marks, in a string that was cut or comes from outside.
void make_text(char *text);
// Scans and unpacks a message; NULL if the bytes are not such a message.
void *unpack(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes, size_t size);
void message_free(void *message);
// A copy that message_free() frees; NULL if there is no memory.
ProtobufCMessage *message_copy(const ProtobufCMessage *message);
// The address of the pointer in the field `name`, which points to a message; NULL if there is no such field, or it is not set.
ProtobufCMessage **message_field(ProtobufCMessage *message, const char *name);

// MARK: deliveries: calls of handlers that gate_process() has to make, in order

typedef void (*any_handler)(void);

struct delivery {
    struct delivery *next;
    uint64_t number;                // the call or request that it belongs to; 0: none
    bool is_end;                    // whether the call or request ends with it
    uint64_t id;                    // the presentation that it shows; 0: none
    uint64_t closed;                // the presentation that it takes off the screen
    uint64_t owner;                 // the call's owner
    void (*run)(gate *gate, struct delivery *delivery);
    any_handler handler;
    void *userdata;
    ProtobufCMessage *message;      // owned, as are bytes and error
    uint8_t *bytes;
    size_t size;                    // in bytes as received, also of a message
    gate_error *error;
    bool is_failed;                 // whether it failed; `error` may be NULL, if there was no memory for it
};

// The result of a call. The function that gets it may take pointers out of it, and leaves NULL there.
struct answer { ProtobufCMessage *message; uint8_t *bytes; size_t size; gate_error *error; bool is_failed; };

// Puts the delivery at the end of the queue, and empties the answer. If there is no memory, or too much waits, it returns false and ends
// the connection.
bool deliver(gate *gate, struct delivery delivery, struct answer *answer);
void delivery_free(struct delivery *delivery);
void deliveries_drop(gate *gate, uint64_t number, uint64_t id);
bool delivery_waits(const gate *gate, uint64_t number);

// MARK: calls

struct call {
    struct call *next;
    uint64_t number;
    uint32_t stream;
    bool is_stream;
    const ProtobufCMessageDescriptor *output;   // the type of the answer; NULL: it is passed on as bytes
    // Called with the answer; for a stream, with each message, and with an error at its end.
    void (*answered)(gate *gate, struct call *call, struct answer *answer);
    void (*run)(gate *gate, struct delivery *delivery); // for call_deliver
    any_handler handler;
    void *userdata;
    uint64_t owner;                 // the request, the presentation or the form that the call is for
    struct listing *listing;        // the list that the call reads a page of; owned, once the call is under way
    uint64_t due;                   // when it times out, in microseconds of CLOCK_MONOTONIC; UINT64_MAX: never
};

// Sends a request, and copies `call`. `number` may be NULL. Returns 0 or a negative errno.
int call_start(gate *gate, const char *service, const char *method, const ProtobufCMessage *message, const struct call *call,
    uint64_t *number);
// Ends the settings phase of the handle, and sends a call whose answer `run` passes to the handler.
int call_ask(gate *gate, const char *service, const char *method, const ProtobufCMessage *message,
    const ProtobufCMessageDescriptor *output, void (*run)(struct gate *gate, struct delivery *delivery), any_handler handler, void *userdata,
    uint64_t *number);
int call_start_bytes(gate *gate, const char *service, const char *method, const void *bytes, size_t size, const struct call *call,
    uint64_t *number);
// A function for `answered` which queues the answer for `run`, to be called in gate_process().
void call_deliver(gate *gate, struct call *call, struct answer *answer);
// Functions for `run` whose handlers are a gate_done_handler and a gate_mode_handler.
void run_done(gate *gate, struct delivery *delivery);
void run_mode(gate *gate, struct delivery *delivery);
// Ends a call here and on the daemon, without calling its handler. Returns false if there is no such call.
bool call_cancel(gate *gate, uint64_t number);
bool call_is_open(const gate *gate, uint64_t number);
void calls_fail(gate *gate, const gate_error *error);
bool calls_frame(gate *gate, uint32_t stream, uint8_t type, uint8_t flags, const uint8_t *data, size_t size);
void calls_timers(gate *gate, uint64_t now);
uint64_t calls_due(const gate *gate);
uint64_t time_after(uint64_t usec);         // in microseconds of CLOCK_MONOTONIC; UINT64_MAX: never
uint64_t call_limit(const gate *gate);      // when a call that is made now times out

// MARK: the connection

struct buffer { uint8_t *bytes; size_t start, end, capacity; };

enum connection_state { NOT_CONNECTED, CONNECTING, CONNECTED };

// Begins to connect, unless there is a connection.
void connection_need(gate *gate);
bool connection_has_room(const gate *gate, size_t size);
// Returns room for that many bytes behind what waits to be sent; NULL if there is no memory.
uint8_t *connection_room(gate *gate, size_t size);
// Sends the bytes that were put there.
void connection_send(gate *gate, size_t size);
void connection_flush(gate *gate);
// Whether connection_read() may wait. It then waits for bytes or a signal, for at most WAIT_USEC.
bool connection_can_wait(const gate *gate);
bool connection_read(gate *gate, bool waits);
void connection_timers(gate *gate, uint64_t now);
uint64_t connection_due(const gate *gate);
// Marks the connection as lost; connection_settle() reports that in the next gate_process(). Takes ownership of the error.
void connection_break(gate *gate, gate_error *error);
// If the connection was lost, ends all calls and presentations. Returns whether it was.
bool connection_settle(gate *gate);
void connection_close(gate *gate);

// MARK: presentations, presenting, requests, watching

struct open {
    struct open *next;
    uint64_t id;
    Gate__V1__Presentation *message;
    uint64_t request;               // this program's request that it is for; 0: it was claimed
    uint64_t epoch, number;         // the revision at which it was opened
    uint64_t answering, awaiting;   // open calls: the answer, and AwaitClosing; 0: none
    bool is_shown;
    bool is_dismissing;             // whether the answer under way is a dismissal
    gate_error *closing;            // why it was closed while an answer was under way
    unsigned attempts;
    uint64_t grace_end;
};

// Takes ownership of the message. Returns false if it is NULL or has no summary, or there is no memory.
bool open_add(gate *gate, Gate__V1__Presentation *message, uint64_t request, const Gate__V1__Revision *revision);
struct open *open_find(const gate *gate, uint64_t id);
struct open *open_of_request(const gate *gate, uint64_t request);
void open_close(gate *gate, uint64_t id);
void open_dismiss(gate *gate, struct open *open);
// Sends an answer to a presentation, after putting its cookie into `cookie`, a field of `message`. Returns 0 or a negative errno.
int open_answer(gate *gate, uint64_t id, const char *method, ProtobufCMessage *message, ProtobufCBinaryData *cookie, bool is_dismissal);
void opens_timers(gate *gate, uint64_t now);
uint64_t opens_due(const gate *gate, uint64_t now);
void own_watch_update(gate *gate);
void presentation_show(gate *gate, struct delivery *delivery);

enum presenter_state { NOT_PRESENTING, OPENING, REGISTERING, IDLE, CLAIMING, SHOWING, AWAY, REFUSED };
struct presenter {
    enum presenter_state state;
    struct reconnecting reconnect;
    bool has_told_loss, has_own_screen;
    unsigned kinds, styles;
    gate_done_handler handler;
    void *userdata;
    uint64_t stream, claim, id, wait_until;
    Gate__V1__RegisterPresenterResponse *newest;
};
void presenter_run(gate *gate);
void presenter_timers(gate *gate, uint64_t now);
void presenter_stop(gate *gate);

// A call that changes Gate itself. Its message has the field `grant_proof`, for which the daemon may want a grant for gate.change.
struct change {
    const char *service, *method;
    const ProtobufCMessageDescriptor *output;   // the type of the answer
    ProtobufCMessage *message;
};
// Makes a change, and first requests the grant if the daemon wants one. Copies the message. `run` passes the answer to the handler.
int request_change(gate *gate, const struct change *change, unsigned flags, void (*run)(struct gate *gate, struct delivery *delivery),
    any_handler handler, void *userdata, uint64_t *number);
// Shows news of an app unless they were seen. `run` gets the outcome as a byte.
int request_news(gate *gate, const char *app, const char *version, unsigned flags, void (*run)(struct gate *gate, struct delivery *delivery),
    any_handler handler, void *userdata, uint64_t *number);
// Moves the grant's proof into the message of a change. Returns false if the message has no field for it.
bool change_put_proof(const struct change *change, Gate__V1__Grant *grant);
// The details of the grant for gate.change without which the daemon refused a change; NULL if it refused for another reason.
const char *change_details(const gate_error *refusal);
void requests_free(gate *gate);
bool request_cancel(gate *gate, uint64_t number);
// Stores whether the person has pressed the secondary button.
void request_answered_by(gate *gate, uint64_t number, bool by_secondary);
bool request_is_open(const gate *gate, uint64_t number);
// The presentation of a request was completed. Takes pointers out of the answer.
void request_completed(gate *gate, uint64_t number, struct answer *answer);
void request_failed(gate *gate, uint64_t number, gate_error *error);

struct watch {
    bool is_on;
    unsigned topics;
    struct watching machine;
    gate_watch_handler handler;
    void *userdata;
    uint64_t stream, wait_until, grace_end;
    int64_t armed;                  // the deadline that the timer is set to; 0: none
    // The newest state of each topic; each message is owned.
    Gate__V1__WatchResponse *mode, *sign_in, *entitlements, *presentations, *forms, *asks, *schedules;
    struct arena arena;             // the memory of what the getters return
    gate_session session;
    const gate_entitlement *const *entitlement_list;
    const gate_summary *const *summary_list;
    const gate_draft *const *draft_list;
    const gate_ask *const *ask_list;
    const gate_schedule *const *schedule_list;
    // The event that was not passed to the handler yet; 0: none.
    int untold;
    unsigned untold_changes;
    gate_error *untold_error;
};
void watch_run(gate *gate);
void watch_timers(gate *gate, uint64_t now);
uint64_t watch_due(const gate *gate, uint64_t now);
bool watch_tell(gate *gate);
void watch_free(gate *gate);
bool state_keep(gate *gate, Gate__V1__WatchResponse *message, bool is_snapshot, unsigned *changed);
void state_forget(gate *gate);

// The mode in a message of the daemon; child if it is missing or unknown.
int mode_of_state(const Gate__V1__ModeState *state, int64_t *deadline);

// MARK: lists, forms, news

typedef const gate_text *const *texts;
texts texts_of(struct arena *arena, size_t count, Gate__V1__Text **from);
const char *const *choices_of(struct arena *arena, size_t count, char **from);
const gate_ask *const *asks_of(struct arena *arena, size_t count, Gate__V1__Ask **from);

void listing_free(struct listing *listing);
// Reads a list page by page, and passes it to the handler as one message of the type `output`. `name`: only what belongs to this form; NULL:
// everything.
int listing_start(gate *gate, const char *name, const ProtobufCMessageDescriptor *output, void (*run)(struct gate *, struct delivery *),
    any_handler handler, void *userdata, uint64_t *number);
// The error of a delivery, or of an answer that can't be read (`is_said` is false); NULL if there is none. The caller frees `*made`.
const gate_error *error_unless(bool is_said, const struct delivery *delivery, gate_error **made);
// The call of this number was cancelled, so a form that it was opening is forgotten.
void form_cancelled(gate *gate, uint64_t number);
void forms_close(gate *gate, uint64_t presentation);
void forms_free(gate *gate);
void news_free(gate *gate);

// MARK: the handle

struct gate {
    pid_t process, thread;
    int epoll, timer;
    bool is_running, is_dying, is_started;
    char *path, *program;
    uid_t server_uid;
    bool has_server_uid, uses_portal; // uses_portal: `path` is the socket of gate-portal, since this is a sandboxed app
    uint64_t call_usec, chance;

    int socket;
    enum connection_state connection;
    uint64_t connect_again, connect_until;
    bool is_breaking, waits_to_write, can_wait;
    gate_error *broken;
    struct buffer in, out;

    struct call *calls;
    size_t call_count;
    uint32_t last_stream;
    uint64_t last_number;
    struct delivery *first, **end;
    size_t delivery_count, delivered_bytes;

    struct request *requests;
    struct open *opens;
    uint64_t own_watch;
    struct form *forms;
    Gate__V1__WhatsNew *news[MAXIMUM_NEWS];
    size_t news_count;
    gate_show_handler show;
    gate_close_handler close;
    void *screen_userdata;
    struct presenter presenter;
    struct watch watch;

    gate_error *sync_error;
    uint8_t *sync_bytes;
    gate_age_range sync_age_range;
};

int gate_check_thread(const gate *gate); // 0 in the thread that made the handle; else a negative errno
int gate_start(gate *gate);         // as gate_check_thread(); if that succeeds, ends the settings phase
double gate_chance(gate *gate);     // a random number from 0 up to, but not including, 1
uint64_t monotonic_usec(void);
int64_t boottime_ns(void);
int64_t wall_ms(void);
// Converts a moment of CLOCK_BOOTTIME, in nanoseconds, to microseconds of CLOCK_MONOTONIC; a moment in the past to `now`.
uint64_t monotonic_of_boottime(int64_t deadline, uint64_t now);
void wipe(void *bytes, size_t size);
// Waits for the delivery that ends the call, and runs it. Returns 0 or a negative errno.
int sync_run(gate *gate, uint64_t number);
