// Accounts for made-up users, since gated bills each user with an account separately, and all users without one
// together.
#pragma once
#include <stddef.h>

// Consecutive uids.
struct uids {
    int first, count;
};

// Mounts from now on are visible only to this process and its children, and end with them. Needs root.
void have_own_mounts(void);
// Adds accounts to those of the system, named "user" and the uid, for this process and its children, which must have
// mounts of their own. The files are in the directory.
void add_accounts(const char *directory, const struct uids *users, size_t count);
// Sets the subordinate uids of one of these users. There are no others.
void add_subordinate_uids(const char *directory, int owner, struct uids uids);
