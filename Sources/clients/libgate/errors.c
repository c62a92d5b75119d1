#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// The error is the first field, so that a pointer to it is a pointer to the structure too.
struct owned_error { gate_error error; struct arena arena; };

static const void *const empty[1];

static struct owned_error *made(int code, int reason) {
    struct owned_error *owned = calloc(1, sizeof *owned);
    if (!owned) return NULL;
    owned->error.code = code;
    owned->error.reason = reason;
    owned->error.message = "";
    owned->error.parameters = (const gate_parameter *const *)empty;
    owned->error.issues = (const gate_issue *const *)empty;
    return owned;
}

gate_error *error_new(int code, int reason, const char *format, ...) {
    struct owned_error *owned = made(code, reason);
    if (!owned) return NULL;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_text(text);
    owned->error.message = arena_text(&owned->arena, text);
    return &owned->error;
}

void error_free(gate_error *error) {
    if (!error) return;
    struct owned_error *owned = (struct owned_error *)error;
    arena_free(&owned->arena);
    free(owned);
}

static const char *place_of(struct arena *arena, const Gate__V1__Issue *issue) {
    char text[256];
    if (issue->place_case == GATE__V1__ISSUE__PLACE_FORM) return arena_text(arena, issue->form->link_id);
    if (issue->place_case != GATE__V1__ISSUE__PLACE_FILE) return "";
    snprintf(text, sizeof text, "%s:%u:%u", known(issue->file->file), issue->file->line, issue->file->column);
    make_text(text);
    return arena_text(arena, text);
}

gate_error *error_of_detail(const Gate__V1__ErrorDetail *detail, const char *message) {
    int code = detail->code > 0 && detail->code <= GATE_UNAUTHENTICATED ? detail->code : GATE_UNKNOWN;
    struct owned_error *owned = made(code, (int)detail->reason);
    if (!owned) return NULL;
    struct arena *arena = &owned->arena;
    owned->error.message = arena_text(arena, message);
    owned->error.retry_after_ms = detail->retry_after_milliseconds > 0 ? detail->retry_after_milliseconds : 0;

    void *const *list = arena_list(arena, detail->n_parameters, sizeof(gate_parameter));
    for (size_t i = 0; list[i]; i++) {
        gate_parameter *parameter = list[i];
        parameter->name = arena_text(arena, detail->parameters[i]->name);
        parameter->value = arena_text(arena, detail->parameters[i]->value);
    }
    owned->error.parameters = (const gate_parameter *const *)list;
    list = arena_list(arena, detail->n_issues, sizeof(gate_issue));
    for (size_t i = 0; list[i]; i++) {
        gate_issue *issue = list[i];
        issue->place = place_of(arena, detail->issues[i]);
        issue->kind = (int)detail->issues[i]->kind;
        issue->message = arena_text(arena, detail->issues[i]->message);
    }
    owned->error.issues = (const gate_issue *const *)list;
    return &owned->error;
}

gate_error *error_of_status(const Ttrpc__Status *status) {
    // A status of OK is an error here too, since the answer is missing.
    int code = status->code > 0 && status->code <= GATE_UNAUTHENTICATED ? status->code : GATE_UNKNOWN;
    for (size_t i = 0; i < status->n_details; i++) {
        const Ttrpc__Any *any = status->details[i];
        if (strcmp(known(any->type_url), "type.googleapis.com/gate.v1.ErrorDetail") != 0) continue;
        Gate__V1__ErrorDetail *detail = unpack(&gate__v1__error_detail__descriptor, any->value.data, any->value.len);
        if (!detail) continue;
        gate_error *error = error_of_detail(detail, status->message);
        if (error) error->code = code;
        message_free(detail);
        return error;
    }
    struct owned_error *owned = made(code, GATE_REASON_UNSPECIFIED);
    if (owned) owned->error.message = arena_text(&owned->arena, status->message);
    return owned ? &owned->error : NULL;
}

gate_error *error_copy(const gate_error *error) {
    if (!error) return NULL;
    struct owned_error *owned = made(error->code, error->reason);
    if (!owned) return NULL;
    size_t count = 0;
    struct arena *arena = &owned->arena;
    owned->error.message = arena_text(arena, error->message);
    owned->error.retry_after_ms = error->retry_after_ms;
    while (error->parameters[count]) count++;
    void *const *list = arena_list(arena, count, sizeof(gate_parameter));
    for (size_t i = 0; list[i]; i++) {
        *(gate_parameter *)list[i] = (gate_parameter){
            arena_text(arena, error->parameters[i]->name), arena_text(arena, error->parameters[i]->value)};
    }
    owned->error.parameters = (const gate_parameter *const *)list;
    for (count = 0; error->issues[count];) count++;
    list = arena_list(arena, count, sizeof(gate_issue));
    for (size_t i = 0; list[i]; i++) {
        const gate_issue *issue = error->issues[i];
        *(gate_issue *)list[i] = (gate_issue){arena_text(arena, issue->place), issue->kind, arena_text(arena, issue->message)};
    }
    owned->error.issues = (const gate_issue *const *)list;
    return &owned->error;
}

const gate_error *error_or_none(const gate_error *error) {
    static const gate_error no_memory = {
        GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED, "There is not enough memory for the daemon's error message.", 0,
        (const gate_parameter *const *)empty, (const gate_issue *const *)empty};
    return error ? error : &no_memory;
}

const char *gate_error_get_parameter(const gate_error *error, const char *name) {
    if (!error || !name) return NULL;
    for (const gate_parameter *const *parameter = error->parameters; *parameter; parameter++) {
        if (strcmp((*parameter)->name, name) == 0) return (*parameter)->value;
    }
    return NULL;
}

// Whether the question remains open after this error, and is to be shown again with it: the answer was not valid, it could not be checked,
// the secret takes no more answers, or the person tried to dismiss something that only the state closes.
bool leaves_question_open(const gate_error *error) {
    switch (error->code) {
    case GATE_INVALID_ARGUMENT: return true;
    case GATE_FAILED_PRECONDITION: return error->reason == GATE_REASON_NOT_DISMISSIBLE;
    case GATE_UNAVAILABLE: return error->reason == GATE_REASON_FAILED || error->reason == GATE_REASON_UNSPECIFIED;
    case GATE_RESOURCE_EXHAUSTED: return error->reason == GATE_REASON_GUESSES_USED_UP;
    default: return false;
    }
}
