// Connections: thousands of them, slow ones, ones that never read, and more than the daemon has descriptors for.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

static void pause_ms(long milliseconds) {
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}, NULL);
}

static void ask_once(struct crowd *crowd, struct member *member) {
    put_request(&member->outgoing, 1, "Mode/GetMode", NULL, 0);
    while (member->written < member->outgoing.size) {
        ssize_t count = send(member->socket, member->outgoing.data + member->written,
            member->outgoing.size - member->written, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0) return;
        member->written += (size_t)count;
    }
    (void)crowd;
}

enum { MANY_CONNECTIONS = 5000 };

static void open_thousands(struct scene *scene) {
    struct crowd *crowd = make_crowd(scene, MANY_CONNECTIONS);
    for (int i = 0; i < MANY_CONNECTIONS; i++) {
        struct member *member = &crowd->members[i];
        if (reopen_member(crowd, member)) ask_once(crowd, member);
        pump(crowd, 0);
    }
    int waiting = 1;
    for (double started = now(); waiting > 0;) {
        pump(crowd, 100);
        waiting = 0;
        for (int i = 0; i < MANY_CONNECTIONS; i++)
            waiting += !crowd->members[i].is_gone && crowd->members[i].answers == 0;
        if (now() - started > PATIENCE_SECONDS) broken("%d connections have neither an answer nor an end", waiting);
    }
    int served = 0, told = 0;
    for (int i = 0; i < MANY_CONNECTIONS; i++) {
        struct member *member = &crowd->members[i];
        served += member->last_code == OK;
        told += member->last_code == RESOURCE_EXHAUSTED;
        if (member->last_code > OK && member->last_code != RESOURCE_EXHAUSTED)
            broken("a connection past the limit was told code %d", member->last_code);
    }
    if (served != CONNECTIONS_OF_USER) broken("%d connections of one user were served, not %d", served, CONNECTIONS_OF_USER);
    snprintf(scene->shared->found, sizeof scene->shared->found, "%d served, %d told why, %d hung up on", served, told,
        MANY_CONNECTIONS - served - told);
    scene->shared->is_set_up = true;
    // Connections that were refused try again and again.
    for (int next = 0; !scene->shared->is_over; next = (next + 1) % MANY_CONNECTIONS) {
        struct member *member = &crowd->members[next];
        if (member->is_gone && reopen_member(crowd, member)) ask_once(crowd, member);
        pump(crowd, 0);
    }
}

enum { SLOW_CONNECTIONS = 1000 };

