/* libprotobuf-c as a module: the descriptors that ProtobufScan reads; and what wipes memory, for targets that know no
   system. */
#pragma once
#include <protobuf-c/protobuf-c.h>
#include <string.h>

/* Zeros, written even though nobody will read them. */
static inline void wipe_memory(void *start, size_t count) { explicit_bzero(start, count); }
