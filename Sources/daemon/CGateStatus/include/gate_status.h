/* The status page of gated: the mode, and whether a subscription is active, without a system call.
 *
 *     struct gate_status_reader reader = GATE_STATUS_READER;
 *     for (;;) {                                      // every frame of a game
 *         struct gate_status status = gate_status_current(&reader, NULL);
 *         if (status.mode == GATE_STATUS_PARENT) ...
 *     }
 *
 * If no daemon runs, or it has died, or the file can't be trusted, the page reads as child mode without a subscription, and
 * `is_live` is false. It also reads as child mode once the lease is over, even if gated has not written that yet.
 *
 * A daemon that is stopped (SIGSTOP) looks alive. What it last wrote counts until the deadlines that it wrote, which are
 * checked here, and systemd's watchdog ends it.
 *
 * There is only this header and no library. It needs Linux, GCC or Clang, and 64 bits. Use a reader from one thread at a time,
 * or from several that only call `gate_status_read`. For other languages see docs/status-page.md. */
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
/* The size of the file. */
#define GATE_STATUS_BYTES 4096
/* The version of the layout below. A page of another version is not read. */
#define GATE_STATUS_VERSION 1
/* The first bytes of the file. */
#define GATE_STATUS_MAGIC "gatestat"
/* Stands for "no deadline". */
#define GATE_STATUS_FOREVER UINT64_MAX
/* In the owner word: the bits of the id of the thread that lives as long as the daemon, and the bit that the kernel sets when
 * that thread dies. */
#define GATE_STATUS_OWNER_ID 0x3fffffffu
#define GATE_STATUS_OWNER_DIED 0x40000000u

/* Who is in charge of the device. */
enum gate_status_mode { GATE_STATUS_CHILD = 0, GATE_STATUS_VERIFYING = 1, GATE_STATUS_PARENT = 2 };

/* --- The layout, in the byte order of the machine. All other bytes of the file are zero. --- */

/* One of the two copies of the state. Deadlines are nanoseconds of CLOCK_BOOTTIME. At its deadline, the mode or
 * the subscription ends. */
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
    /* The kernel's id of the boot in which the page was written (random(4)), since after a power cut the owner is not marked. */
    char boot_id[36];
    uint8_t reserved_1[12];
    /* 0, or with GATE_STATUS_OWNER_DIED: no daemon maintains this page any more. */
    uint32_t owner;
    uint8_t reserved_2[60];
    /* Counts the states. The lowest bit says which copy is valid; the other may be half written. */
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

/* Reading costs as little as a function call, so it is inlined into the caller's loop. */
#define GATE_STATUS_INLINE static inline __attribute__((always_inline))

/* What a page says now. */
struct gate_status {
    enum gate_status_mode mode;
    /* Nanoseconds of CLOCK_BOOTTIME, or GATE_STATUS_FOREVER. In child mode it is GATE_STATUS_FOREVER. */
    uint64_t mode_deadline;
    bool subscription_active;
    /* Like `mode_deadline`; GATE_STATUS_FOREVER if no subscription is active. */
    uint64_t subscription_deadline;
    /* The revision of this state; 0, 0 if `is_live` is false. */
    uint64_t epoch, number;
    /* Whether a running daemon maintains the page. */
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
    /* There is no file: the daemon has not run since the boot, or was stopped. */
    GATE_STATUS_ABSENT,
    /* The system refused; errno says why. */
    GATE_STATUS_FAILED,
    /* It is not a regular file, or has another size. */
    GATE_STATUS_NOT_A_PAGE,
    /* It belongs neither to root nor to `server`, or others may write to it, or a program serves its file system (FUSE). */
    GATE_STATUS_NOT_TRUSTED,
    /* It has a layout that this header does not know. */
    GATE_STATUS_OTHER_VERSION,
    /* It was written before the device was booted, and is left over from a power cut. */
    GATE_STATUS_OTHER_BOOT,
    /* Its owner can't be told, because the user namespace of this process has no such uid (bubblewrap, Flatpak). */
    GATE_STATUS_NOT_MAPPED,
};

/* Reads the beginning of a file of /proc as a string, which is empty if the file can't be read. */
static inline void gate_status_proc(const char *path, char *text, size_t capacity) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? -1 : read(file, text, capacity - 1);
    text[count < 0 ? 0 : count] = 0;
    if (file >= 0) close(file);
}

