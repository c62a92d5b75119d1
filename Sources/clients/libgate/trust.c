// Whether the server at the other end of a socket is the daemon, as the kernel attests it.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "trust.h"

// Whether the kernel uses this uid for users that this user namespace does not map.
static bool is_unmapped(uid_t user) {
    unsigned overflow = 65534, first = 0, outside = 0, count = 0;
    FILE *file = fopen("/proc/sys/kernel/overflowuid", "re");
    if (file && fscanf(file, "%u", &overflow) != 1) overflow = 65534;
    if (file) fclose(file);
    file = fopen("/proc/self/uid_map", "re");
    bool has_all = file && fscanf(file, "%u %u %u", &first, &outside, &count) == 3 && count == UINT32_MAX;
    if (file) fclose(file);
    return user == overflow && !has_all;
}

// Whether this is the user gate, according to /etc/passwd, which always contains Gate's own user. Name services are not asked, since that may
// wait for a network.
static bool is_gate_user(uid_t user) {
    FILE *file = fopen("/etc/passwd", "re");
    char *line = NULL;
    size_t capacity = 0;
    unsigned uid;
    bool is = false;
    while (file && !is && getline(&line, &capacity, file) > 0)
        is = sscanf(line, "gate:%*[^:]:%u:", &uid) == 1 && (uid_t)uid == user;
    free(line);
    if (file) fclose(file);
    return is;
}

enum trust trust_of_server(int socket, const uid_t *instead, uid_t *who) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return TRUST_UNKNOWN;
    *who = peer.uid;
    // This comes first, because nobody can tell which of the unmapped users it is, even if the program trusts their number.
    if (is_unmapped(peer.uid)) return TRUST_UNMAPPED;
    return peer.uid == 0 || (instead ? peer.uid == *instead : is_gate_user(peer.uid)) ? TRUSTED : TRUST_OTHER;
}

bool is_in_flatpak(void) {
    struct stat status;
    return lstat("/.flatpak-info", &status) == 0 && S_ISREG(status.st_mode);
}
