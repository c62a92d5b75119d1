// What a local user may try on a real gated, while others go on with their work. See `run`.
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

// Made-up users: they have accounts in files that only these processes see.
enum { DAEMON_UID = 64001, NEIGHBOUR_UID = 64010, ATTACKER_UID = 64020, PRESENTER_UID = 64030, HOSTILE_PROVIDER_UID = 64040 };
// Where a uid becomes many: children of a hostile parent, say.
enum { MANY_UIDS = 64100, MANY_UIDS_COUNT = 1000 };
// The attacker's range in /etc/subuid.
enum { SUBORDINATE_UIDS = 200000, SUBORDINATE_UIDS_COUNT = 65536 };
// Good neighbours, each with a uid of its own.
enum { NEIGHBOURS = 3 };
// gRPC's codes.
enum { OK = 0, INVALID_ARGUMENT = 3, NOT_FOUND = 5, PERMISSION_DENIED = 7, RESOURCE_EXHAUSTED = 8, FAILED_PRECONDITION = 9,
    ABORTED = 10, OUT_OF_RANGE = 11, UNIMPLEMENTED = 12, UNAVAILABLE = 14, UNAUTHENTICATED = 16, CODES = 17 };
enum { REQUEST_BYTES = 64 << 10, CONNECTIONS_OF_USER = 1024, OPEN_REQUESTS_OF_USER = 4 };
// How long anything may take on a machine that is busy with other things.
enum { PATIENCE_SECONDS = 120 };
// A form that is in force, and how many of its questions take one answer.
#define LARGE_FORM "large"
enum { LARGE_FORM_ITEMS = 1200 };
// Another one, with few questions, whose rules and limits take all the steps that there are.
#define COSTLY_FORM "costly"
#define SUM_ACTION "sum.once"
#define PASSCODE_ACTION "passcode.once"

// What a good neighbour waits for.
enum call { MODE_GET, DURABLE, CHANGE, CALLS };
enum phase { STARTING, CALM, UNDER_ATTACK, AFTERWARDS, PHASES };

// What the processes of one case tell each other.
struct exchange {
    _Atomic int phase;
    _Atomic bool is_over;
    // Neighbours that are ready.
    _Atomic int ready;
    // The attacker has what it wanted to have open.
    _Atomic bool is_set_up;
    struct spread times[CALLS][PHASES];
    // What the attacker has seen.
    _Atomic uint64_t codes[CODES];
    _Atomic uint64_t connections, hang_ups;
    // A word of the attacker for the table: "1,024 of 5,000 served".
    char found[256];
    // The neighbour's own secrets, as if they had been stolen. Even: whole.
    _Atomic uint32_t stolen_turn;
    uint8_t stolen_cookie[64], stolen_proof[64];
    _Atomic uint32_t stolen_cookie_size, stolen_proof_size;
    // The disk is to be full: UNAVAILABLE is what durable calls get.
    _Atomic bool is_disk_full;
    _Atomic uint64_t unavailable;
};

struct scene {
    const char *program;
    // Of this case: belongs to the daemon's user.
    char directory[80], state[96], runtime[96], configuration[96], socket[104];
    pid_t daemon;
    struct exchange *shared;
    double calm_seconds, attack_seconds;
};

// One thing to try.
struct attack {
    const char *id;
    // What is tried, and what the daemon does, as Markdown.
    const char *what, *answer;
    // In a process of its own, as `uid`, until `is_over`. Breaks where a promise does.
    void (*run)(struct scene *);
    // In the first process, as root, when the attacker is gone and the daemon still there.
    void (*check)(struct scene *);
    uid_t uid;
    // Processes that attack.
    int processes;
    // Anonymous memory that the daemon may take for it.
    long allowed_kib;
    // Of one processor, that the daemon may take for it; 0: all. For where it has nothing to do.
    double allowed_part;
    // Descriptors that the daemon may have open; 0: as many as it likes.
    int descriptors;
    // The state lies on a disk of this size.
    int disk_kib;
    // Takes its part of the processors. Others get what is left over: what is measured is what the daemon does, and not what the
    // scheduler does where a user keeps the machine busy.
    bool is_pushy;
};
// In attacks-*.c.
extern const struct attack connection_attacks[], frame_attacks[], question_attacks[], message_attacks[], place_attacks[], user_attacks[],
    form_attacks[];

