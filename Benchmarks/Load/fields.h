// Reads protobuf without a schema.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Only what occurs in revisions: varints, and fields with a length.
struct fields {
    const uint8_t *next, *end;
};
struct field {
    uint32_t number;
    uint64_t value;
    struct fields fields;
};
// Reads the next field. Returns false at the end. Ends the program if the field is malformed.
bool next_field(struct fields *fields, struct field *field);