// Half of the connections stop within the header, half within the data, and one finishes in the end.
static void trickle(struct scene *scene) {
    struct crowd *crowd = open_crowd(scene, SLOW_CONNECTIONS);
    struct bytes request = {0};
    put_request(&request, 1, "Mode/GetMode", NULL, 0);
    size_t sent[SLOW_CONNECTIONS] = {0};
    for (int i = 0; i < SLOW_CONNECTIONS; i += 2) {
        sent[i] = HEADER_BYTES;
        if (send(crowd->members[i].socket, request.data, HEADER_BYTES, MSG_NOSIGNAL) != HEADER_BYTES)
            broken("a slow connection was closed");
    }
    scene->shared->is_set_up = true;
    double started = now();
    for (long turn = 0; !scene->shared->is_over; turn++) {
        // Each connection sends once in a second, a hundredth of them at a time.
        for (int i = (int)(turn % 100) * 10; i < (int)(turn % 100 + 1) * 10; i++) {
            if (sent[i] + 1 >= request.size) continue;
            if (send(crowd->members[i].socket, request.data + sent[i]++, 1, MSG_NOSIGNAL) != 1)
                broken("a slow connection was closed");
        }
        while (!scene->shared->is_over && now() - started < (double)turn * 0.01) pause_ms(2);
    }
    for (int i = 0; i < 2; i++) {
        struct peer peer = {.socket = crowd->members[i].socket, .stream = 1};
        struct bytes rest = {request.data + sent[i], request.size - sent[i], 0};
        struct answer answer;
        if (!send_bytes(&peer, &rest) || !next_answer(&peer, &answer) || answer.code != OK)
            broken("a request that came a byte at a time was not answered");
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%d kept, answered when whole", SLOW_CONNECTIONS);
}

enum { DEAF_CONNECTIONS = 500, WATCHES = 16 };

// 16 watches for each, and then one large answer after the other, of which nothing is read.
static bool ask_for_more(struct crowd *crowd, struct member *member) {
    for (int i = 0; i < 8; i++) {
        put_request(&member->outgoing, member->stream, "Control/Describe", NULL, 0);
        member->stream += 2;
    }
    (void)crowd;
    return true;
}

static void never_read(struct scene *scene) {
    struct crowd *crowd = open_crowd(scene, DEAF_CONNECTIONS);
    crowd->never_reads = true;
    struct bytes topics = {0};
    for (int topic = 1; topic <= 5; topic++) put_number(&topics, 1, (uint64_t)topic);
    for (int i = 0; i < DEAF_CONNECTIONS; i++) {
        struct member *member = &crowd->members[i];
        for (int j = 0; j < WATCHES; j++, member->stream += 2)
            put_request(&member->outgoing, member->stream, "Watch/Watch", &topics, FLAG_REMOTE_CLOSED);
        struct peer peer = {.socket = member->socket};
        send_bytes(&peer, &member->outgoing);
        member->outgoing.size = 0;
    }
    say_more(crowd, ask_for_more);
    scene->shared->is_set_up = true;
    double started = now();
    while (!scene->shared->is_over) pump(crowd, 50);
    // If nothing is read for 30 s, the daemon closes the connection.
    if (now() - started > 50 && scene->shared->hang_ups == 0) broken("nobody who never reads was let go in 50 s");
    snprintf(scene->shared->found, sizeof scene->shared->found, "%d deaf, %lu of them let go after %.0f s", DEAF_CONNECTIONS,
        (unsigned long)scene->shared->hang_ups, now() - started);
}

enum { CROWD = 900 };

// All connections of a process end at the same moment.
static void die_in_crowds(struct scene *scene) {
    struct bytes topics = {0};
    put_number(&topics, 1, 1);
    scene->shared->is_set_up = true;
    int crowds = 0;
    for (; !scene->shared->is_over; crowds++) {
        pid_t child = fork();
        if (child < 0) fail_system("can't fork");
        if (child == 0) {
            struct crowd *crowd = make_crowd(scene, CROWD);
            for (int i = 0; i < CROWD && !scene->shared->is_over; i++) {
                struct member *member = &crowd->members[i];
                if (!reopen_member(crowd, member)) _exit(0);
                put_request(&member->outgoing, 1, "Watch/Watch", &topics, FLAG_REMOTE_CLOSED);
                struct peer peer = {.socket = member->socket};
                if (!send_bytes(&peer, &member->outgoing)) _exit(0);
            }
            _exit(0);
        }
        end_process(child, "a crowd");
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%d times, nothing left of them", crowds);
}

// Opens more connections than the daemon has descriptors.
static void use_up_descriptors(struct scene *scene) {
    struct crowd *crowd = make_crowd(scene, 1000);
    scene->shared->is_set_up = true;
    int opened = 0;
    while (!scene->shared->is_over) {
        if (opened < 1000) {
            struct member *member = &crowd->members[opened++];
            if (reopen_member(crowd, member)) ask_once(crowd, member);
        }
        pump(crowd, opened < 1000 ? 0 : 20);
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu of %d served", (unsigned long)scene->shared->codes[OK], opened);
    if (scene->shared->codes[OK] >= 128) broken("the daemon has more descriptors than it was allowed");
}

const struct attack connection_attacks[] = {
    {"connections", "opens 5,000 connections, and those that are turned away come again and again",
        "serves 1,024 of a user; the others hear `RESOURCE_EXHAUSTED` (\"All 1024 connections of uid … are in use\"), or are "
        "closed where more than 64 wait to hear it",
        .run = open_thousands, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 64 << 10},
    {"slow", "1,000 connections send a byte a second, in headers and in the middle of requests",
        "keeps what came, at most 64 KiB a connection, and answers when a request is whole", .run = trickle,
        .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 64 << 10},
    {"deaf", "500 connections with 16 watches each ask for one large answer after the other, and never read",
        "reads nothing more from a connection that has 64 KiB waiting, tells its watches of nothing until it has caught up, and closes "
        "it (30 s) where it takes nothing",
        .run = never_read, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 160 << 10},
    {"crowds", "opens 900 connections with a watch each, ends them all at once, and again",
        "forgets them", .run = die_in_crowds, .check = check_nothing_is_left, .uid = ATTACKER_UID, .processes = 1,
        .allowed_kib = 64 << 10},
    {"descriptors", "opens 1,000 connections to a daemon that may have 128 descriptors",
        "lets connections beyond that wait to be accepted; connections, commits and reads go on", .run = use_up_descriptors,
        .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 64 << 10, .allowed_part = 0.7, .descriptors = 128},
    {0},
};
