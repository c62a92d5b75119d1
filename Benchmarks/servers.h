// The other programs of a run: gated, and the plain C programs with which it is compared. They end with the benchmark.
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

// Forks a child that ends with the benchmark. Returns true in the child.
bool start_child(pid_t *child);

// Starts an echo with epoll, which answers each request frame with a response frame of this data. Returns the path of
// its socket.
const char *start_echo(const char *directory, const struct data *response);

// In the flags of a request to a loop of writes: first append to a file and call fdatasync.
enum { FAN_OUT_DURABLE = 0x80 };
// Starts a loop of writes. It waits for `watchers` connections and one more. At each request on the last one, it writes
// a data frame to each watcher, and then a response. Returns the path of its socket.
const char *start_fan_out(
    const char *directory, const char *state_directory, size_t watchers, const struct data *change,
    const struct data *response);

// Where processes run. If there are two processors, client and server get one each, in the same way for both sides. The
// scheduler's own choice varies between runs, and costs more than what is measured.
enum place { CLIENT_PROCESSOR, SERVER_PROCESSOR, ANY_PROCESSOR };
// Places all threads of a process, and those that they start later. 0: this process.
void place_process(pid_t process, enum place place);

struct daemon {
    pid_t process;
    char socket[108];
    // From exec to the first answer.
    double start_seconds;
};
// The gated action of the benchmark's policy. Its question is a passcode.
#define GATED_ACTION "link.open"
// Starts gated with the policy in `directory`; if there is none, with one that names GATED_ACTION.
struct daemon start_gated(const char *program, const char *directory, const char *state_directory);
void stop_gated(struct daemon *daemon);
// Anonymous memory in KiB.
long anonymous_kib(const struct daemon *daemon);
// The processor time of a process, all its threads together.
double processor_seconds(pid_t process);
