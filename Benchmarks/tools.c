// A question from a shell: the whole process of gatectl compared with that of busctl, from fork to exit.
#define _GNU_SOURCE
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "peers.h"
#include "wire.h"

enum { ROUNDS = 31 };

// The name of the user that gated runs as here, since gatectl has to look up a name on a device, too. The caller frees
// it.
static char *server_user(void) {
    struct passwd *account = getpwuid(geteuid());
    char *text;
    if (account ? asprintf(&text, "%s", account->pw_name) < 0 : asprintf(&text, "%u", (unsigned)geteuid()) < 0)
        fail("no memory");
    return text;
}

void measure_tools(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    place_apart_from(daemon);
    struct bus bus;
    char *busctl = find_program(report, "busctl", "systemd");
    if (!busctl || !start_bus(report, scene, "tool-start", SERVER_PROCESSOR, &bus)) return;
    char *user = server_user(), *address;
    if (asprintf(&address, "--address=%s", bus.address) < 0) fail("no memory");
    // dbus-daemon itself answers this, so no second process has to wake up.
    char *bus_words[] = {
        busctl, address, "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", NULL};
    // As on a device, where the daemon's user is trusted by default: root is.
    char *gate_words[] = {(char *)scene->gatectl, "status", geteuid() == 0 ? NULL : "--server-user", user, NULL};
    setenv("GATE_SOCKET", daemon->socket, true);

    struct series gate = {0}, other = {0};
    for (int round = -1; round < ROUNDS; round++) {
        double seconds[] = {run_program(gate_words, CLIENT_PROCESSOR), run_program(bus_words, CLIENT_PROCESSOR)};
        // The first round reads the programs from the disk.
        if (round < 0) continue;
        add_value(&gate, seconds[0] * 1e3);
        add_value(&other, seconds[1] * 1e3);
    }
    unsetenv("GATE_SOCKET");
    report_line(
        report, (struct line){
                    .id = "tool-start",
                    .what = "`gatectl status`, whole process, against `busctl call` of a method that `dbus-daemon` answers "
                            "itself",
                    .unit = "ms",
                    .peer = "busctl",
                    .gate = &gate,
                    .other = &other,
                    .figure = GATE_OVER_PEER,
                    .bound = AT_MOST,
                    .target = 0.5,
                });
    stop_bus(&bus);
    free(address);
    free(user);
    free(busctl);
}
