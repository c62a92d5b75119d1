// Walks through a FileDescriptorSet: through the request of each method, down to every string in it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

// The field numbers of descriptor.proto.
enum { FILE_PACKAGE = 2, FILE_MESSAGE = 4, FILE_SERVICE = 6, MESSAGE_FIELD = 2, MESSAGE_NESTED = 3, FIELD_NUMBER = 3, FIELD_TYPE = 5,
    FIELD_TYPE_NAME = 6, SERVICE_METHOD = 2, METHOD_INPUT = 2, METHOD_STREAMS = 6, NAME = 1, TYPE_STRING = 9, TYPE_MESSAGE = 11 };

struct message_type {
    char name[128];
    struct fields fields;
};
struct walk {
    struct message_type types[512];
    int type_count;
    struct string_field *found;
    int found_count, method_count;
};

static void text_of(struct fields message, uint32_t number, char *text, size_t size) {
    struct field field;
    text[0] = 0;
    if (!find_field(message, number, &field)) return;
    if (field.value >= size) fail("a name of %lu bytes", (unsigned long)field.value);
    memcpy(text, field.fields.next, field.value);
    text[field.value] = 0;
}

static void add_type(struct walk *walk, struct fields message, const char *scope) {
    if (walk->type_count == 512) fail("more messages than this can walk");
    struct message_type *type = &walk->types[walk->type_count++];
    char name[64];
    text_of(message, NAME, name, sizeof name);
    if ((size_t)snprintf(type->name, sizeof type->name, "%s.%s", scope, name) >= sizeof type->name) fail("%s is too long", name);
    type->fields = message;
    struct field nested;
    while (next_field(&message, &nested)) {
        if (nested.number == MESSAGE_NESTED) add_type(walk, nested.fields, type->name);
    }
}

static const struct message_type *find_type(const struct walk *walk, const char *name) {
    for (int i = 0; i < walk->type_count; i++) {
        if (strcmp(walk->types[i].name, name) == 0) return &walk->types[i];
    }
    fail("a message %s that is nowhere described", name);
}

static void walk_message(struct walk *walk, const struct message_type *type, struct string_field place) {
    struct fields message = type->fields;
    struct field field, number, kind;
    if (place.depth == sizeof place.numbers / sizeof *place.numbers) fail("%s contains itself", type->name);
    while (next_field(&message, &field)) {
        if (field.number != MESSAGE_FIELD) continue;
        if (!find_field(field.fields, FIELD_NUMBER, &number) || !find_field(field.fields, FIELD_TYPE, &kind))
            fail("%s has a field without a type", type->name);
        struct string_field inner = place;
        char name[64], type_name[128];
        text_of(field.fields, NAME, name, sizeof name);
        size_t length = strlen(inner.path);
        snprintf(inner.path + length, sizeof inner.path - length, ".%s", name);
        inner.numbers[inner.depth++] = (uint32_t)number.value;
        if (kind.value == TYPE_MESSAGE) {
            text_of(field.fields, FIELD_TYPE_NAME, type_name, sizeof type_name);
            walk_message(walk, find_type(walk, type_name), inner);
        } else if (kind.value == TYPE_STRING) {
            walk->found = realloc(walk->found, (size_t)(walk->found_count + 1) * sizeof *walk->found);
            if (!walk->found) fail("no memory");
            walk->found[walk->found_count++] = inner;
        }
    }
}

static void walk_service(struct walk *walk, struct fields service) {
    char name[32], method_name[32], input[128];
    text_of(service, NAME, name, sizeof name);
    struct field method, streams;
    while (next_field(&service, &method)) {
        if (method.number != SERVICE_METHOD) continue;
        text_of(method.fields, NAME, method_name, sizeof method_name);
        text_of(method.fields, METHOD_INPUT, input, sizeof input);
        struct string_field place = {
            .is_stream = find_field(method.fields, METHOD_STREAMS, &streams) && streams.value != 0};
        snprintf(place.method, sizeof place.method, "%s/%s", name, method_name);
        memcpy(place.path, place.method, sizeof place.method);
        walk->method_count++;
        walk_message(walk, find_type(walk, input), place);
    }
}

struct string_field *string_fields(struct scene *scene, int *count, int *methods) {
    struct peer *peer = open_peer(scene);
    struct answer answer = expect(peer, OK, "Control/Describe", NULL);
    static struct walk walk;
    struct field set, file, part;
    if (!find_field(message_of(&answer), 1, &set)) broken("Describe describes nothing");
    for (struct fields files = set.fields; next_field(&files, &file);) {
        char package[64], scope[72];
        text_of(file.fields, FILE_PACKAGE, package, sizeof package);
        snprintf(scope, sizeof scope, ".%s", package);
        for (struct fields parts = file.fields; next_field(&parts, &part);) {
            if (part.number == FILE_MESSAGE) add_type(&walk, part.fields, scope);
        }
    }
    for (struct fields files = set.fields; next_field(&files, &file);) {
        for (struct fields parts = file.fields; next_field(&parts, &part);) {
            if (part.number == FILE_SERVICE) walk_service(&walk, part.fields);
        }
    }
    *count = walk.found_count;
    *methods = walk.method_count;
    if (walk.found_count < 50 || walk.method_count < 50)
        broken("only %d strings in %d methods: the walk misses something", walk.found_count, walk.method_count);
    // Names and fields are used as long as the process runs, so they are not freed.
    return walk.found;
}
