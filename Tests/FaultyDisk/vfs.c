#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"

/* SQLite's own file system, with the faulty disks in between. It is the default of this process. Paths outside of
 * faulty disks' folders are passed on unchanged. */


struct open_file {
    sqlite3_file base;
    struct faulty_disk *disk;
    /* The disk's `life` when this was opened. */
    unsigned life;
    /* NULL: the file does not matter after a power cut. */
    struct disk_file *file;
    /* SQLite's own file. */
    sqlite3_file real[];
};

static sqlite3_vfs *real_vfs;

static struct open_file *opened(sqlite3_file *file) { return (struct open_file *)file; }
static bool is_dead(const struct open_file *file) { return file->disk->is_dead || file->disk->life != file->life; }

static int file_close(sqlite3_file *file) {
    sqlite3_file *real = opened(file)->real;
    return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (is_dead(opened(file))) return SQLITE_IOERR_READ;
    return opened(file)->real->pMethods->xRead(opened(file)->real, bytes, count, offset);
}

/* Whether the process dies, or the power is cut, with this operation. */
static bool dies(struct faulty_disk *disk) {
    if (disk_fault_comes(disk, DISK_LOSES_POWER)) faulty_disk_cut_power(disk);
    if (disk_fault_comes(disk, DISK_LOSES_PROCESS)) faulty_disk_kill(disk);
    return disk->is_dead;
}

static int written(struct open_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = count > 0 ? file->real->pMethods->xWrite(file->real, bytes, count, offset) : SQLITE_OK;
    if (code == SQLITE_OK && count > 0 && file->file) disk_note(file->file, offset, bytes, (size_t)count);
    return code;
}

