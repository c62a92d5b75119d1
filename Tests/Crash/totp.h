// The code that an authenticator shows (RFC 6238: HMAC-SHA-1, steps of 30 s, six digits).
#pragma once
#include <stdint.h>

enum { TOTP_KEY_BYTES = 20 };

uint64_t totp_step_now(void);
// Six digits and a NUL.
void write_totp_code(const uint8_t key[TOTP_KEY_BYTES], uint64_t step, char code[7]);
