/* What libFuzzer offers to those it calls. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Changes an input in one of libFuzzer's ways; returns its new size. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t maximum_size);