static int file_write(sqlite3_file *opaque, const void *bytes, int count, sqlite3_int64 offset) {
    struct open_file *file = opened(opaque);
    struct faulty_disk *disk = file->disk;
    if (is_dead(file)) return SQLITE_IOERR_WRITE;
    disk->counts.writes++;
    bool fails = disk_fault_comes(disk, DISK_WRITE_FAILS), has_no_room = disk_fault_comes(disk, DISK_IS_FULL);
    sqlite3_int64 size = 0;
    if (disk->is_full && file->real->pMethods->xFileSize(file->real, &size) == SQLITE_OK)
        has_no_room = has_no_room || offset + count > size;
    if (fails || has_no_room) {
        int part = (int)(disk_random(disk) % ((uint64_t)count + 1));
        if (has_no_room && disk->is_full) part = offset >= size ? 0 : (int)(size - offset);
        disk->counts.failures++;
        int code = written(file, bytes, part, offset);
        return code != SQLITE_OK ? code : has_no_room ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    int code = written(file, bytes, count, offset);
    return dies(disk) ? SQLITE_IOERR_WRITE : code;
}

static int file_truncate(sqlite3_file *opaque, sqlite3_int64 size) {
    struct open_file *file = opened(opaque);
    if (is_dead(file)) return SQLITE_IOERR_TRUNCATE;
    int code = file->real->pMethods->xTruncate(file->real, size);
    if (code == SQLITE_OK && file->file) disk_note(file->file, size, NULL, 0);
    return code;
}

/* There is no real sync, since the machine that runs this loses no power. */
static int file_sync(sqlite3_file *opaque, int flags) {
    (void)flags;
    struct open_file *file = opened(opaque);
    if (is_dead(file)) return SQLITE_IOERR_FSYNC;
    file->disk->counts.syncs++;
    if (dies(file->disk)) return SQLITE_IOERR_FSYNC;
    bool fails = disk_fault_comes(file->disk, DISK_SYNC_FAILS);
    if (fails) file->disk->counts.failures++;
    if (file->file && (!fails || disk_random(file->disk) & 1)) disk_synced(file->file);
    return fails ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    if (is_dead(opened(file))) return SQLITE_IOERR_FSTAT;
    return opened(file)->real->pMethods->xFileSize(opened(file)->real, size);
}

/* The kernel has the locks. It releases them when a process dies, which here means when the file is closed. */
static int file_lock(sqlite3_file *file, int level) {
    if (is_dead(opened(file))) return SQLITE_IOERR_LOCK;
    return opened(file)->real->pMethods->xLock(opened(file)->real, level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return opened(file)->real->pMethods->xUnlock(opened(file)->real, level);
}

static int file_check_reserved_lock(sqlite3_file *file, int *is_held) {
    return opened(file)->real->pMethods->xCheckReservedLock(opened(file)->real, is_held);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    /* Reserving room in advance would be a write that this file system does not see. */
    if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_NOTFOUND;
    return opened(file)->real->pMethods->xFileControl(opened(file)->real, operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
    return opened(file)->real->pMethods->xSectorSize(opened(file)->real);
}

static int file_characteristics(sqlite3_file *file) {
    return opened(file)->real->pMethods->xDeviceCharacteristics(opened(file)->real);
}

static int shared_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    if (is_dead(opened(file))) return SQLITE_IOERR_SHMMAP;
    return opened(file)->real->pMethods->xShmMap(opened(file)->real, page, size, extends, memory);
}

static int shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    if (is_dead(opened(file)) && flags & SQLITE_SHM_LOCK) return SQLITE_IOERR_SHMLOCK;
    return opened(file)->real->pMethods->xShmLock(opened(file)->real, offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { opened(file)->real->pMethods->xShmBarrier(opened(file)->real); }

static int shared_unmap(sqlite3_file *file, int deletes) {
    return opened(file)->real->pMethods->xShmUnmap(opened(file)->real, deletes && !is_dead(opened(file)));
}

/* Version 2: shared memory, but no memory maps of the file, which would be read without the disk's knowledge. */
static const sqlite3_io_methods file_methods = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock,
    file_check_reserved_lock, file_control, file_sector_size, file_characteristics, shared_map, shared_lock,
    shared_barrier, shared_unmap, NULL, NULL,
};

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *opaque, int flags, int *out_flags) {
    (void)vfs;
    struct faulty_disk *disk = disk_of_path(path);
    if (!disk) return real_vfs->xOpen(real_vfs, path, opaque, flags, out_flags);
    struct open_file *file = opened(opaque);
    memset(file, 0, (size_t)real_vfs->szOsFile + sizeof *file);
    if (disk->is_dead) return SQLITE_CANTOPEN;
    bool is_kept = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
    file->disk = disk;
    file->life = disk->life;
    /* A file that is only opened for reading is not created. */
    if (is_kept) file->file = disk_open(disk, path);
    int code = real_vfs->xOpen(real_vfs, path, file->real, flags, out_flags);
    if (code == SQLITE_OK) file->base.pMethods = &file_methods;
    return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
    (void)vfs;
    struct faulty_disk *disk = disk_of_path(path);
    if (!disk) return real_vfs->xDelete(real_vfs, path, syncs_folder);
    if (disk->is_dead) return SQLITE_IOERR_DELETE;
    int code = real_vfs->xDelete(real_vfs, path, 0);
    if (code == SQLITE_OK) disk_deleted(disk, path, syncs_folder);
    return code;
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    struct faulty_disk *disk = disk_of_path(path);
    if (disk && disk->is_dead) return SQLITE_IOERR_ACCESS;
    return real_vfs->xAccess(real_vfs, path, flags, result);
}

static sqlite3_vfs faulty_vfs;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void install(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs) abort();
    faulty_vfs = *real_vfs;
    faulty_vfs.pNext = NULL;
    faulty_vfs.zName = "gate-faulty";
    faulty_vfs.szOsFile = real_vfs->szOsFile + (int)sizeof(struct open_file);
    faulty_vfs.xOpen = vfs_open;
    faulty_vfs.xDelete = vfs_delete;
    faulty_vfs.xAccess = vfs_access;
    if (sqlite3_vfs_register(&faulty_vfs, 1) != SQLITE_OK) abort();
}

struct faulty_disk *faulty_disk_create(const char *folder, uint64_t seed) {
    pthread_once(&once, install);
    struct faulty_disk *disk = calloc(1, sizeof *disk);
    if (!disk) return NULL;
    disk->folder = strdup(folder);
    if (!disk->folder) {
        free(disk);
        return NULL;
    }
    disk->folder_length = strlen(folder);
    disk->random = seed;
    disk_add(disk);
    return disk;
}
