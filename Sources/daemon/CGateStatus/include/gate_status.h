/* The status page of gated: the mode, and whether a subscription is active, without a system call.
 *
 *     struct gate_status_reader reader = GATE_STATUS_READER;
 *     for (;;) {                                      // every frame of a game
 *         struct gate_status status = gate_status_current(&reader, NULL);
 *         if (status.mode == GATE_STATUS_PARENT) ...
 *     }
 *
 * Whatever goes wrong reads as child mode and no subscription: no daemon, a dead one, a lease that is over, a file that is
 * not to be trusted. `is_live` tells these apart from a child mode that gated has said.
 *
 * A daemon that is stopped (SIGSTOP) and not dead looks alive: what it has said stays true until the deadlines that it gave,
 * which are checked here, and its supervisor's watchdog ends it.
 *
 * The header is all there is: no library. It needs Linux, GCC or Clang, and 64 bits. A reader belongs to one thread at a time,
 * or to many as long as they only call `gate_status_read`. For other languages: docs/status-page.md. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#if !defined(__linux__) || !defined(__GNUC__) || __SIZEOF_POINTER__ != 8
#error "gate_status.h needs Linux, GCC or Clang, and 64 bits"
#elif !defined(O_NOFOLLOW) || !defined(CLOCK_BOOTTIME)
#error "gate_status.h needs -std=gnu11 or newer, or _GNU_SOURCE before the first #include"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GATE_STATUS_PATH "/run/gated/status"
/* The whole file. */
#define GATE_STATUS_BYTES 4096
/* Of the layout below. A page of another version is not read. */
#define GATE_STATUS_VERSION 1
/* "gatestat", as the bytes of the file. */
#define GATE_STATUS_MAGIC "gatestat"
/* In place of a deadline: there is none. */
#define GATE_STATUS_FOREVER UINT64_MAX
/* In the owner word: the id of the thread that lives as long as the daemon, and what the kernel sets when it dies. */
#define GATE_STATUS_OWNER_ID 0x3fffffffu
#define GATE_STATUS_OWNER_DIED 0x40000000u

/* Who is in charge of the device. */
enum gate_status_mode { GATE_STATUS_CHILD = 0, GATE_STATUS_VERIFYING = 1, GATE_STATUS_PARENT = 2 };

/* --- The layout, in the byte order of the machine; what is not named is zero. --- */

/* One of the two copies of the state. Deadlines are nanoseconds of CLOCK_BOOTTIME: from then on it is no longer so. */
struct gate_status_copy {
    uint64_t epoch, number; /* the revision */
    uint64_t mode_deadline;
    uint64_t subscription_deadline;
    uint32_t mode; /* enum gate_status_mode */
    uint32_t subscription_active; /* 0 or 1 */
    uint64_t reserved[3];
};

struct gate_status_page {
    char magic[8];
    uint32_t version;
    uint32_t byte_count; /* GATE_STATUS_BYTES */
    /* Of the boot that it was written in, as the kernel writes it (random(4)): after a power cut nobody marks the owner. */
    char boot_id[36];
    uint8_t reserved_1[12];
    /* 0, or marked: nobody answers for this page any more. */
    uint32_t owner;
    uint8_t reserved_2[60];
    /* Counts the states; its lowest bit says which copy is valid. The other one may be half written. */
    uint32_t sequence;
    uint8_t reserved_3[60];
    struct gate_status_copy copies[2];
};

#ifdef __cplusplus
#define GATE_STATUS_ASSERT static_assert
#else
#define GATE_STATUS_ASSERT _Static_assert
#endif
GATE_STATUS_ASSERT(sizeof(struct gate_status_copy) == 64, "the layout is fixed");
GATE_STATUS_ASSERT(offsetof(struct gate_status_page, owner) == 64, "the layout is fixed");
GATE_STATUS_ASSERT(offsetof(struct gate_status_page, sequence) == 128, "the layout is fixed");
GATE_STATUS_ASSERT(offsetof(struct gate_status_page, copies) == 192, "the layout is fixed");

