// Many connections of one process. Whatever the daemon does, this side never waits for one of them.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hostile.h"

static void watch_member(struct crowd *crowd, struct member *member, int operation) {
    bool has_more = member->written < member->outgoing.size || crowd->refill;
    struct epoll_event event = {
        .events = (crowd->never_reads ? 0u : EPOLLIN) | (has_more ? EPOLLOUT : 0u) | EPOLLRDHUP, .data.ptr = member};
    epoll_ctl(crowd->poll, operation, member->socket, &event);
}

bool reopen_member(struct crowd *crowd, struct member *member) {
    struct bytes outgoing = member->outgoing;
    *member = (struct member){.socket = connect_to(crowd->scene->socket), .stream = 1, .index = member->index,
        .last_code = -1, .outgoing = outgoing};
    member->outgoing.size = 0;
    if (member->socket < 0) {
        member->is_gone = true;
        return false;
    }
    atomic_fetch_add(&crowd->scene->shared->connections, 1);
    fcntl(member->socket, F_SETFL, O_NONBLOCK);
    crowd->open++;
    watch_member(crowd, member, EPOLL_CTL_ADD);
    return true;
}

struct crowd *make_crowd(struct scene *scene, int count) {
    struct crowd *crowd = calloc(1, sizeof *crowd);
    *crowd = (struct crowd){.scene = scene, .members = calloc((size_t)count, sizeof(struct member)), .count = count,
        .poll = epoll_create1(EPOLL_CLOEXEC)};
    for (int i = 0; i < count; i++) crowd->members[i] = (struct member){.index = i, .is_gone = true, .last_code = -1};
    return crowd;
}

struct crowd *open_crowd(struct scene *scene, int count) {
    struct crowd *crowd = make_crowd(scene, count);
    for (int i = 0; i < count; i++) {
        if (!reopen_member(crowd, &crowd->members[i])) broken("connection %d could not be opened", i);
    }
    return crowd;
}

void say_more(struct crowd *crowd, bool (*refill)(struct crowd *, struct member *)) {
    crowd->refill = refill;
    for (int i = 0; i < crowd->count; i++) {
        if (!crowd->members[i].is_gone) watch_member(crowd, &crowd->members[i], EPOLL_CTL_MOD);
    }
}

void close_member(struct crowd *crowd, struct member *member) {
    if (member->is_gone) return;
    close(member->socket);
    member->is_gone = true;
    crowd->open--;
}

static int end_frame(struct crowd *crowd, struct member *member) {
    struct header header = decode_header(member->header);
    member->header_size = 0;
    if (header.type != FRAME_RESPONSE) return 0;
    // The beginning of a status is enough: the code comes first, and the end of the message may be cut off.
    int code = OK;
    if (member->start_size >= 2 && member->start[0] == 0x0a) {
        size_t at = 1;
        while (at < member->start_size && member->start[at] & 0x80) at++;
        if (at + 2 < member->start_size && member->start[at + 1] == 0x08) code = member->start[at + 2];
    }
    member->last_code = code;
    member->answers++;
    atomic_fetch_add(&crowd->scene->shared->codes[code < CODES ? code : 2], 1);
    return 1;
}

static int read_frames(struct crowd *crowd, struct member *member, const uint8_t *bytes, size_t size) {
    int answers = 0;
    while (size > 0) {
        if (member->header_size < HEADER_BYTES) {
            member->header[member->header_size++] = *bytes++;
            size--;
            if (member->header_size < HEADER_BYTES) continue;
            member->rest = decode_header(member->header).size;
            member->start_size = 0;
        } else {
            size_t count = size < member->rest ? size : member->rest;
            size_t kept = sizeof member->start - member->start_size;
            if (kept > count) kept = count;
            memcpy(member->start + member->start_size, bytes, kept);
            member->start_size += kept;
            member->rest -= count;
            bytes += count;
            size -= count;
        }
        if (member->header_size == HEADER_BYTES && member->rest == 0) answers += end_frame(crowd, member);
    }
    return answers;
}

static void write_member(struct crowd *crowd, struct member *member) {
    if (member->written == member->outgoing.size) {
        member->written = member->outgoing.size = 0;
        if (!crowd->refill || !crowd->refill(crowd, member)) return watch_member(crowd, member, EPOLL_CTL_MOD);
    }
    ssize_t count = send(
        member->socket, member->outgoing.data + member->written, member->outgoing.size - member->written,
        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) member->written += (size_t)count;
    if (member->written == member->outgoing.size && !crowd->refill) watch_member(crowd, member, EPOLL_CTL_MOD);
}

int pump(struct crowd *crowd, int milliseconds) {
    static uint8_t bytes[256 * 1024];
    struct epoll_event events[256];
    int answers = 0, count = epoll_wait(crowd->poll, events, 256, milliseconds);
    for (int i = 0; i < count; i++) {
        struct member *member = events[i].data.ptr;
        if (member->is_gone) continue;
        if (events[i].events & EPOLLIN) {
            ssize_t size = read(member->socket, bytes, sizeof bytes);
            if (size > 0) answers += read_frames(crowd, member, bytes, (size_t)size);
            if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
                atomic_fetch_add(&crowd->scene->shared->hang_ups, 1);
                close_member(crowd, member);
                continue;
            }
        } else if (events[i].events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)) {
            atomic_fetch_add(&crowd->scene->shared->hang_ups, 1);
            close_member(crowd, member);
            continue;
        }
        if (events[i].events & EPOLLOUT) write_member(crowd, member);
    }
    return answers;
}
