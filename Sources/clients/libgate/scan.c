// Checks an encoded message before libprotobuf-c unpacks it, and refuses malformed bytes, groups, known fields with a wrong wire type, NUL or
// invalid UTF-8 in strings, too much depth, and too many fields or packed elements. libprotobuf-c accepts any bytes in strings, allocates
// memory for each element, and unpacks as deep as the bytes say. The check allocates nothing, and reads nothing outside of the bytes.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum wire_type { VARINT = 0, FIXED64 = 1, DELIMITED = 2, FIXED32 = 5 };

struct reader { const uint8_t *at, *end; };

static bool varint(struct reader *reader, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (reader->at == reader->end) return false;
        uint8_t byte = *reader->at++;
        if (shift == 63 && byte > 1) return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

// Tags and lengths: libprotobuf-c reads at most five bytes of them.
static bool short_varint(struct reader *reader, uint64_t *value) {
    const uint8_t *start = reader->at;
    return varint(reader, value) && reader->at - start <= 5;
}

bool is_text(const uint8_t *at, size_t size) {
    const uint8_t *end = at + size;
    while (at < end) {
        uint8_t first = *at++;
        if (first == 0) return false;
        if (first < 0x80) continue;
        unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4 || (size_t)(end - at) < more) return false;
        uint8_t second = *at;
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90)
            || (first == 0xf4 && second > 0x8f))
            return false;
        for (; more > 0; more--) {
            if ((*at++ & 0xc0) != 0x80) return false;
        }
    }
    return true;
}

void make_text(char *text) {
    size_t size = strlen(text);
    for (size_t at = 0, length; at < size; at += length) {
        for (length = 1; length <= 4 && at + length <= size && !is_text((uint8_t *)text + at, length);) length++;
        if (length <= 4 && at + length <= size) continue;
        text[at] = '?';
        length = 1;
    }
}

static enum wire_type wire_type_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_SFIXED32: case PROTOBUF_C_TYPE_FIXED32: case PROTOBUF_C_TYPE_FLOAT: return FIXED32;
    case PROTOBUF_C_TYPE_SFIXED64: case PROTOBUF_C_TYPE_FIXED64: case PROTOBUF_C_TYPE_DOUBLE: return FIXED64;
    case PROTOBUF_C_TYPE_STRING: case PROTOBUF_C_TYPE_BYTES: case PROTOBUF_C_TYPE_MESSAGE: return DELIMITED;
    default: return VARINT;
    }
}

static bool count(unsigned *fields, size_t more) {
    if (more > MAXIMUM_FIELDS - *fields) return false;
    *fields += (unsigned)more;
    return true;
}

// Each element of a packed field takes memory, so each one counts as a field.
static bool scan_packed(struct reader content, enum wire_type element, unsigned *fields) {
    size_t size = (size_t)(content.end - content.at);
    switch (element) {
    case VARINT:
        while (content.at < content.end) {
            uint64_t value;
            if (!count(fields, 1) || !varint(&content, &value)) return false;
        }
        return true;
    case FIXED32: return size % 4 == 0 && count(fields, size / 4);
    case FIXED64: return size % 8 == 0 && count(fields, size / 8);
    case DELIMITED: break;
    }
    return false;
}

static bool scan_message(struct reader reader, const ProtobufCMessageDescriptor *descriptor, unsigned depth, unsigned *fields) {
    while (reader.at < reader.end) {
        uint64_t tag, value;
        if (!count(fields, 1) || !short_varint(&reader, &tag) || tag >> 3 == 0 || tag > UINT32_MAX) return false;
        struct reader content = {reader.at, reader.at};
        size_t left = (size_t)(reader.end - reader.at);
        switch (tag & 7) {
        case VARINT:
            if (!varint(&reader, &value)) return false;
            break;
        case FIXED64:
            if (left < 8) return false;
            reader.at += 8;
            break;
        case FIXED32:
            if (left < 4) return false;
            reader.at += 4;
            break;
        case DELIMITED:
            if (!short_varint(&reader, &value) || value > (uint64_t)(reader.end - reader.at)) return false;
            content = (struct reader){reader.at, reader.at + value};
            reader.at += value;
            break;
        default: return false; // groups, and unknown wire types
        }
        const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(descriptor, (unsigned)(tag >> 3));
        if (!field) continue;
        enum wire_type expected = wire_type_of(field->type);
        if ((tag & 7) != expected) {
            if ((tag & 7) != DELIMITED || field->label != PROTOBUF_C_LABEL_REPEATED) return false;
            if (!scan_packed(content, expected, fields)) return false;
        } else if (field->type == PROTOBUF_C_TYPE_STRING) {
            if (!is_text(content.at, (size_t)(content.end - content.at))) return false;
        } else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            if (depth >= MAXIMUM_DEPTH || !scan_message(content, field->descriptor, depth + 1, fields)) return false;
        }
    }
    return true;
}

bool scan(const uint8_t *bytes, size_t size, const ProtobufCMessageDescriptor *descriptor) {
    static const uint8_t nothing;
    unsigned fields = 0;
    const uint8_t *start = bytes ? bytes : &nothing;
    return scan_message((struct reader){start, start + size}, descriptor, 1, &fields);
}

void *unpack(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes, size_t size) {
    static const uint8_t nothing;
    if (!scan(bytes, size, descriptor)) return NULL;
    return protobuf_c_message_unpack(descriptor, NULL, size, bytes ? bytes : &nothing);
}

void message_free(void *message) {
    if (message) protobuf_c_message_free_unpacked(message, NULL);
}

ProtobufCMessage *message_copy(const ProtobufCMessage *message) {
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = malloc(size + 1);
    if (!bytes) return NULL;
    protobuf_c_message_pack(message, bytes);
    ProtobufCMessage *copy = protobuf_c_message_unpack(message->descriptor, NULL, size, bytes);
    free(bytes);
    return copy;
}

ProtobufCMessage **message_field(ProtobufCMessage *message, const char *name) {
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name);
    if (!field || field->type != PROTOBUF_C_TYPE_MESSAGE || field->label == PROTOBUF_C_LABEL_REPEATED) return NULL;
    char *start = (char *)message;
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF && *(uint32_t *)(start + field->quantifier_offset) != field->id) return NULL;
    ProtobufCMessage **place = (ProtobufCMessage **)(start + field->offset);
    return *place ? place : NULL;
}
