#define _GNU_SOURCE
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../Benchmarks/wire.h"
#include "daemon.h"
#include "promises.h"

// An ioctl of ext4 and other file systems of Linux, which no header declares. Afterwards neither data nor the journal
// are written.
#define SHUTDOWN _IOR('X', 125, uint32_t)
enum { SHUTDOWN_WITHOUT_FLUSH = 2 };

static char *folder, *image;
static bool is_mounted;

static void run_program(char *const *words) {
    pid_t child = fork();
    if (child == 0) {
        execvp(words[0], words);
        _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child) fail_system("can't run %s", words[0]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("%s fails (%#x)", words[0], (unsigned)status);
}

// mount(8) finds a loop device, which is freed with its last use.
static void mount_disk(void) {
    run_program((char *[]){"mount", "-o", "loop", image, folder, NULL});
    is_mounted = true;
}

static void unmount_disk(void) {
    if (is_mounted && umount(folder) != 0) fail_system("can't unmount %s", folder);
    is_mounted = false;
}

void prepare_disk(const char *directory, bool is_to_be_cut) {
    if (asprintf(&folder, "%s/disk", directory) < 0 || asprintf(&image, "%s/disk.ext4", directory) < 0) fail("no memory");
    if (mkdir(folder, 0700) != 0) fail_system("can't make %s", folder);
    if (!is_to_be_cut) return;
    int file = open(image, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, 64 << 20) != 0 || close(file) != 0) fail_system("can't make %s", image);
    run_program((char *[]){"mkfs.ext4", "-q", image, NULL});
    // `prepare_users` made the mounts of this process private. Another process that saw this one would keep the file
    // system alive when it is to be mounted again. So it ends with this process, however that ends; its file remains.
    mount_disk();
}

const char *disk_description(void) {
    static char text[64];
    struct statfs system;
    if (statfs(folder, &system) != 0) fail_system("can't ask for the file system of %s", folder);
    const char *name = system.f_type == 0xef53 ? "ext4"
        : system.f_type == 0x01021994          ? "tmpfs, which is no disk"
        : system.f_type == 0x58465342          ? "XFS"
        : system.f_type == 0x9123683e          ? "Btrfs"
        : system.f_type == 0x794c7630          ? "overlayfs"
                                               : NULL;
    if (name) snprintf(text, sizeof text, "the store on %s%s", name, is_mounted ? " that is cut off" : "");
    else snprintf(text, sizeof text, "the store on a file system of type %#lx", (unsigned long)system.f_type);
    return text;
}

void cut_disk(void) {
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    uint32_t how = SHUTDOWN_WITHOUT_FLUSH;
    if (file < 0 || ioctl(file, SHUTDOWN, &how) != 0) fail_system("can't cut off the file system");
    close(file);
}

void restore_disk(void) {
    unwatch_store();
    unmount_disk();
    mount_disk();
    watch_store();
}

void remove_disk(void) {
    unwatch_store();
    unmount_disk();
    unlink(image);
}
