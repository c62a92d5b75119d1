// What a local user may try on a real gated, while other users work. See `run`.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../Benchmarks/Load/fields.h"
#include "../../Benchmarks/Load/spread.h"
#include "../../Benchmarks/wire.h"
#include "gate/v1/common.pb-c.h"

// Made-up users, whose accounts are in files that only these processes see.
enum { DAEMON_UID = 64001, NEIGHBOUR_UID = 64010, ATTACKER_UID = 64020, PRESENTER_UID = 64030, HOSTILE_PROVIDER_UID = 64040 };
// Many further uids, for example of a hostile parent's children.
enum { MANY_UIDS = 64100, MANY_UIDS_COUNT = 1000 };
// The attacker's range in /etc/subuid.
enum { SUBORDINATE_UIDS = 200000, SUBORDINATE_UIDS_COUNT = 65536 };
// The neighbours, who are harmless. Each has a uid of its own.
enum { NEIGHBOURS = 3 };
// gRPC's codes.
enum { OK = 0, INVALID_ARGUMENT = 3, NOT_FOUND = 5, PERMISSION_DENIED = 7, RESOURCE_EXHAUSTED = 8, FAILED_PRECONDITION = 9,
    ABORTED = 10, OUT_OF_RANGE = 11, UNIMPLEMENTED = 12, UNAVAILABLE = 14, UNAUTHENTICATED = 16, CODES = 17 };
enum { REQUEST_BYTES = 64 << 10, CONNECTIONS_OF_USER = 1024, OPEN_REQUESTS_OF_USER = 4 };
// How long anything may take on a machine that is busy with other things.
enum { PATIENCE_SECONDS = 120 };
// A form in force, and how many of its questions take one answer.
#define LARGE_FORM "large"
enum { LARGE_FORM_ITEMS = 1200 };
// Another form with few questions, whose rules and limits take all steps that are allowed.
#define COSTLY_FORM "costly"
#define SUM_ACTION "sum.once"
#define PASSCODE_ACTION "passcode.once"

// The calls for which a neighbour waits.
enum call { MODE_GET, DURABLE, CHANGE, CALLS };
enum phase { STARTING, CALM, UNDER_ATTACK, AFTERWARDS, PHASES };

// What the processes of one case tell each other.
struct exchange {
    _Atomic int phase;
    _Atomic bool is_over;
    // How many neighbours are ready.
    _Atomic int ready;
    // Whether the attacker has opened everything that it wanted.
    _Atomic bool is_set_up;
    struct spread times[CALLS][PHASES];
    // How often the attacker got each code.
    _Atomic uint64_t codes[CODES];
    _Atomic uint64_t connections, hang_ups;
    // The attacker's result for the table: "1,024 of 5,000 served".
    char found[256];
    // The neighbour's own secrets, as if they had been stolen. If the number is even, they are complete.
    _Atomic uint32_t stolen_turn;
    uint8_t stolen_cookie[64], stolen_proof[64];
    _Atomic uint32_t stolen_cookie_size, stolen_proof_size;
    // Whether the disk should be full, so that durable calls get UNAVAILABLE.
    _Atomic bool is_disk_full;
    _Atomic uint64_t unavailable;
};

struct scene {
    const char *program;
    // The paths of this case. The folder belongs to the daemon's user.
    char directory[80], state[96], runtime[96], configuration[96], socket[104];
    pid_t daemon;
    struct exchange *shared;
    double calm_seconds, attack_seconds;
};

// One attack.
struct attack {
    const char *id;
    // What is tried, and what the daemon does, as Markdown.
    const char *what, *answer;
    // Attacks as `uid`, in a process of its own, until `is_over`. Calls `broken` if a promise is not kept.
    void (*run)(struct scene *);
    // Runs in the first process, as root, when the attacker is gone and the daemon still runs.
    void (*check)(struct scene *);
    uid_t uid;
    // The number of processes that attack.
    int processes;
    // How much anonymous memory the daemon may use for it.
    long allowed_kib;
    // The fraction of one processor that the daemon may use for it; 0: all. For attacks that leave the daemon nothing
    // to do.
    double allowed_part;
    // How many descriptors the daemon may have open; 0: any number.
    int descriptors;
    // The size of the disk for the state.
    int disk_kib;
    // Whether the attacker competes for the processors. Others get only what is left over, so that the measurements
    // show what the daemon does, and not what the scheduler does when a user keeps the machine busy.
    bool is_pushy;
};
// In attacks-*.c.
extern const struct attack connection_attacks[], frame_attacks[], question_attacks[], message_attacks[], place_attacks[], user_attacks[],
    form_attacks[];

// A promise was not kept: prints that, and ends this process with 1.
_Noreturn void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

// daemon.c
void make_directories(struct scene *);
// `expected`: whether it has to start. Returns false if it ended; `words` has its output then.
bool start_daemon(struct scene *, const struct attack *, char *words, size_t size);
void stop_daemon(struct scene *);
bool is_alive(const struct scene *);
long daemon_kib(const struct scene *);
double daemon_seconds(const struct scene *);
double daemon_waited_seconds(const struct scene *);
void become(uid_t uid);
// Sets the nice value, from -20 to 19, of this process and those that it starts.
void be_nice(int niceness);
// Starts a process that ends with the test, as this user, with as many descriptors as possible.
pid_t start_process(struct scene *, uid_t uid, int niceness, void (*run)(struct scene *));
// Waits for the process, and calls `broken` unless it ended with 0.
void end_process(pid_t process, const char *what);

