#include "costs.h"

#include "calls.h"
#include "commands.h"

enum { CALLS = 1000, COMMANDS = 200, ROUNDS = 15 };

// Calls with these requests in turns.
static double cost_of(const struct daemon *daemon, const struct frame requests[2], int count) {
    struct caller *caller = connect_caller(daemon->socket, requests[0]);
    answer_of(caller);
    double start = processor_seconds(daemon->process);
    for (int i = 1; i <= count; i++) {
        caller->request = requests[i % 2];
        answer_of(caller);
    }
    double seconds = processor_seconds(daemon->process) - start;
    close_caller(caller);
    return seconds * 1e6 / count;
}

double cost_of_get(const struct daemon *daemon) {
    return cost_of(daemon, (struct frame[]){get_request(), get_request()}, CALLS);
}

double cost_of_check(const struct daemon *daemon) {
    return cost_of(daemon, (struct frame[]){check_request(GATED_ACTION), check_request(GATED_ACTION)}, CALLS);
}

double cost_of_command(const struct daemon *daemon) {
    // Each of them is a change.
    return cost_of(daemon, (struct frame[]){override_request(), lock_request()}, COMMANDS);
}

double cost_of_commands(const struct daemon *daemon) {
    struct administrator *administrator = connect_administrator(daemon->socket);
    double seconds, start = processor_seconds(daemon->process);
    size_t count = command(administrator, COMMANDS_TOGETHER, &seconds);
    double taken = processor_seconds(daemon->process) - start;
    close_administrator(administrator);
    return taken * 1e6 / (double)count;
}

void measure_costs(struct report *report, const struct daemon *daemon) {
    struct series get = {0}, check = {0}, command = {0}, commands = {0};
    for (int round = 0; round < ROUNDS; round++) {
        add_value(&get, cost_of_get(daemon));
        add_value(&check, cost_of_check(daemon));
        add_value(&command, cost_of_command(daemon));
        add_value(&commands, cost_of_commands(daemon));
    }
    struct line line = {.unit = "µs"};
    line.id = "cost-get";
    line.what = "processor time of a `Mode/GetMode` in `gated`";
    line.gate = &get;
    report_line(report, line);
    line.id = "cost-check";
    line.what = "processor time of an `Authorization/Check`";
    line.gate = &check;
    report_line(report, line);
    line.id = "cost-command";
    line.what = "processor time of a durable command, one in flight";
    line.gate = &command;
    report_line(report, line);
    line.id = "cost-commands";
    line.what = "processor time of a durable command, 64 in flight";
    line.gate = &commands;
    report_line(report, line);
}
