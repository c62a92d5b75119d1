#define _GNU_SOURCE
#include "CProcess.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int connect_to_packets(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    while (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        if (errno == EINTR) continue;
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

int send_packet(int descriptor, const void *bytes, size_t size, int with_standard) {
    const int standard[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof standard)]; } control = {.bytes = {0}};
    struct iovec part = {(void *)bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (with_standard) {
        control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof standard), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), standard, sizeof standard);
        message.msg_control = &control;
        message.msg_controllen = CMSG_LEN(sizeof standard);
    }
    while (sendmsg(descriptor, &message, MSG_NOSIGNAL) < 0)
        if (errno != EINTR) return errno;
    return 0;
}
