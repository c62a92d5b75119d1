// Many watchers of one server, read by one process with epoll, and the connection that makes the changes.
#pragma once
#include "measures.h"
#include "wire.h"

struct audience {
    int poll, control;
    uint32_t stream;
    size_t connection_count, watch_count;
    int *sockets;
    // One inbox for all: a frame is read to its end before the next connection's turn.
    struct inbox inbox;
    // The newest change and the newest response.
    struct data change, response;
};

// Makes this many connections, without watches.
struct audience *gather(const char *path, size_t connection_count);
// Sends watch requests over the connections in turn, `watch_count` in all, and waits for the first message of each.
void begin_watching(struct audience *audience, size_t watch_count);
// Makes one change. Returns the seconds from sending the command until the last watch has its data frame.
double change_once(struct audience *audience, struct frame command);
void dismiss(struct audience *audience);
