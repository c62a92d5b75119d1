// Which app a process belongs to.
#pragma once
#include <sys/types.h>

enum { APP_NAME_BYTES = 256 };      // with the NUL at its end; the id of an app has at most 255

enum app_kind {
    APP_UNKNOWN,                    // it can't be found out: refuse what the process asks for
    APP_HOST,                       // it is in no sandbox; the name is that of its program
    APP_SANDBOXED,                  // it is in a sandbox of Flatpak's; the name is the app's id
};

// Finds out which app the process is, by /.flatpak-info in its root, and stores its name. `pid` and `pidfd` are those of a peer, as the
// kernel or the bus attests them; `pidfd` is -1 if it is not known. The caller still owns the pidfd.
enum app_kind app_identify(pid_t pid, int pidfd, char name[APP_NAME_BYTES]);
