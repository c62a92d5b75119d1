// The header of a ttrpc frame: ten bytes, which are the size of the data, the stream, a type and flags. Numbers have their highest byte first.
// gate-portal reads and writes frames with this, too.
#pragma once
#include <stdint.h>

enum {
    HEADER_BYTES = 10,
    FRAME_BYTES = 4 << 20,          // the most data that the protocol allows in a frame
};

static inline uint32_t read_number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void write_number(uint8_t *bytes, uint32_t number) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}
