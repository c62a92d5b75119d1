// Accounts for the made-up users: gated bills each user who has an account by itself, and all who have none together.
#define _GNU_SOURCE
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "hostile.h"

// What the system has, and then a line for each made-up user: `%1$d` is the uid.
static void add_users(const char *database, const char *directory, const char *name, const char *line) {
    static const struct { int first, count; } users[] = {
        {DAEMON_UID, 1}, {NEIGHBOUR_UID, NEIGHBOURS}, {ATTACKER_UID, 1}, {PRESENTER_UID, 1}, {HOSTILE_PROVIDER_UID, 1},
        {MANY_UIDS, MANY_UIDS_COUNT}};
    char path[160];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path) fail("%s is too long", directory);
    FILE *from = fopen(database, "re"), *to = fopen(path, "we");
    if (!from || !to) fail_system("can't copy %s to %s", database, path);
    char known[4096];
    for (size_t size; (size = fread(known, 1, sizeof known, from)) > 0;) fwrite(known, 1, size, to);
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        for (int uid = users[i].first; uid < users[i].first + users[i].count; uid++) fprintf(to, line, uid);
    }
    fclose(from);
    if (fchmod(fileno(to), 0644) != 0 || fclose(to) != 0) fail_system("can't write %s", path);
    if (mount(path, database, NULL, MS_BIND, NULL) != 0) fail_system("can't put %s over %s", path, database);
}

// The attacker's range, and no other.
static void add_range(const char *directory) {
    static const char database[] = "/etc/subuid";
    char path[160];
    snprintf(path, sizeof path, "%s/subuid", directory);
    // There must be a file to put it over; an empty one says nothing.
    FILE *empty = fopen(database, "ae"), *to = fopen(path, "we");
    if (!empty || !to) fail_system("can't write %s", path);
    fprintf(to, "hostile%d:%d:%d\n", ATTACKER_UID, SUBORDINATE_UIDS, SUBORDINATE_UIDS_COUNT);
    fclose(empty);
    if (fchmod(fileno(to), 0644) != 0 || fclose(to) != 0) fail_system("can't write %s", path);
    if (mount(path, database, NULL, MS_BIND, NULL) != 0) fail_system("can't put %s over %s", path, database);
}

void add_accounts(const char *directory) {
    add_users("/etc/passwd", directory, "passwd", "hostile%1$d:x:%1$d:%1$d::/nonexistent:/bin/false\n");
    add_users("/etc/group", directory, "group", "hostile%1$d:x:%1$d:\n");
    add_range(directory);
    if (!getpwuid(ATTACKER_UID)) fail("uid %d has no account: /etc/nsswitch.conf does not ask files", ATTACKER_UID);
}
