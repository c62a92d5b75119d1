// The client's side of D-Bus, with sd-bus.
#pragma once
#include <stdbool.h>
#include <systemd/sd-bus.h>

// Ends the benchmark, in words, if sd-bus returned an error.
void check_bus(int result, const char *what);
sd_bus *connect_to_bus(const char *address);
// Whether somebody has the name: waits for it, for at most 10 s and as long as the process lives. A process that has ended
// is set to 0.
bool await_name(sd_bus *bus, const char *name, pid_t *process);
