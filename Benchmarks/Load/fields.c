#include "../wire.h"
#include "fields.h"

static uint64_t varint(struct fields *fields) {
    uint64_t value = 0;
    for (int shift = 0; fields->next < fields->end && shift < 64; shift += 7) {
        uint8_t byte = *fields->next++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    fail("a message that can't be decoded");
}

bool next_field(struct fields *fields, struct field *field) {
    if (fields->next == fields->end) return false;
    uint64_t key = varint(fields);
    field->number = (uint32_t)(key >> 3);
    field->value = varint(fields);
    field->fields = (struct fields){fields->next, fields->next};
    if ((key & 7) == 0) return true;
    if ((key & 7) != 2 || field->value > (uint64_t)(fields->end - fields->next)) fail("a message that can't be decoded");
    fields->next += field->value;
    field->fields.end = fields->next;
    return true;
}