/* Whether this uid stands for all users that the user namespace of this process does not have. Opens files of /proc. */
static inline bool gate_status_is_unmapped(uid_t uid) {
    char text[128];
    gate_status_proc("/proc/sys/kernel/overflowuid", text, sizeof text);
    unsigned overflow = 0;
    if (sscanf(text, "%u", &overflow) != 1) overflow = 65534;
    if (overflow != uid) return false;
    /* The first namespace has all uids. */
    unsigned long inside = 1, outside = 1, count = 0;
    gate_status_proc("/proc/self/uid_map", text, sizeof text);
    return sscanf(text, "%lu %lu %lu", &inside, &outside, &count) != 3 || inside != 0 || outside != 0 || count != UINT32_MAX;
}

/* The uid that /etc/passwd has for a name; root's if it has none. Opens the file. */
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

/* Whether a page was written since the device was booted. A tmpfs such as /run is empty after a boot, so only for other file
 * systems this opens a file and compares the boot id. */
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

/* Whether a user's program may serve the file system (FUSE), so that it can claim any owner for a file. Such a program can also
 * make fstatfs(2) fail, so a failure counts as yes. */
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

/* Maps the page at a path in place of an earlier one. `server`: the uid that gated runs as. A page of root's is trusted, too. */
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
    } else if (gate_status_is_unmapped(status.st_uid)) {
        problem = GATE_STATUS_NOT_MAPPED; /* also if it is the number of `server`: nobody can tell which of these users it is */
    } else if ((status.st_uid != 0 && status.st_uid != server) || (status.st_mode & (S_IWGRP | S_IWOTH))) {
        problem = GATE_STATUS_NOT_TRUSTED;
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

/* A clock's time in nanoseconds; UINT64_MAX, which is past every deadline, if it can't be read. Needs no system call, because
 * the kernel maps clocks into every process. */
static inline uint64_t gate_status_clock(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return UINT64_MAX;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Whether the thread that owns the page is alive. */
GATE_STATUS_INLINE bool gate_status_is_owned(const struct gate_status_page *page) {
    uint32_t owner = __atomic_load_n(&page->owner, __ATOMIC_ACQUIRE);
    return (owner & GATE_STATUS_OWNER_ID) != 0 && (owner & GATE_STATUS_OWNER_DIED) == 0;
}

/* Reads a whole copy. False if it was replaced during each of a million tries. */
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

/* What the mapped page says now. Makes no system call and allocates nothing. */
GATE_STATUS_INLINE struct gate_status gate_status_read(const struct gate_status_reader *reader) {
    struct gate_status status = {
        GATE_STATUS_CHILD, GATE_STATUS_FOREVER, false, GATE_STATUS_FOREVER, 0, 0, false};
    struct gate_status_copy copy;
    const struct gate_status_page *page = reader->page;
    /* The owner is read last: if it is alive then, it was alive when the copy was valid. */
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

/* Opens the page again, at most ten times a second. Returns whether it was opened. It is not inlined and returns no struct, so
 * that the caller's values stay in registers. */
static __attribute__((noinline, cold, unused)) bool gate_status_find(struct gate_status_reader *reader, const char *path) {
    uint64_t now = gate_status_clock(CLOCK_MONOTONIC);
    if (reader->looked != 0 && now - reader->looked < 100000000u) return false;
    reader->looked = now;
    uid_t server = path ? geteuid() : gate_status_user("gate");
    return gate_status_open(reader, path ? path : GATE_STATUS_PATH, server) == GATE_STATUS_OPENED;
}

/* Like `gate_status_read`, but if no running daemon maintains the page, it is opened again first, at most ten times a second.
 * `path`: NULL for GATE_STATUS_PATH, which must belong to the user `gate` or root. Another path must belong to root or to the
 * user of this process. */
GATE_STATUS_INLINE struct gate_status gate_status_current(struct gate_status_reader *reader, const char *path) {
    struct gate_status status = gate_status_read(reader);
    if (!status.is_live && gate_status_find(reader, path)) status = gate_status_read(reader);
    return status;
}

#ifdef __cplusplus
}
#endif
