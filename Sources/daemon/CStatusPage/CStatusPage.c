#include "CStatusPage.h"
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>

struct page_owner {
    /* The list that the kernel walks when the thread ends (set_robust_list(2)). It has one entry, and `futex_offset` is the
       distance from that entry to the owner word. */
    struct robust_list_head head;
    struct robust_list entry;
    struct gate_status_page *page;
    pthread_t thread;
    sem_t is_answered, is_over;
    /* Why the thread can't own the page; 0: it does. */
    int error;
};

/* The thread does nothing but stay alive, so it never wakes the processor. It takes no robust mutexes, so it needs no other
   robust list. */
static void *answer_for_page(void *argument) {
    struct page_owner *owner = argument;
    if (syscall(SYS_set_robust_list, &owner->head, sizeof owner->head) != 0) {
        owner->error = errno;
    } else {
        /* This comes after the list is set, so the kernel marks the word whenever the thread dies. */
        uint32_t id = (uint32_t)syscall(SYS_gettid);
        __atomic_store_n(&owner->page->owner, id & GATE_STATUS_OWNER_ID, __ATOMIC_RELEASE);
    }
    sem_post(&owner->is_answered);
    while (sem_wait(&owner->is_over) != 0) continue;
    /* Otherwise the kernel would walk the list when this thread ends, and its memory may be unmapped by then. */
    syscall(SYS_set_robust_list, NULL, sizeof owner->head);
    return NULL;
}

/* The thread blocks all signals, so that other threads get them. */
static int start_thread(struct page_owner *owner) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error) return error;
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&owner->thread, &attributes, answer_for_page, owner);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

struct page_owner *page_owner_start(struct gate_status_page *page) {
    /* No other process has this memory. It is shared nevertheless: if the kernel kills a process for want of memory, it may
       take its private memory before it walks the list. */
    struct page_owner *owner =
        mmap(NULL, sizeof *owner, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (owner == MAP_FAILED) return NULL;
    owner->page = page;
    owner->head.list.next = &owner->entry;
    owner->head.futex_offset = (long)((intptr_t)&page->owner - (intptr_t)&owner->entry);
    owner->entry.next = &owner->head.list;
    sem_init(&owner->is_answered, 0, 0);
    sem_init(&owner->is_over, 0, 0);
    int error = start_thread(owner);
    if (!error) {
        while (sem_wait(&owner->is_answered) != 0) continue;
        if (!owner->error) return owner;
        error = owner->error;
        sem_post(&owner->is_over);
        pthread_join(owner->thread, NULL);
    }
    munmap(owner, sizeof *owner);
    errno = error;
    return NULL;
}

void page_owner_end(struct page_owner *owner) {
    __atomic_store_n(&owner->page->owner, 0, __ATOMIC_RELEASE);
    sem_post(&owner->is_over);
    pthread_join(owner->thread, NULL);
    munmap(owner, sizeof *owner);
}

static void store_copy(struct gate_status_copy *copy, const struct gate_status_copy *state) {
    __atomic_store_n(&copy->epoch, state->epoch, __ATOMIC_RELAXED);
    __atomic_store_n(&copy->number, state->number, __ATOMIC_RELAXED);
    __atomic_store_n(&copy->mode_deadline, state->mode_deadline, __ATOMIC_RELAXED);
    __atomic_store_n(&copy->subscription_deadline, state->subscription_deadline, __ATOMIC_RELAXED);
    __atomic_store_n(&copy->mode, state->mode, __ATOMIC_RELAXED);
    __atomic_store_n(&copy->subscription_active, state->subscription_active, __ATOMIC_RELAXED);
}

void status_page_fill(struct gate_status_page *page, const char *boot_id, const struct gate_status_copy *state) {
    memcpy(page->magic, GATE_STATUS_MAGIC, sizeof page->magic);
    page->version = GATE_STATUS_VERSION;
    page->byte_count = GATE_STATUS_BYTES;
    if (strlen(boot_id) == sizeof page->boot_id) memcpy(page->boot_id, boot_id, sizeof page->boot_id);
    store_copy(&page->copies[0], state);
}

void status_page_write(struct gate_status_page *page, const struct gate_status_copy *state) {
    uint32_t next = page->sequence + 1;
    /* A reader that sees anything of what is stored below also sees the present sequence, by which this copy is not valid. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    store_copy(&page->copies[next & 1], state);
    __atomic_store_n(&page->sequence, next, __ATOMIC_RELEASE);
}

static int identify(int failed, const struct stat *status, struct file_identity *identity) {
    if (failed) return -1;
    identity->device = status->st_dev;
    identity->inode = status->st_ino;
    return 0;
}

int file_identity_of_path(const char *path, struct file_identity *identity) {
    struct stat status;
    return identify(lstat(path, &status), &status, identity);
}

int file_identity_of_descriptor(int descriptor, struct file_identity *identity) {
    struct stat status;
    return identify(fstat(descriptor, &status), &status, identity);
}
