// What forms and lists share with the rest of libgate.
#pragma once

#include "internal.h"
#include "gate/v1/questionnaires.pb-c.h"
#include "gate/v1/release_notes.pb-c.h"

// A form that is open, or being opened: where its draft is, and what its handler has heard of it.
struct form {
    struct form *next;
    uint64_t id;                // the number of the call that has opened it
    uint64_t call;              // the newest call for it
    uint64_t presentation;      // that shows it; 0: it is this program's own
    char *name;
    uint64_t draft_id, revision;
    uint64_t response_id;       // to load before it counts as open
    bool is_open;
    bool is_begun;              // a draft was begun that nobody has heard of yet
    bool begins_another, loads;
    bool is_ending;             // what was begun is being thrown away
    Gate__V1__FormChange *change; // that the newest call has made
    gate_error *why;            // it was not opened, told once the draft that was begun is thrown away
};

struct form *form_find(const gate *gate, uint64_t id);
// An open form for which nothing is under way, and its target. Returns 0 or a negative errno.
int form_ready(gate *gate, uint64_t id, struct form **form, Gate__V1__FormTarget *target);
// Takes a form out, and forgets it.
void form_free(gate *gate, struct form *form);
// Opens it; `wanted` says which, and what is in it is copied.
int form_open(gate *gate, const struct form *wanted, const char *label, const char *own, gate_form_handler handler, void *userdata,
    uint64_t *number);
// Sends a call for it whose answer goes to `answered`, and then to `run`.
int form_call(gate *gate, struct form *form, const char *method, const ProtobufCMessage *message, const struct call *call, uint64_t *number);
// Sends a change; its handler hears the form as it is then.
int form_change(gate *gate, struct form *form, const char *method, const ProtobufCMessage *message, const ProtobufCMessageDescriptor *output,
    gate_form_handler handler, void *userdata, uint64_t *number);
int form_read(gate *gate, struct form *form, gate_form_handler handler, void *userdata, uint64_t *number);

// What is known of a list before its last page has come.
struct listing {
    ProtobufCMessage *message;  // the first page, with the elements of those after it; NULL: none has come
    char *name;                 // of the form that it is about; empty: of all
    size_t bytes;
    unsigned pages;
};

// The bytes as a string in the arena; NULL: they are no text, or there was no memory.
const char *text_of(struct arena *arena, const ProtobufCBinaryData *bytes);
ProtobufCBinaryData bytes_of(const char *text);
void put_holder(const Gate__V1__FormHolder *holder, const char **account, uid_t *uid);
gate_draft draft_of(const Gate__V1__FormSummary *from);
// The error of a delivery, or of an answer that says nothing (`is_said` false); NULL: there is none. `*made` is to be freed.
const gate_error *error_unless(bool is_said, const struct delivery *delivery, gate_error **made);
