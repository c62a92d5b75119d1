// Where the daemon listens, and whether the server at the other end of a socket is the daemon. gate-portal, gate-launcher and pam_gate
// include this, too.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

#define DAEMON_SOCKET "/run/gated/gate.sock" // unless it is configured otherwise

enum trust {
    TRUSTED,
    TRUST_UNKNOWN,      // the kernel does not say who listens
    TRUST_UNMAPPED,     // this user namespace does not map the server's user, so nobody can tell who it is
    TRUST_OTHER,        // it is some other user
};
// `instead`: the user to trust beside root; NULL: the user gate. `who` gets the server's uid, unless it is unknown.
enum trust trust_of_server(int socket, const uid_t *instead, uid_t *who);
// Whether this program is an app in a sandbox of Flatpak's: it has a regular file /.flatpak-info. The daemon's user is not mapped there, so a
// service of the person's own session, gate-portal, stands in for it.
bool is_in_flatpak(void);
