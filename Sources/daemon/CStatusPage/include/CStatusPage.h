/* The writer's side of the status page (gate_status.h): what Swift can't do, which is to have the kernel mark a word when a
   thread dies, and to store in the order that readers rely on. */
#pragma once
#include "gate_status.h"

/* A thread that answers for a page. */
struct page_owner;

/* Fills a page of zeros, but for its owner. `boot_id`: as the kernel writes it; empty where it does not, and
   then readers believe the page only where it is gone with the boot. */
void status_page_fill(struct gate_status_page *page, const char *boot_id, const struct gate_status_copy *state);

/* Shows another state. Readers that are at it see the one before or this one, whole. One thread at a time may write. */
void status_page_write(struct gate_status_page *page, const struct gate_status_copy *state);

/* Starts a thread that answers for the page until `page_owner_end`, or until this process dies or executes another program:
   then the kernel marks the owner word. NULL, and errno, where there can be none. */
struct page_owner *page_owner_start(struct gate_status_page *page);

/* Nobody answers for the page any more; ends the thread. */
void page_owner_end(struct page_owner *owner);

/* Which file something is. */
struct file_identity {
    uint64_t device, inode;
};

/* 0, or -1 and errno. A link is not followed. */
int file_identity_of_path(const char *path, struct file_identity *identity);
int file_identity_of_descriptor(int descriptor, struct file_identity *identity);
