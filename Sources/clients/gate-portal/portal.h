// What the parts of gate-portal share. main.c has the overview.
#pragma once
#include <gate.h>
#include <gio/gio.h>
#include <stdbool.h>

#include "app-id.h"
#include "relay.h"

// MARK: main.c

struct settings {
    const char *gate_socket;        // NULL: libgate's own
    uid_t server_uid;
    bool has_server_uid;
};
// Makes a handle of libgate that says it is this program. Returns NULL if that fails.
gate *gate_for(const struct settings *settings, const char *program);
