#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>
#include <stdint.h>

/* A disk that fails when it is told to: a file system for SQLite (a "VFS") for all files of one folder. It does not
 * affect files outside of such folders.
 *
 * It distinguishes what was written from what was synced. After a power cut a file has what was synced last and, of
 * what was written since, a random part: some writes are lost, some are torn at a sector's edge, and later ones may be
 * there without earlier ones. If a process is killed, nothing that was written is lost, since the kernel has it.
 *
 * One thread uses one disk at a time. */

enum disk_fault {
    DISK_WORKS,
    /* A write stores a part of its bytes, then fails. */
    DISK_WRITE_FAILS,
    /* A write stores a part of its bytes, then the disk is full. */
    DISK_IS_FULL,
    /* A sync fails. Its data may or may not be on the disk. */
    DISK_SYNC_FAILS,
    /* The process is killed. */
    DISK_LOSES_PROCESS,
    /* The power is cut. */
    DISK_LOSES_POWER,
};

struct disk_counts {
    uint64_t writes, syncs, power_cuts, lost_writes, torn_writes, failures;
};

/* The folder must exist. Returns NULL if there is no memory. */
struct faulty_disk *faulty_disk_create(const char *folder, uint64_t seed);
/* No file of the folder may be open. */
void faulty_disk_destroy(struct faulty_disk *disk);

/* The fault happens once, at the given operation from now on; 1 is the next one. For a failing write, operations are
 * writes; for a failing sync they are syncs; otherwise both. DISK_WORKS cancels a fault. */
void faulty_disk_arm(struct faulty_disk *disk, enum disk_fault fault, unsigned operation);
/* While the disk is full, no file grows. */
void faulty_disk_fill(struct faulty_disk *disk, bool is_full);

/* The process is killed: from now on nothing that was open has any effect. */
void faulty_disk_kill(struct faulty_disk *disk);
/* The same, and the power is cut. */
void faulty_disk_cut_power(struct faulty_disk *disk);
/* Whether the process is dead, for either reason. */
bool faulty_disk_is_dead(const struct faulty_disk *disk);
/* Another process may open the files. All files have to be closed. */
void faulty_disk_revive(struct faulty_disk *disk);

struct disk_counts faulty_disk_counts(const struct faulty_disk *disk);

#endif
