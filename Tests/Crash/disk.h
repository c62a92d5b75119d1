// The file system of the store. Cut off, it keeps what was made durable, and what the kernel happened to have written.
#pragma once
#include <stdbool.h>

// Makes the folder `disk` in a directory: as it is there, or, to be cut off, on a file system of its own in a file.
void prepare_disk(const char *directory, bool is_to_be_cut);
// "ext4"
const char *disk_description(void);
// From now on nothing reaches the disk any more, as when the power goes.
void cut_disk(void);
// After the daemon has died: what was not on the disk is gone.
void restore_disk(void);
void remove_disk(void);
