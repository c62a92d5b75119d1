/* libprotobuf-c as a module: the descriptors that ProtobufScan reads. */
#pragma once
#include <protobuf-c/protobuf-c.h>
