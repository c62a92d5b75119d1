#include "totp.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

// SHA-1 of at most two blocks, which is enough for a code.
static uint32_t rotated(uint32_t word, int bits) {
    return word << bits | word >> (32 - bits);
}

static void add_block(uint32_t hash[5], const uint8_t *block) {
    uint32_t words[80], a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4];
    for (int i = 0; i < 16; i++) {
        const uint8_t *bytes = block + 4 * i;
        words[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    }
    for (int i = 16; i < 80; i++) words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t mixed = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d : i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        static const uint32_t constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = rotated(a, 5) + mixed + e + constants[i / 20] + words[i];
        e = d, d = c, c = rotated(b, 30), b = a, a = next;
    }
    hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d, hash[4] += e;
}

// Hashes a block with the masked key, and a text of less than 56 bytes.
static void hash_with_key(const uint8_t *key, uint8_t hiding, const uint8_t *text, size_t size, uint8_t result[20]) {
    uint32_t hash[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t block[64];
    memset(block, hiding, sizeof block);
    for (int i = 0; i < TOTP_KEY_BYTES; i++) block[i] ^= key[i];
    add_block(hash, block);
    memset(block, 0, sizeof block);
    memcpy(block, text, size);
    block[size] = 0x80;
    size_t bits = (sizeof block + size) * 8;
    block[62] = (uint8_t)(bits >> 8);
    block[63] = (uint8_t)bits;
    add_block(hash, block);
    for (int i = 0; i < 20; i++) result[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
}

uint64_t totp_step_now(void) {
    return (uint64_t)time(NULL) / 30;
}

void write_totp_code(const uint8_t key[TOTP_KEY_BYTES], uint64_t step, char code[7]) {
    uint8_t counter[8], inner[20], outer[20];
    for (int i = 0; i < 8; i++) counter[i] = (uint8_t)(step >> (56 - 8 * i));
    hash_with_key(key, 0x36, counter, sizeof counter, inner);
    hash_with_key(key, 0x5c, inner, sizeof inner, outer);
    const uint8_t *chosen = outer + (outer[19] & 0x0f);
    uint32_t number = (uint32_t)(chosen[0] & 0x7f) << 24 | (uint32_t)chosen[1] << 16 | (uint32_t)chosen[2] << 8 | chosen[3];
    snprintf(code, 7, "%06u", number % 1000000);
}
