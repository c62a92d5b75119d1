/* What the tests of the status page do very often, or what Swift can't do. */
#pragma once
#include "gate_status.h"

struct page_reads {
    /* How many were whole and were not. */
    uint64_t whole, torn;
    /* How many saw an older state than the one before. */
    uint64_t backwards;
    /* How many states they saw, and how many there were. */
    uint64_t seen, written;
};

/* Reads a page while another thread writes to it as fast as it can. */
struct page_reads page_reads_under_writer(uint64_t count);

/* What a page in memory says now. */
struct gate_status page_read_of(const struct gate_status_page *page);
