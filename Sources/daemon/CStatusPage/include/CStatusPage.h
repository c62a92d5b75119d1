/* The writer's side of the status page (gate_status.h), as far as Swift can't do it: making the kernel mark a word when a
   thread dies, and storing in the order that readers rely on. */
#pragma once
#include "gate_status.h"

/* A thread that owns a page: while it lives, readers take the page as maintained. */
struct page_owner;

/* Writes all fields of a new page except `owner`. The page has to be all zeros before. `boot_id`: as the kernel writes it. If it is
   empty, readers trust the page only on a tmpfs, which is empty after a boot. */
void status_page_fill(struct gate_status_page *page, const char *boot_id, const struct gate_status_copy *state);

/* Shows another state. A reader sees all of the state before or all of this one. Only one thread at a time may write. */
void status_page_write(struct gate_status_page *page, const struct gate_status_copy *state);

/* Starts a thread that owns the page until `page_owner_end`, or until this process dies or executes another program: then the
   kernel marks the owner word. Returns NULL and sets errno if that fails. */
struct page_owner *page_owner_start(struct gate_status_page *page);

/* Marks the page as not maintained, ends the thread and frees `owner`. */
void page_owner_end(struct page_owner *owner);

/* Identifies a file. */
struct file_identity {
    uint64_t device, inode;
};

/* Both return 0, or -1 and errno. The first does not follow a symbolic link. */
int file_identity_of_path(const char *path, struct file_identity *identity);
int file_identity_of_descriptor(int descriptor, struct file_identity *identity);
