/* A function that libFuzzer offers to the program that it calls. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Changes an input in one of libFuzzer's ways. Returns its new size. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t maximum_size);
