// Reads which app a process belongs to, as xdg-desktop-portal does. Flatpak puts /.flatpak-info into the root of each sandbox, and the app
// can't change it there. But the user can start a process of their own with any such file, so the name is only what a program of the
// session says.
//
// When a process has ended, another one may get its number. So the file only counts if the process still runs after it was read.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "app-id.h"

enum { INFO_BYTES = 64 << 10 };     // the most that a .flatpak-info has; Flatpak writes about one KiB

// Whether the text has the form of a D-Bus name: elements of letters, digits, "_" and "-" with dots between them. No element is empty or
// begins with a digit.
static bool is_app_id(const char *name) {
    size_t size = strlen(name), dots = 0;
    if (size == 0 || size >= APP_NAME_BYTES) return false;
    for (size_t i = 0; i < size; i++) {
        bool is_first = i == 0 || name[i - 1] == '.';
        if (g_ascii_isalpha(name[i]) || name[i] == '_') continue;
        if (!is_first && (g_ascii_isdigit(name[i]) || name[i] == '-')) continue;
        if (name[i] != '.' || is_first || i + 1 == size) return false;
        dots++;
    }
    return dots > 0;
}

// Reads the app's id from the text of a .flatpak-info.
static bool read_id(const char *text, size_t size, char name[APP_NAME_BYTES]) {
    GKeyFile *file = g_key_file_new();
    bool is_read = false;
    if (g_key_file_load_from_data(file, text, size, G_KEY_FILE_NONE, NULL)) {
        // If a runtime is started without an app, for example for a shell in it, the file has the group "Runtime".
        const char *group = g_key_file_has_group(file, "Application") ? "Application" : "Runtime";
        char *id = g_key_file_get_string(file, group, "name", NULL);
        is_read = id && is_app_id(id);
        if (is_read) g_strlcpy(name, id, APP_NAME_BYTES);
        g_free(id);
    }
    g_key_file_free(file);
    return is_read;
}

static enum app_kind read_info(int info, char name[APP_NAME_BYTES]) {
    char text[INFO_BYTES + 1];
    size_t size = 0;
    struct stat status;
    if (fstat(info, &status) != 0 || !S_ISREG(status.st_mode)) return APP_UNKNOWN;
    for (ssize_t more = 1; more > 0 && size < sizeof text; size += (size_t)more) {
        more = read(info, text + size, sizeof text - size);
        if (more < 0) return APP_UNKNOWN;
    }
    return size <= INFO_BYTES && read_id(text, size, name) ? APP_SANDBOXED : APP_UNKNOWN;
}

// The name of a program that is in no sandbox. It may change it as it likes, so this is its own word, too.
static enum app_kind read_program(pid_t pid, char name[APP_NAME_BYTES]) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    int comm = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t size = comm >= 0 ? read(comm, name, APP_NAME_BYTES - 1) : -1;
    if (comm >= 0) close(comm);
    if (size <= 0) return APP_UNKNOWN;
    name[size] = 0;
    name[strcspn(name, "\n")] = 0;
    for (char *byte = name; *byte; byte++)
        if (!g_ascii_isprint(*byte)) *byte = '?';
    return name[0] ? APP_HOST : APP_UNKNOWN;
}

static enum app_kind read_process(pid_t pid, char name[APP_NAME_BYTES]) {
    char path[64];
    struct statfs system;
    snprintf(path, sizeof path, "/proc/%d/root", (int)pid);
    int root = open(path, O_RDONLY | O_NONBLOCK | O_DIRECTORY | O_CLOEXEC | O_NOCTTY);
    // The root of some containers is a FUSE file system, which refuses access to everybody else. Flatpak's sandboxes have no such root.
    if (root < 0 && errno == EACCES && statfs(path, &system) == 0 && system.f_type == FUSE_SUPER_MAGIC) return read_program(pid, name);
    if (root < 0) return APP_UNKNOWN;
    int info = openat(root, ".flatpak-info", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW), error = errno;
    close(root);
    if (info < 0) return error == ENOENT ? read_program(pid, name) : APP_UNKNOWN;
    enum app_kind kind = read_info(info, name);
    close(info);
    return kind;
}

enum app_kind app_identify(pid_t pid, int pidfd, char name[APP_NAME_BYTES]) {
    if (pid <= 0) return APP_UNKNOWN;
    struct pollfd process = {.fd = pidfd >= 0 ? pidfd : (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    if (process.fd < 0) return APP_UNKNOWN;
    enum app_kind kind = read_process(pid, name);
    // A pidfd becomes readable when its process ends.
    if (poll(&process, 1, 0) != 0) kind = APP_UNKNOWN;
    if (pidfd < 0) close(process.fd);
    return kind;
}
