#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct faulty_disk *disks;

static void *grown(void *memory, size_t count) {
    void *larger = realloc(memory, count ? count : 1);
    if (!larger) abort();
    return larger;
}

/* splitmix64 */
uint64_t disk_random(struct faulty_disk *disk) {
    uint64_t z = disk->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

struct faulty_disk *disk_of_path(const char *path) {
    if (!path) return NULL;
    pthread_mutex_lock(&list_lock);
    struct faulty_disk *disk = disks;
    while (disk && (strncmp(path, disk->folder, disk->folder_length) != 0 || path[disk->folder_length] != '/'))
        disk = disk->next;
    pthread_mutex_unlock(&list_lock);
    return disk;
}

void disk_add(struct faulty_disk *disk) {
    pthread_mutex_lock(&list_lock);
    disk->next = disks;
    disks = disk;
    pthread_mutex_unlock(&list_lock);
}

static void disk_remove(struct faulty_disk *disk) {
    pthread_mutex_lock(&list_lock);
    struct faulty_disk **link = &disks;
    while (*link && *link != disk) link = &(*link)->next;
    if (*link) *link = disk->next;
    pthread_mutex_unlock(&list_lock);
}

/* MARK: Files */

static void forget_changes(struct disk_file *file) {
    for (size_t i = 0; i < file->change_count; i++) free(file->changes[i].bytes);
    file->change_count = 0;
}

/* What is in the file now, as every process sees it. */
static void read_whole(struct disk_file *file) {
    FILE *stream = fopen(file->path, "rb");
    file->synced_count = 0;
    if (!stream) return;
    unsigned char piece[4096];
    size_t count;
    while ((count = fread(piece, 1, sizeof piece, stream)) > 0) {
        file->synced = grown(file->synced, file->synced_count + count);
        memcpy(file->synced + file->synced_count, piece, count);
        file->synced_count += count;
    }
    fclose(stream);
}

struct disk_file *disk_file(struct faulty_disk *disk, const char *path) {
    struct disk_file *file = disk->files;
    while (file && strcmp(file->path, path) != 0) file = file->next;
    return file;
}

struct disk_file *disk_open(struct faulty_disk *disk, const char *path) {
    struct disk_file *file = disk_file(disk, path);
    bool is_there = access(path, F_OK) == 0;
    if (file && is_there && !file->is_deleted) return file;
    if (!file) {
        file = calloc(1, sizeof *file);
        if (!file) abort();
        file->path = strdup(path);
        if (!file->path) abort();
        file->next = disk->files;
        disk->files = file;
        read_whole(file);
        file->name_is_synced = is_there;
    }
    /* A file that was deleted is made again. Its old contents may still come back after a power cut. */
    if (file->is_deleted || !is_there) {
        file->is_deleted = false;
        disk_note(file, 0, NULL, 0);
    }
    return file;
}

void disk_deleted(struct faulty_disk *disk, const char *path, bool is_synced) {
    struct disk_file *file = disk_file(disk, path);
    if (!file) return;
    if (is_synced) {
        forget_changes(file);
        file->synced_count = 0;
        file->name_is_synced = false;
    }
    file->is_deleted = true;
}

void disk_note(struct disk_file *file, off_t offset, const void *bytes, size_t count) {
    if (file->change_count == file->change_room) {
        file->change_room = file->change_room ? 2 * file->change_room : 16;
        file->changes = grown(file->changes, file->change_room * sizeof *file->changes);
    }
    struct change *change = &file->changes[file->change_count++];
    *change = (struct change){.offset = offset, .count = count};
    if (bytes) {
        change->bytes = grown(NULL, count);
        memcpy(change->bytes, bytes, count);
    }
}

/* Applies one change to the synced contents. */
static void apply(struct disk_file *file, const struct change *change, size_t from, size_t to) {
    size_t offset = (size_t)change->offset;
    if (!change->bytes) {
        if (file->synced_count > offset) file->synced_count = offset;
        return;
    }
    if (from >= to) return;
    if (file->synced_count < offset + to) {
        file->synced = grown(file->synced, offset + to);
        memset(file->synced + file->synced_count, 0, offset + to - file->synced_count);
        file->synced_count = offset + to;
    }
    memcpy(file->synced + offset + from, change->bytes + from, to - from);
}

void disk_synced(struct disk_file *file) {
    for (size_t i = 0; i < file->change_count; i++) apply(file, &file->changes[i], 0, file->changes[i].count);
    forget_changes(file);
    file->name_is_synced = true;
}

/* MARK: Faults */

bool disk_fault_comes(struct faulty_disk *disk, enum disk_fault kind) {
    if (disk->fault != kind || disk->operations_left == 0 || --disk->operations_left > 0) return false;
    disk->fault = DISK_WORKS;
    return true;
}

void faulty_disk_arm(struct faulty_disk *disk, enum disk_fault fault, unsigned operation) {
    disk->fault = fault;
    disk->operations_left = operation;
}

void faulty_disk_fill(struct faulty_disk *disk, bool is_full) { disk->is_full = is_full; }

void faulty_disk_kill(struct faulty_disk *disk) {
    disk->is_dead = true;
    disk->life++;
    disk->fault = DISK_WORKS;
}

bool faulty_disk_is_dead(const struct faulty_disk *disk) { return disk->is_dead; }

void faulty_disk_revive(struct faulty_disk *disk) { disk->is_dead = false; }

/* A sector is written entirely or not at all. */
static void tear(struct faulty_disk *disk, struct disk_file *file, const struct change *change) {
    size_t from = 0;
    while (from < change->count) {
        size_t edge = SECTOR - ((size_t)change->offset + from) % SECTOR;
        size_t to = from + edge < change->count ? from + edge : change->count;
        if (disk_random(disk) & 1) apply(file, change, from, to);
        from = to;
    }
    disk->counts.torn_writes++;
}

/* Of unsynced changes, keeps all, none, or a random part. */
static void settle(struct faulty_disk *disk, struct disk_file *file) {
    unsigned mood = disk_random(disk) % 4;
    for (size_t i = 0; i < file->change_count; i++) {
        const struct change *change = &file->changes[i];
        unsigned fate = mood == 0 ? 0 : mood == 1 ? 1 : disk_random(disk) % 3;
        if (fate == 0) apply(file, change, 0, change->count);
        if (fate == 1) disk->counts.lost_writes++;
        if (fate == 2) {
            if (change->bytes) tear(disk, file, change); else apply(file, change, 0, 0);
        }
    }
    forget_changes(file);
}

static void write_whole(const struct disk_file *file) {
    FILE *stream = fopen(file->path, "wb");
    if (!stream || fwrite(file->synced, 1, file->synced_count, stream) != file->synced_count || fclose(stream)) abort();
}

void faulty_disk_cut_power(struct faulty_disk *disk) {
    faulty_disk_kill(disk);
    disk->counts.power_cuts++;
    for (struct disk_file *file = disk->files; file; file = file->next) {
        /* Another program renamed or removed the file without SQLite, and synced the folder. */
        if (!file->is_deleted && access(file->path, F_OK) != 0) {
            forget_changes(file);
            file->synced_count = 0;
            file->name_is_synced = false;
            file->is_deleted = true;
            continue;
        }
        bool name_is_lost = (!file->name_is_synced || file->is_deleted) && disk_random(disk) & 1;
        if (file->is_deleted) {
            /* Changes from before the deletion don't matter any more. */
            forget_changes(file);
            if (!file->name_is_synced) name_is_lost = true;
        }
        settle(disk, file);
        if (name_is_lost) {
            unlink(file->path);
            file->synced_count = 0;
            file->name_is_synced = false;
            file->is_deleted = true;
        } else {
            write_whole(file);
            file->name_is_synced = true;
            file->is_deleted = false;
        }
        /* Shared memory does not survive. */
        size_t length = strlen(file->path);
        if (length > 4 && strcmp(file->path + length - 4, "-wal") == 0) {
            char *shared = strdup(file->path);
            if (!shared) abort();
            memcpy(shared + length - 4, "-shm", 4);
            unlink(shared);
            free(shared);
        }
    }
}

struct disk_counts faulty_disk_counts(const struct faulty_disk *disk) { return disk->counts; }

void faulty_disk_destroy(struct faulty_disk *disk) {
    if (!disk) return;
    disk_remove(disk);
    while (disk->files) {
        struct disk_file *file = disk->files;
        disk->files = file->next;
        forget_changes(file);
        free(file->changes);
        free(file->synced);
        free(file->path);
        free(file);
    }
    free(disk->folder);
    free(disk);
}
