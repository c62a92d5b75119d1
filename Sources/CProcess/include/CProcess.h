/* memfd_create(2) and its seals, execveat(2), pidfd_open(2) and fstatfs(2), which Swift's Glibc leaves out. */
#pragma once
#include <sys/types.h>

/* Copies an open file into memory that nobody can write to any more, this process neither, and gives a descriptor of it, which
   is closed in programs that are started. It is named like this in /proc. At most `limit` bytes. -1, and errno: EFBIG
   where the file has more. */
int sealed_copy(int file, const char *name, off_t limit);

/* Starts the file that is open as this, in the place of this process. Returns only where that failed: errno. */
int execute_descriptor(int file, char *const arguments[], char *const environment[]);

/* Whether an open file is one of procfs. */
int is_in_proc(int file);

/* A descriptor that is readable once this process has ended. -1, and errno, where the kernel gives none. */
int process_descriptor(pid_t process);