// A promise that does not hold: says so, and ends this process with 1.
_Noreturn void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

// daemon.c
void make_directories(struct scene *);
// `expected`: whether it has to serve. Returns false where it ended; its words are in `words` then.
bool start_daemon(struct scene *, const struct attack *, char *words, size_t size);
void stop_daemon(struct scene *);
bool is_alive(const struct scene *);
long daemon_kib(const struct scene *);
double daemon_seconds(const struct scene *);
double daemon_waited_seconds(const struct scene *);
void become(uid_t uid);
// This process, and those that it starts: -20 to 19.
void be_nice(int niceness);
// A process that does not outlive the test, as this user, with as many descriptors as there are.
pid_t start_process(struct scene *, uid_t uid, int niceness, void (*run)(struct scene *));
// Waits for it, and breaks unless it ended with 0.
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
// "Mode/GetMode", of gate.v1. `payload`: NULL: empty.
void put_request(struct bytes *, uint32_t stream, const char *method, const struct bytes *payload, uint8_t flags);

struct answer {
    struct header header;
    int code;
    // In the details of the error. Unspecified: there are none.
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
// Connects, however long that takes. NULL where the daemon hangs up at once.
struct peer *open_peer(struct scene *);
// The same of another user, by a process that is root. In attacks-questions.c.
struct peer *open_as(struct scene *, uid_t uid);
void close_peer(struct peer *);
bool send_bytes(struct peer *, const struct bytes *);
// The next frame of whatever kind; false where the daemon has hung up.
bool next_answer(struct peer *, struct answer *);
// A unary call and its answer.
bool call(struct peer *, const char *method, const struct bytes *payload, struct answer *);
// Calls, and breaks unless the code is this one.
struct answer expect(struct peer *, int code, const char *method, const struct bytes *payload);
// The field of a message, as bytes; false: it is not there.
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
    // Of the frame that is being read.
    uint8_t header[HEADER_BYTES];
    size_t header_size, rest;
    uint8_t start[48];
    size_t start_size;
    // Bytes of `outgoing` that were written.
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
    // Whether a member has more to say; puts it into `outgoing`. NULL: only what is there.
    bool (*refill)(struct crowd *, struct member *);
};
// Nobody is connected yet.
struct crowd *make_crowd(struct scene *, int count);
// Everybody is.
struct crowd *open_crowd(struct scene *, int count);
// From now on `refill` is asked for more.
void say_more(struct crowd *, bool (*refill)(struct crowd *, struct member *));
// Writes and reads whatever goes, for at most so long. Returns the answers that came.
int pump(struct crowd *, int milliseconds);
void close_member(struct crowd *, struct member *);
bool reopen_member(struct crowd *, struct member *);

// descriptors.c: the messages that a gated knows, from the descriptor set that it serves.
struct string_field {
    char method[64], path[160];
    bool is_stream;
    // Field numbers from the request down to the string.
    uint32_t numbers[16];
    int depth;
};
struct string_field *string_fields(struct scene *, int *count, int *methods);

// attacks-questions.c: nothing of those who are gone.
void check_nothing_is_left(struct scene *);
// attacks-starts.c
void check_starts(struct scene *);

// attacks-forms.c: what is in the forms that are in force, as JSON.
struct bytes large_form(void);
struct bytes costly_form(void);

// table.c
struct result {
    const struct attack *attack;
    // Of the time of the attack: what it had of a processor, and how long it waited for one.
    double processor_part, waited_part;
    long base_kib, high_kib;
    struct spread times[CALLS][PHASES];
    char found[256];
};
void print_result(const struct result *);
void write_results(const char *page, const struct result *, int count, double attack_seconds);
