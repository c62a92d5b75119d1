#ifndef DISK_H
#define DISK_H

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

#include "faulty_disk.h"

/* A change of a file that is not synced. */
struct change {
    off_t offset;
    /* NULL: the file was truncated at the offset. */
    unsigned char *bytes;
    size_t count;
};

struct disk_file {
    struct disk_file *next;
    char *path;
    /* What certainly survives a power cut. */
    unsigned char *synced;
    size_t synced_count;
    /* Whether its name would survive a power cut, too. */
    bool name_is_synced;
    bool is_deleted;
    struct change *changes;
    size_t change_count, change_room;
};

struct faulty_disk {
    struct faulty_disk *next;
    char *folder;
    size_t folder_length;
    uint64_t random;
    struct disk_file *files;
    enum disk_fault fault;
    unsigned operations_left;
    bool is_full, is_dead;
    /* Counts deaths. What was opened before a death has no effect after it. */
    unsigned life;
    struct disk_counts counts;
};

/* Adds a disk. `disk_of_path` returns the disk whose folder contains a path; NULL: there is none. */
void disk_add(struct faulty_disk *disk);
struct faulty_disk *disk_of_path(const char *path);

struct disk_file *disk_file(struct faulty_disk *disk, const char *path);
/* Called before the file is opened. Reads the existing contents. */
struct disk_file *disk_open(struct faulty_disk *disk, const char *path);
void disk_deleted(struct faulty_disk *disk, const char *path, bool is_synced);
void disk_note(struct disk_file *file, off_t offset, const void *bytes, size_t count);
void disk_synced(struct disk_file *file);

/* Whether the armed fault happens now. */
bool disk_fault_comes(struct faulty_disk *disk, enum disk_fault kind);
uint64_t disk_random(struct faulty_disk *disk);

#endif
