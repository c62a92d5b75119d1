/* memfd_create(2) and its seals, execveat(2), pidfd_open(2), fstatfs(2), close_range(2) and
   posix_spawn_file_actions_addclosefrom_np(3), which Swift's Glibc leaves out. */
#pragma once
#include <spawn.h>
#include <sys/types.h>

/* Copies an open file into memory that nobody can write to any more, this process neither, and gives a descriptor of it, which
   is closed in programs that are started. It is named like this in /proc. At most `limit` bytes. -1, and errno: EFBIG
   where the file has more. */
int sealed_copy(int file, const char *name, off_t limit);

/* Starts the file that is open as this, in the place of this process. Returns only where that failed: errno. */
int execute_descriptor(int file, char *const arguments[], char *const environment[]);

/* Closes the descriptors from this one on in any program that takes the place of this process. They stay open here. */
void keep_from_programs(int first);

/* Closes the same in a program that is spawned. 0, or an error number. */
int add_close_from(posix_spawn_file_actions_t *actions, int first);

/* Whether a path is in procfs, or on a file system without rights (nosuid), as those are that users may mount. */
int may_be_brought_along(const char *path);

/* Whether an open file is one of procfs. */
int is_in_proc(int file);

/* A descriptor that is readable once this process has ended. -1, and errno, where the kernel gives none. */
int process_descriptor(pid_t process);
