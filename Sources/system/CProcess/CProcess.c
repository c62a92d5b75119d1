#define _GNU_SOURCE
#include "CProcess.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/magic.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* MFD_EXEC, since Linux 6.3. */
#define EXECUTABLE 0x0010U

static int copied(int from, int to, off_t limit) {
    char buffer[65536];
    off_t offset = 0;
    for (;;) {
        ssize_t count = pread(from, buffer, sizeof buffer, offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return (int)count;
        offset += count;
        if (offset > limit) {
            errno = EFBIG;
            return -1;
        }
        for (ssize_t written = 0; written < count;) {
            ssize_t some = write(to, buffer + written, (size_t)(count - written));
            if (some < 0 && errno == EINTR) continue;
            if (some < 0) return -1;
            written += some;
        }
    }
}

int sealed_copy(int file, const char *name, off_t limit) {
    /* If the system forbids executing such files by default (vm.memfd_noexec), this flag asks for it. Older kernels do not know the
       flag. */
    int copy = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | EXECUTABLE);
    if (copy < 0 && errno == EINVAL) copy = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (copy < 0) return -1;
    int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (copied(file, copy, limit) == 0 && fchmod(copy, 0555) == 0 && fcntl(copy, F_ADD_SEALS, seals) == 0) return copy;
    int error = errno;
    close(copy);
    errno = error;
    return -1;
}

int execute_descriptor(int file, char *const arguments[], char *const environment[]) {
    syscall(SYS_execveat, file, "", arguments, environment, AT_EMPTY_PATH);
    return errno;
}

void keep_from_programs(int first) {
    if (close_range((unsigned)first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    /* Before Linux 5.11, or if close_range(2) is not allowed. */
    DIR *open = opendir("/proc/self/fd");
    for (struct dirent *entry; open && (entry = readdir(open));) {
        int descriptor = atoi(entry->d_name);
        if (descriptor >= first) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    if (open) {
        closedir(open);
        return;
    }
    for (int descriptor = first; descriptor < 1 << 16; descriptor++) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

int add_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int set_own_group(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int problem = posix_spawnattr_setsigmask(attributes, &none);
    if (problem == 0) problem = posix_spawnattr_setsigdefault(attributes, &all);
    if (problem == 0) problem = posix_spawnattr_setpgroup(attributes, 0);
    const short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    return problem == 0 ? posix_spawnattr_setflags(attributes, flags) : problem;
}

int process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int may_be_brought_along(const char *path) {
    struct statfs system;
    return statfs(path, &system) != 0 || system.f_type == PROC_SUPER_MAGIC || (system.f_flags & ST_NOSUID) != 0;
}

int has_rights_of_its_own(int file) {
    struct stat status;
    if (fstat(file, &status) != 0 || (status.st_mode & (S_ISUID | S_ISGID)) != 0) return 1;
    return fgetxattr(file, "security.capability", NULL, 0) >= 0 || (errno != ENODATA && errno != EOPNOTSUPP);
}

int has_access_list(const char *path) {
    return getxattr(path, "system.posix_acl_access", NULL, 0) >= 0 || getxattr(path, "system.posix_acl_default", NULL, 0) >= 0;
}

int is_in_proc(int file) {
    struct statfs system;
    return fstatfs(file, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}
