/* memfd_create(2) and its seals, execveat(2), pidfd_open(2), fstatfs(2), close_range(2),
   posix_spawn_file_actions_addclosefrom_np(3) and the macros for sending descriptors, which Swift's Glibc module lacks. */
#pragma once
#include <spawn.h>
#include <sys/types.h>

/* Copies an open file into a memfd that nothing can change any more, not even this process. Returns its descriptor, which other
   programs don't inherit. `name` is shown in /proc. Returns -1 and sets errno if that fails; EFBIG if the file has more than
   `limit` bytes. */
int sealed_copy(int file, const char *name, off_t limit);

/* Replaces this process with the program in an open file. Returns only if that fails: the error number. */
int execute_descriptor(int file, char *const arguments[], char *const environment[]);

/* Makes programs that replace this process not inherit the descriptors from `first` on. They stay open in this process. */
void keep_from_programs(int first);

/* Closes the descriptors from `first` on in a program that is spawned. Returns 0 or an error number. */
int add_close_from(posix_spawn_file_actions_t *actions, int first);

/* Lets a program that is spawned begin in a process group of its own, with no signal blocked or ignored. Returns 0 or an error number. */
int set_own_group(posix_spawnattr_t *attributes);

/* Whether the user may have brought the file along: it is in procfs, on a file system mounted with nosuid, as those that users may mount
   are, or can't be looked at. */
int may_be_brought_along(const char *path);

/* Whether a program runs with rights that the user who starts it lacks: it is setuid or setgid, has capabilities, or can't be looked at. */
int has_rights_of_its_own(int file);

/* Whether a file or folder has an access list beside its mode, or a folder one for new files. */
int has_access_list(const char *path);

int is_in_proc(int file);

/* A descriptor that is readable once `process` has ended. Returns -1 and sets errno if the kernel gives none. */
int process_descriptor(pid_t process);

/* Connects to a Unix socket of packets (SOCK_SEQPACKET). Returns its descriptor, which other programs don't inherit, or -1 and sets errno. */
int connect_to_packets(const char *path);

/* Sends one packet; if `with_standard` is not 0, with standard input, output and error. Returns 0 or an error number. */
int send_packet(int descriptor, const void *bytes, size_t size, int with_standard);
