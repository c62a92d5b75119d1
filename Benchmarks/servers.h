// The other programs of a run: gated, and the plain C that it is compared with. They end when the benchmark does.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The data of a frame.
struct data {
    size_t size;
    uint8_t bytes[512];
};

struct header;
struct data copy_data(struct header header, const uint8_t *bytes);

// Forks a child that does not outlive the benchmark. Returns true in the child.
bool start_child(pid_t *child);

// An epoll echo: answers each request frame with a response frame of this data. Returns the path of its socket.
const char *start_echo(const char *directory, const struct data *response);

// In the flags of a request to a loop of writes: append to a file and fdatasync first.
enum { FAN_OUT_DURABLE = 0x80 };
// A loop of writes: waits for `watchers` connections and then one more. At each request on the last one it writes a
// data frame to each watcher, and then a response. Returns the path of its socket.
const char *start_fan_out(
    const char *directory, const char *state_directory, size_t watchers, const struct data *change,
    const struct data *response);

// Where things run. Client and server get a processor each, as far as there are two, the same for both sides: where the
// scheduler puts them by itself differs from run to run, and costs more than what is measured.
enum place { CLIENT_PROCESSOR, SERVER_PROCESSOR, ANY_PROCESSOR };
// All threads of a process, and those they start later. 0: this process.
void place_process(pid_t process, enum place place);

struct daemon {
    pid_t process;
    char socket[108];
    // From exec to the first answer.
    double start_seconds;
};
// The gated action of the bench's policy. A person would be asked for a passcode.
#define GATED_ACTION "link.open"
// Started with the policy that `directory` has; where it has none, with one that names GATED_ACTION.
struct daemon start_gated(const char *program, const char *directory, const char *state_directory);
void stop_gated(struct daemon *daemon);
// Anonymous memory, in KiB.
long anonymous_kib(const struct daemon *daemon);
// What a process has taken of the processors, all its threads together.
double processor_seconds(pid_t process);
