// The client's side of D-Bus, with sd-bus.
#pragma once
#include <stdbool.h>
#include <systemd/sd-bus.h>

// Ends the benchmark with a message if sd-bus returned an error.
void check_bus(int result, const char *what);
sd_bus *connect_to_bus(const char *address);
// Whether the name has an owner. Waits for it, for at most 10 s and as long as the process lives. Sets `process` to 0
// if it has ended.
bool await_name(sd_bus *bus, const char *name, pid_t *process);
