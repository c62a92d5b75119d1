#include "reconnecting.h"

static uint64_t wait_after(unsigned failures, double chance) {
    // 10 ms × 2^7 is more than the longest wait.
    uint64_t full = RECONNECT_SHORTEST_USEC << (failures < 7 ? failures : 7);
    if (full > RECONNECT_LONGEST_USEC) full = RECONNECT_LONGEST_USEC;
    double part = chance >= 0 ? (chance <= 1 ? chance : 1) : 0;
    return (uint64_t)((double)full * (0.5 + part / 2));
}

bool reconnecting_failed(struct reconnecting *machine, double chance, uint64_t *wait_usec) {
    unsigned before = 0;
    switch (machine->state) {
    case RECONNECT_ATTEMPTING: before = machine->failures; break;
    case RECONNECT_ATTACHED: break;
    case RECONNECT_WAITING: return false;
    }
    machine->state = RECONNECT_WAITING;
    machine->failures = before < 1000 ? before + 1 : before; // a higher number would change nothing
    *wait_usec = wait_after(before, chance);
    return true;
}

void reconnecting_waited(struct reconnecting *machine) {
    if (machine->state == RECONNECT_WAITING) machine->state = RECONNECT_ATTEMPTING;
}

void reconnecting_caught_up(struct reconnecting *machine) {
    if (machine->state != RECONNECT_ATTEMPTING) return;
    machine->state = RECONNECT_ATTACHED;
    machine->failures = 0;
}
