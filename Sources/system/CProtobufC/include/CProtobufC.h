/* libprotobuf-c as a module, for the descriptors that ProtobufScan reads. Also wipes memory, for targets that may not import
   Glibc. */
#pragma once
#include <protobuf-c/protobuf-c.h>
#include <string.h>

/* Overwrites memory with zeros. The compiler does not leave this out, even if nothing reads the memory again. */
static inline void wipe_memory(void *start, size_t count) { explicit_bzero(start, count); }