/* --- Reading --- */

/* Reading costs as little as calling: where the caller has its loop, there it belongs. */
#define GATE_STATUS_INLINE static inline __attribute__((always_inline))

/* What a page says now. */
struct gate_status {
    enum gate_status_mode mode;
    /* Nanoseconds of CLOCK_BOOTTIME, or GATE_STATUS_FOREVER; of child mode, GATE_STATUS_FOREVER. */
    uint64_t mode_deadline;
    bool subscription_active;
    /* As above; GATE_STATUS_FOREVER where none is active. */
    uint64_t subscription_deadline;
    /* The revision that this is the state of; 0, 0 where nobody says. */
    uint64_t epoch, number;
    /* Whether a living daemon says so. */
    bool is_live;
};

/* Keeps a page mapped. Begin with GATE_STATUS_READER. */
struct gate_status_reader {
    const struct gate_status_page *page;
    /* When `gate_status_current` last looked for a page, in nanoseconds of CLOCK_MONOTONIC. */
    uint64_t looked;
};

#define GATE_STATUS_READER {NULL, 0}

/* Why there is no page to read. */
enum gate_status_problem {
    GATE_STATUS_OPENED = 0,
    /* No such file: the daemon has never run since the boot, or has been stopped. */
    GATE_STATUS_ABSENT,
    /* The system refused; errno says why. */
    GATE_STATUS_FAILED,
    /* No regular file, or of another size. */
    GATE_STATUS_NOT_A_PAGE,
    /* Of another user than root and the one named, or others may write to it, or it is on a file system that a program answers
     * for (FUSE). */
    GATE_STATUS_NOT_TRUSTED,
    /* A page, but of a layout that this header does not know. */
    GATE_STATUS_OTHER_VERSION,
    /* It was written before the device was booted, and has outlived a power cut. */
    GATE_STATUS_OTHER_BOOT,
    /* Of a user whom the user namespace of this process does not know (bubblewrap, Flatpak): whose it is can't be told. */
    GATE_STATUS_NOT_MAPPED,
};

/* The beginning of a file of /proc, as a string; empty where it can't be read. */
static inline void gate_status_proc(const char *path, char *text, size_t capacity) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? -1 : read(file, text, capacity - 1);
    text[count < 0 ? 0 : count] = 0;
    if (file >= 0) close(file);
}

/* Whether the kernel says this uid of all users whom the user namespace of this process does not know. Opens files of /proc. */
static inline bool gate_status_is_unmapped(uid_t uid) {
    char text[128];
    gate_status_proc("/proc/sys/kernel/overflowuid", text, sizeof text);
    unsigned overflow = 0;
    if (sscanf(text, "%u", &overflow) != 1) overflow = 65534;
    if (overflow != uid) return false;
    /* The first namespace knows everybody. */
    unsigned long inside = 1, outside = 1, count = 0;
    gate_status_proc("/proc/self/uid_map", text, sizeof text);
    return sscanf(text, "%lu %lu %lu", &inside, &outside, &count) != 3 || inside != 0 || outside != 0 || count != UINT32_MAX;
}

/* The uid that /etc/passwd gives a name; that of root where it has none. Opens the file. */
static inline uid_t gate_status_user(const char *name) {
    FILE *file = fopen("/etc/passwd", "re");
    if (!file) return 0;
    uint64_t uid = 0;
    size_t length = strlen(name);
    char line[512];
    bool is_whole = true, is_found = false;
    while (!is_found && fgets(line, sizeof line, file)) {
        /* name:password:uid:… */
        const char *rest = is_whole && strncmp(line, name, length) == 0 && line[length] == ':' ? line + length + 1 : NULL;
        rest = rest ? strchr(rest, ':') : NULL;
        is_whole = strchr(line, '\n') != NULL;
        if (!rest) continue;
        const char *digit = rest + 1;
        for (uid = 0; *digit >= '0' && *digit <= '9' && uid <= UINT32_MAX; digit++) uid = uid * 10 + (uint64_t)(*digit - '0');
        is_found = *digit == ':' && digit > rest + 1 && uid < UINT32_MAX;
    }
    fclose(file);
    return is_found ? (uid_t)uid : 0;
}

