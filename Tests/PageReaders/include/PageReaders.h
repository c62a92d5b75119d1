/* What the tests of the status page do very often, or what Swift can't do. */
#pragma once
#include "gate_status.h"

struct page_reads {
    /* How many reads saw a consistent state, and how many did not. */
    uint64_t whole, torn;
    /* How many reads saw an older state than the previous read. */
    uint64_t backwards;
    /* How many states the reads saw, and how many were written. */
    uint64_t seen, written;
};

/* Reads a page while another thread writes to it as fast as it can. */
struct page_reads page_reads_under_writer(uint64_t count);

/* The state of a page in memory. */
struct gate_status page_read_of(const struct gate_status_page *page);
