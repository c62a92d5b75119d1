// The file system of the store. After a cut it has what was made durable, and what the kernel happened to have written.
#pragma once
#include <stdbool.h>

// Makes the folder `disk` in a directory. If it is to be cut off, it is a file system of its own in a file.
void prepare_disk(const char *directory, bool is_to_be_cut);
// Like "ext4".
const char *disk_description(void);
// From now on nothing is written to the disk, as after a power failure.
void cut_disk(void);
// Called after the daemon has died. What was not on the disk is gone.
void restore_disk(void);
void remove_disk(void);
