#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>
#include <stdint.h>

/* A disk that fails when it is told to: a file system of SQLite's (a "VFS") for all files of one folder. Files outside such
 * folders are none of its business.
 *
 * It keeps apart what was written from what was synced. After a power cut a file holds what was synced last, and of what was
 * written since whatever chance has left there: some writes are lost, some torn at a sector's edge, later ones may have come
 * before earlier ones. A process that is killed loses nothing that was written: the kernel has it.
 *
 * One thread uses one disk at a time. */

enum disk_fault {
    DISK_WORKS,
    /* A write stores a part of its bytes, then fails. */
    DISK_WRITE_FAILS,
    /* A write stores a part of its bytes, then there is no room. */
    DISK_IS_FULL,
    /* A sync fails; what it was for may or may not be on the disk. */
    DISK_SYNC_FAILS,
    /* The process is killed. */
    DISK_LOSES_PROCESS,
    /* The power is cut. */
    DISK_LOSES_POWER,
};

struct disk_counts {
    uint64_t writes, syncs, power_cuts, lost_writes, torn_writes, failures;
};

/* The folder must be there. NULL where memory is short. */
struct faulty_disk *faulty_disk_create(const char *folder, uint64_t seed);
/* No file of the folder may be open. */
void faulty_disk_destroy(struct faulty_disk *disk);

/* The fault comes once, at the given operation from now: 1 is the next one. For a failing write operations are writes, for a
 * failing sync they are syncs, else both. DISK_WORKS takes back what was to come. */
void faulty_disk_arm(struct faulty_disk *disk, enum disk_fault fault, unsigned operation);
/* No file grows any more, until there is room again. */
void faulty_disk_fill(struct faulty_disk *disk, bool is_full);

/* From here on nothing that was open has any effect: the process is dead. */
void faulty_disk_kill(struct faulty_disk *disk);
/* The same, and the power is cut. */
void faulty_disk_cut_power(struct faulty_disk *disk);
/* Whether the process is dead, by either. */
bool faulty_disk_is_dead(const struct faulty_disk *disk);
/* Another process may open the files. What was open must be closed. */
void faulty_disk_revive(struct faulty_disk *disk);

struct disk_counts faulty_disk_counts(const struct faulty_disk *disk);

#endif
