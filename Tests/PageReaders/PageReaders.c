#include "PageReaders.h"
#include "CStatusPage.h"
#include <pthread.h>

struct written {
    struct gate_status_page page;
    uint32_t is_over;
    uint64_t count;
};

/* A state in which every word follows from its number. */
static struct gate_status_copy state_of(uint64_t number) {
    struct gate_status_copy copy = {
        .epoch = number * 3, .number = number, .mode_deadline = ~number, .subscription_deadline = number << 7,
        .mode = (uint32_t)number, .subscription_active = (uint32_t)~number};
    return copy;
}

static void *write_states(void *argument) {
    struct written *written = argument;
    while (!__atomic_load_n(&written->is_over, __ATOMIC_RELAXED)) {
        struct gate_status_copy state = state_of(++written->count);
        status_page_write(&written->page, &state);
    }
    return NULL;
}

struct page_reads page_reads_under_writer(uint64_t count) {
    struct page_reads reads = {0};
    /* Zeros, which are a valid state. */
    static struct written written;
    memset(&written, 0, sizeof written);
    struct gate_status_copy first = state_of(0);
    status_page_fill(&written.page, "", &first);
    pthread_t writer;
    if (pthread_create(&writer, NULL, write_states, &written) != 0) return reads;
    uint64_t last = 0;
    /* If both threads share one processor, this one may be through before the other has begun. So it goes on until
       it has seen changes. */
    uint64_t most = count * 1000;
    for (uint64_t i = 0; i < count || (reads.seen <= 100 && i < most); i++) {
        struct gate_status_copy copy = {0};
        if (!gate_status_copy_of(&written.page, &copy)) continue;
        struct gate_status_copy whole = state_of(copy.number);
        if (memcmp(&copy, &whole, sizeof copy) == 0) reads.whole++;
        else reads.torn++;
        if (copy.number < last) reads.backwards++;
        if (copy.number != last) reads.seen++;
        last = copy.number;
    }
    __atomic_store_n(&written.is_over, 1, __ATOMIC_RELAXED);
    pthread_join(writer, NULL);
    reads.written = written.count;
    return reads;
}

struct gate_status page_read_of(const struct gate_status_page *page) {
    struct gate_status_reader reader = {page, 0};
    return gate_status_read(&reader);
}