/* Whether a page was written since the device was booted: /run is gone with a boot, other folders are not. Opens a file where
 * it has to look. */
static inline bool gate_status_is_of_this_boot(const struct gate_status_page *page, int file) {
    const long memory_only = 0x01021994; /* tmpfs */
    struct statfs system;
    if (fstatfs(file, &system) == 0 && (long)system.f_type == memory_only) return true;
    int boot = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (boot < 0) return false;
    char id[sizeof page->boot_id];
    bool is_same = read(boot, id, sizeof id) == (ssize_t)sizeof id && memcmp(id, page->boot_id, sizeof id) == 0;
    close(boot);
    return is_same;
}

/* Whether a program of some user's may answer for the file system (FUSE), and say of each file whose it is. It can also refuse
 * to say what the file system is. */
static inline bool gate_status_may_be_answered_by_a_program(int file) {
    const long answered = 0x65735546; /* FUSE_SUPER_MAGIC */
    struct statfs system;
    return fstatfs(file, &system) != 0 || (long)system.f_type == answered;
}

/* Unmaps the page. */
static inline void gate_status_close(struct gate_status_reader *reader) {
    if (reader->page) munmap((void *)(uintptr_t)reader->page, GATE_STATUS_BYTES);
    reader->page = NULL;
}

/* Maps the page at a path, in place of the one before. `server`: the uid that gated runs as; root's is as good. */
static inline enum gate_status_problem gate_status_open(
    struct gate_status_reader *reader, const char *path, uid_t server) {
    gate_status_close(reader);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return errno == ENOENT ? GATE_STATUS_ABSENT : GATE_STATUS_FAILED;
    struct stat status;
    enum gate_status_problem problem = GATE_STATUS_OPENED;
    if (fstat(file, &status) != 0) {
        problem = GATE_STATUS_FAILED;
    } else if (!S_ISREG(status.st_mode) || status.st_size != GATE_STATUS_BYTES) {
        problem = GATE_STATUS_NOT_A_PAGE;
    } else if ((status.st_uid != 0 && status.st_uid != server) || (status.st_mode & (S_IWGRP | S_IWOTH))) {
        problem = status.st_uid != 0 && status.st_uid != server && gate_status_is_unmapped(status.st_uid)
            ? GATE_STATUS_NOT_MAPPED : GATE_STATUS_NOT_TRUSTED;
    } else if (gate_status_may_be_answered_by_a_program(file)) {
        problem = GATE_STATUS_NOT_TRUSTED;
    } else {
        void *bytes = mmap(NULL, GATE_STATUS_BYTES, PROT_READ, MAP_SHARED, file, 0);
        if (bytes == MAP_FAILED) {
            problem = GATE_STATUS_FAILED;
        } else {
            const struct gate_status_page *page = reader->page = (const struct gate_status_page *)bytes;
            if (memcmp(page->magic, GATE_STATUS_MAGIC, sizeof page->magic) != 0) problem = GATE_STATUS_NOT_A_PAGE;
            else if (page->version != GATE_STATUS_VERSION || page->byte_count != GATE_STATUS_BYTES)
                problem = GATE_STATUS_OTHER_VERSION;
            else if (!gate_status_is_of_this_boot(page, file))
                problem = GATE_STATUS_OTHER_BOOT;
        }
    }
    int reason = errno;
    if (problem != GATE_STATUS_OPENED) gate_status_close(reader);
    close(file);
    errno = reason;
    return problem;
}

/* Nanoseconds of a clock; past every deadline, where it can't be read. The kernel maps it into every process: no system
 * call. */
