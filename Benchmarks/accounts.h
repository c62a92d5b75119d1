// Accounts for made-up users: gated bills each user who has an account by itself, and all who have none together.
#pragma once
#include <stddef.h>

// Uids that follow each other.
struct uids {
    int first, count;
};

// What is mounted from here on is seen by this process and its children alone, and goes with them. Needs root.
void have_own_mounts(void);
// Puts accounts, called user and the uid, beside those of the system, for this process and its children, which must have mounts
// of their own. The files lie in the directory.
void add_accounts(const char *directory, const struct uids *users, size_t count);
// The subordinate uids of one of these users, and no others.
void add_subordinate_uids(const char *directory, int owner, struct uids uids);
