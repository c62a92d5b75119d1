// Starts gated with 100 watchers, prints gated's process number, and runs until its input ends.
#include <stdio.h>
#include <unistd.h>

#include "../servers.h"
#include "../wire.h"

int main(int count, char **arguments) {
    if (count < 4) {
        fputs("usage: watchers GATED SOCKET-DIRECTORY STATE-DIRECTORY\n", stderr);
        return 64;
    }
    struct daemon gated = start_gated(arguments[1], arguments[2], arguments[3]);
    struct frame watch = watch_request();
    for (int i = 0; i < 100; i++) {
        static struct inbox inbox;
        struct header header;
        int socket = connect_to(gated.socket);
        if (socket < 0) fail_system("watcher %d can't connect", i);
        write_all(socket, watch.bytes, watch.size);
        inbox.start = inbox.end = 0;
        await_frame(socket, &inbox, &header);
    }
    printf("%d\n", gated.process);
    fflush(stdout);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) continue;
    stop_gated(&gated);
    return 0;
}