static inline uint64_t gate_status_clock(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return UINT64_MAX;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Whether a thread that answers for the page lives. */
GATE_STATUS_INLINE bool gate_status_is_owned(const struct gate_status_page *page) {
    uint32_t owner = __atomic_load_n(&page->owner, __ATOMIC_ACQUIRE);
    return (owner & GATE_STATUS_OWNER_ID) != 0 && (owner & GATE_STATUS_OWNER_DIED) == 0;
}

/* One copy, whole; false where writers never let it be read. */
GATE_STATUS_INLINE bool gate_status_copy_of(const struct gate_status_page *page, struct gate_status_copy *copy) {
    for (int i = 0; i < 1 << 20; i++) {
        uint32_t sequence = __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE);
        const struct gate_status_copy *valid = &page->copies[sequence & 1];
        copy->epoch = __atomic_load_n(&valid->epoch, __ATOMIC_RELAXED);
        copy->number = __atomic_load_n(&valid->number, __ATOMIC_RELAXED);
        copy->mode_deadline = __atomic_load_n(&valid->mode_deadline, __ATOMIC_RELAXED);
        copy->subscription_deadline = __atomic_load_n(&valid->subscription_deadline, __ATOMIC_RELAXED);
        copy->mode = __atomic_load_n(&valid->mode, __ATOMIC_RELAXED);
        copy->subscription_active = __atomic_load_n(&valid->subscription_active, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&page->sequence, __ATOMIC_RELAXED) == sequence) return true;
    }
    return false;
}

/* What the mapped page says now. No system call, no memory. */
GATE_STATUS_INLINE struct gate_status gate_status_read(const struct gate_status_reader *reader) {
    struct gate_status status = {
        GATE_STATUS_CHILD, GATE_STATUS_FOREVER, false, GATE_STATUS_FOREVER, 0, 0, false};
    struct gate_status_copy copy;
    const struct gate_status_page *page = reader->page;
    /* The owner last: it lived when what was read was valid. */
    if (!page || !gate_status_copy_of(page, &copy) || !gate_status_is_owned(page)) return status;
    status.is_live = true;
    status.epoch = copy.epoch;
    status.number = copy.number;
    bool may_be_elevated = copy.mode == GATE_STATUS_VERIFYING || copy.mode == GATE_STATUS_PARENT;
    bool may_be_active = copy.subscription_active == 1;
    uint64_t now = 0;
    if ((may_be_elevated && copy.mode_deadline != GATE_STATUS_FOREVER)
        || (may_be_active && copy.subscription_deadline != GATE_STATUS_FOREVER)) {
        now = gate_status_clock(CLOCK_BOOTTIME);
    }
    if (may_be_elevated && now < copy.mode_deadline) {
        status.mode = (enum gate_status_mode)copy.mode;
        status.mode_deadline = copy.mode_deadline;
    }
    if (may_be_active && now < copy.subscription_deadline) {
        status.subscription_active = true;
        status.subscription_deadline = copy.subscription_deadline;
    }
    return status;
}

/* Looks for a page, ten times a second at most; whether there is another one now. Not inlined, and it returns no struct, so that
 * what a reader has stays in registers. */
static __attribute__((noinline, cold, unused)) bool gate_status_find(struct gate_status_reader *reader, const char *path) {
    uint64_t now = gate_status_clock(CLOCK_MONOTONIC);
    if (reader->looked != 0 && now - reader->looked < 100000000u) return false;
    reader->looked = now;
    uid_t server = path ? geteuid() : gate_status_user("gate");
    return gate_status_open(reader, path ? path : GATE_STATUS_PATH, server) == GATE_STATUS_OPENED;
}

/* As `gate_status_read`; where no living daemon says anything, looks for a page first, ten times a second at most. `path`:
 * NULL for GATE_STATUS_PATH, of which the user `gate` or root must be the owner; of another path, root or who runs this. */
GATE_STATUS_INLINE struct gate_status gate_status_current(struct gate_status_reader *reader, const char *path) {
    struct gate_status status = gate_status_read(reader);
    if (!status.is_live && gate_status_find(reader, path)) status = gate_status_read(reader);
    return status;
}

#ifdef __cplusplus
}
#endif