// neighbour.c: each in a process of its own.
void ask_for_mode(struct scene *);
void authorize_sums(struct scene *);
void watch_changes(struct scene *);

// bytes.c: messages, and calls that wait for their answers.
struct bytes {
    uint8_t *data;
    size_t size, capacity;
};
void put(struct bytes *, const void *data, size_t size);
void put_varint(struct bytes *, uint64_t value);
void put_number(struct bytes *, uint32_t field, uint64_t value);
void put_data(struct bytes *, uint32_t field, const void *data, size_t size);
void put_text(struct bytes *, uint32_t field, const char *text);
void put_header(struct bytes *, struct header header);
// `method` is like "Mode/GetMode", of gate.v1. `payload`: NULL: empty.
void put_request(struct bytes *, uint32_t stream, const char *method, const struct bytes *payload, uint8_t flags);

struct answer {
    struct header header;
    int code;
    // The reason in the details of the error. Unspecified: there are none.
    Gate__V1__Reason reason;
    char message[200];
    // Valid until the next answer of the same peer.
    const uint8_t *payload;
    size_t size;
};
// The answer in a frame.
struct answer answer_in(struct header header, const uint8_t *data);

struct peer {
    int socket;
    uint32_t stream;
    struct bytes inbox;
    size_t used;
};
// Connects, however long that takes. Returns NULL if the daemon closes the connection at once.
struct peer *open_peer(struct scene *);
// The same as another user, for a process that is root. In attacks-questions.c.
struct peer *open_as(struct scene *, uid_t uid);
void close_peer(struct peer *);
bool send_bytes(struct peer *, const struct bytes *);
// The next frame of any kind. Returns false if the daemon has closed the connection.
bool next_answer(struct peer *, struct answer *);
// A unary call and its answer.
bool call(struct peer *, const char *method, const struct bytes *payload, struct answer *);
// Calls a method, and calls `broken` unless the code is this one.
struct answer expect(struct peer *, int code, const char *method, const struct bytes *payload);
// Finds the field of a message, as bytes. Returns false if it is not there.
bool find_field(struct fields message, uint32_t number, struct field *found);
struct fields message_of(const struct answer *);
// A presentation that asks for a sum: its cookie, and the right answer.
struct sum {
    uint8_t cookie[64];
    size_t cookie_size;
    long value;
    uint64_t id;
};
bool read_sum(struct fields presentation, struct sum *);
struct bytes authorize_message(const char *gated_action, bool presents_itself);
struct bytes complete_message(const struct sum *, const char *text);

// crowd.c: many connections of one process, none of which ever blocks.
struct member {
    int socket;
    uint32_t stream;
    // The header of the frame that is being read.
    uint8_t header[HEADER_BYTES];
    size_t header_size, rest;
    uint8_t start[48];
    size_t start_size;
    // How many bytes of `outgoing` were written.
    size_t written;
    struct bytes outgoing;
    int answers, index;
    int last_code;
    bool is_gone;
};
struct crowd {
    struct scene *scene;
    struct member *members;
    int count, open, poll;
    bool never_reads;
    // Puts a member's next bytes into `outgoing`. Returns whether there are any. NULL: nothing is added.
    bool (*refill)(struct crowd *, struct member *);
};
// Makes a crowd that is not connected.
struct crowd *make_crowd(struct scene *, int count);
// Makes a crowd and connects all members.
struct crowd *open_crowd(struct scene *, int count);
// From now on, `refill` is called for more.
void say_more(struct crowd *, bool (*refill)(struct crowd *, struct member *));
// Writes and reads as much as possible for at most this long. Returns the number of answers.
int pump(struct crowd *, int milliseconds);
void close_member(struct crowd *, struct member *);
bool reopen_member(struct crowd *, struct member *);

// descriptors.c: the messages that a gated knows, from the descriptor set that it serves.
struct string_field {
    char method[64], path[160];
    bool is_stream;
    // The field numbers from the request down to the string.
    uint32_t numbers[16];
    int depth;
};
struct string_field *string_fields(struct scene *, int *count, int *methods);

// attacks-questions.c: checks that nothing is left of clients that are gone.
void check_nothing_is_left(struct scene *);
// attacks-starts.c
void check_starts(struct scene *);

// attacks-forms.c: the forms that are in force, as JSON.
struct bytes large_form(void);
struct bytes costly_form(void);

// table.c
struct result {
    const struct attack *attack;
    // The fractions of the attack's time in which the daemon had a processor, and waited for one.
    double processor_part, waited_part;
    long base_kib, high_kib;
    struct spread times[CALLS][PHASES];
    char found[256];
};
void print_result(const struct result *);
void write_results(const char *page, const struct result *, int count, double attack_seconds);
