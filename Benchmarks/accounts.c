#define _GNU_SOURCE
#include "accounts.h"

#include <pwd.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "wire.h"

void have_own_mounts(void) {
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        fail_system("can't have mounts of its own");
}

static FILE *begin(const char *directory, const char *name, char **path) {
    if (asprintf(path, "%s/%s", directory, name) < 0) fail("no memory");
    FILE *file = fopen(*path, "we");
    if (!file) fail_system("can't write %s", *path);
    return file;
}

// Ends what `begin` began, and mounts the file over a file of the system.
static void put_over(const char *database, FILE *file, char *path) {
    if (fchmod(fileno(file), 0644) != 0 || fclose(file) != 0) fail_system("can't write %s", path);
    if (mount(path, database, NULL, MS_BIND, NULL) != 0) fail_system("can't put %s over %s", path, database);
    free(path);
}

// Writes the system's lines, and then a line for each user. `%1$d` stands for the uid.
static void add_lines(
    const char *database, const char *directory, const char *name, const char *line, const struct uids *users, size_t count
) {
    char *path;
    FILE *from = fopen(database, "re"), *to = begin(directory, name, &path);
    if (!from) fail_system("can't read %s", database);
    char known[4096];
    for (size_t size; (size = fread(known, 1, sizeof known, from)) > 0;) fwrite(known, 1, size, to);
    fclose(from);
    for (size_t i = 0; i < count; i++) {
        for (int uid = users[i].first; uid < users[i].first + users[i].count; uid++) fprintf(to, line, uid);
    }
    put_over(database, to, path);
}

void add_accounts(const char *directory, const struct uids *users, size_t count) {
    add_lines("/etc/passwd", directory, "passwd", "user%1$d:x:%1$d:%1$d::/nonexistent:/bin/false\n", users, count);
    add_lines("/etc/group", directory, "group", "user%1$d:x:%1$d:\n", users, count);
    if (count > 0 && !getpwuid((uid_t)users[0].first))
        fail("uid %d has no account: /etc/nsswitch.conf does not ask files", users[0].first);
}

void add_subordinate_uids(const char *directory, int owner, struct uids uids) {
    static const char database[] = "/etc/subuid";
    // There must be a file to mount over. An empty one has no effect.
    FILE *empty = fopen(database, "ae");
    if (!empty) fail_system("can't write %s", database);
    fclose(empty);
    char *path;
    FILE *to = begin(directory, "subuid", &path);
    fprintf(to, "user%d:%d:%d\n", owner, uids.first, uids.count);
    put_over(database, to, path);
}
