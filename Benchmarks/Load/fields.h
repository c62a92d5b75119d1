// Protobuf without a schema.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Protobuf, as little of it as there is in revisions: varints and what has a length.
struct fields {
    const uint8_t *next, *end;
};
struct field {
    uint32_t number;
    uint64_t value;
    struct fields fields;
};
// The next field, or false at the end. Ends the program where it is malformed.
bool next_field(struct fields *fields, struct field *field);
