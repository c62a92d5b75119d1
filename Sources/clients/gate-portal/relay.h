// The socket on which sandboxed apps speak with gated as if it were gated's own.
#pragma once
#include <gio/gio.h>

struct settings;

// Serves the apps that connect to the listening socket, in this context, until relay_stop(). The socket is the relay's from now on; the
// settings stay the caller's, and there. Returns NULL if it can't be served.
struct relay *relay_start(GMainContext *context, int listener, const struct settings *settings);
// Closes all connections and the socket, and frees the relay, which may be NULL.
void relay_stop(struct relay *relay);
