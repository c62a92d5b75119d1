// What the files about forms, lists and news share.
#pragma once

#include "internal.h"
#include "gate/v1/questionnaires.pb-c.h"
#include "gate/v1/release_notes.pb-c.h"

// A form that is open or being opened: how to reach its draft, and what its handler knows of it.
struct form {
    struct form *next;
    uint64_t id;                // the number of the call that has opened it
    uint64_t call;              // the newest call for it
    uint64_t presentation;      // the presentation that shows it; 0: none
    char *name;
    uint64_t draft_id, revision;
    uint64_t response_id;       // the response to load before the form counts as open
    bool is_open;
    bool is_begun;              // whether a draft was begun for it that its handler does not know of yet
    bool begins_another, loads;
    bool is_ending;             // whether that draft is being discarded
    Gate__V1__FormChange *change; // the change that the newest call has made
    gate_error *why;            // why opening failed; told when that draft was discarded
};

struct form *form_find(const gate *gate, uint64_t id);
// Finds an open form without a call under way, and its target. Returns 0 or a negative errno.
int form_ready(gate *gate, uint64_t id, struct form **form, Gate__V1__FormTarget *target);
// Removes a form from the handle, and frees it.
void form_free(gate *gate, struct form *form);
// Opens the form that `wanted` describes, and copies that.
int form_open(gate *gate, const struct form *wanted, const char *label, const char *own, gate_form_handler handler, void *userdata,
    uint64_t *number);
// Sends a call for an open form that has no call under way. `target` and `revision` (NULL: it has none) point to fields of the message,
// which this sets. `call` has the functions for its answer. Returns 0 or a negative errno.
int form_send(gate *gate, uint64_t id, const char *method, const ProtobufCMessage *message, Gate__V1__FormTarget **target,
    uint64_t *revision, const struct call *call, uint64_t *number);
// Sends a change of a form in the same way. The handler gets the form after the change.
int form_change(gate *gate, uint64_t id, const char *method, const ProtobufCMessage *message, Gate__V1__FormTarget **target,
    uint64_t *revision, const ProtobufCMessageDescriptor *output, gate_form_handler handler, void *userdata, uint64_t *number);
int form_read(gate *gate, struct form *form, gate_form_handler handler, void *userdata, uint64_t *number);

// A list that is being read page by page.
struct listing {
    ProtobufCMessage *message;  // the first page, with the elements of all pages so far; NULL: no page has arrived
    char *name;                 // the form that the list is about; empty: all forms
    size_t bytes;
    unsigned pages;
};

// The bytes as a string in the arena; NULL if they are not UTF-8 without a NUL, or there is no memory.
const char *text_of(struct arena *arena, const ProtobufCBinaryData *bytes);
ProtobufCBinaryData bytes_of(const char *text);
gate_draft draft_of(const Gate__V1__FormSummary *from);
