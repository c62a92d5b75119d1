// Parses a client's packet, which may be hostile, and an app's start file, which root has written. These functions do no input or output,
// and keep no state.
#include <string.h>

#include "launcher.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Whether it is a name that may stand in a path and in the name of a gated action: lower-case words of letters, digits and hyphens, with dots
// between them.
static bool is_name(const char *name) {
    size_t length = strlen(name);
    if (length == 0 || length > NAME_BYTES || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-") != length) return false;
    for (size_t i = 0; i < length; i++) {
        bool begins = i == 0 || name[i - 1] == '.', ends = i + 1 == length || name[i + 1] == '.';
        if (name[i] == '.' ? begins || i + 1 == length : name[i] == '-' && (begins || ends)) return false;
    }
    return true;
}

static int digit(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static bool read_proof(const char *text, struct request *request) {
    size_t length = strlen(text);
    if (length == 0 || length % 2 || length / 2 > PROOF_BYTES) return false;
    for (size_t i = 0; i < length; i += 2) {
        int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0) return false;
        request->proof[request->proof_size++] = (unsigned char)(high << 4 | low);
    }
    return true;
}

// The variables that a client may set, with the letters that their values may have beside letters and digits. Names of languages and time
// zones must not be paths, since the C library would read what lies there.
static const struct shape { const char *name, *others; size_t maximum; bool is_path; } shapes[] = {
    {"DISPLAY", ".:_-", 64, false}, {"WAYLAND_DISPLAY", "._/-", 107, false}, {"XAUTHORITY", "._/+@,~-", 1024, true},
    {"XDG_SESSION_TYPE", "", 32, false}, {"XDG_CURRENT_DESKTOP", ".:_-", 128, false},
    {"TERM", ".+_-", 32, false}, {"LANG", "._@-", 64, false}, {"LANGUAGE", "._@:-", 128, false}, {"TZ", "_+/-", 64, false},
    {"LC_ADDRESS", "._@-", 64, false}, {"LC_ALL", "._@-", 64, false}, {"LC_COLLATE", "._@-", 64, false}, {"LC_CTYPE", "._@-", 64, false},
    {"LC_IDENTIFICATION", "._@-", 64, false}, {"LC_MEASUREMENT", "._@-", 64, false}, {"LC_MESSAGES", "._@-", 64, false},
    {"LC_MONETARY", "._@-", 64, false}, {"LC_NAME", "._@-", 64, false}, {"LC_NUMERIC", "._@-", 64, false}, {"LC_PAPER", "._@-", 64, false},
    {"LC_TELEPHONE", "._@-", 64, false}, {"LC_TIME", "._@-", 64, false},
};

static bool fits(const struct shape *shape, const char *value) {
    size_t length = strlen(value), fitting = 0;
    while (fitting < length && (strchr(LETTERS, value[fitting]) || strchr(shape->others, value[fitting]))) fitting++;
    if (length == 0 || length > shape->maximum || fitting < length || strstr(value, "..")) return false;
    return shape->is_path ? value[0] == '/' : strcmp(shape->name, "TZ") != 0 || value[0] != '/';
}

// An unknown or repeated variable makes the packet wrong. One with an odd value is left out, since programs do without.
static bool read_variable(const char *text, struct request *request) {
    const char *value = strchr(text, '=');
    size_t length = value ? (size_t)(value - text) : 0;
    for (size_t i = 0; value && i < sizeof shapes / sizeof shapes[0]; i++) {
        if (strlen(shapes[i].name) != length || strncmp(shapes[i].name, text, length) != 0) continue;
        for (size_t k = 0; k < request->variable_count; k++)
            if (strncmp(request->variables[k], text, length + 1) == 0) return false;
        if (!fits(&shapes[i], value + 1)) return true;
        if (request->variable_count == MAXIMUM_VARIABLES) return false;
        request->variables[request->variable_count++] = text;
        return true;
    }
    return false;
}

bool request_read(const char *bytes, size_t size, struct request *request) {
    *request = (struct request){0};
    if (size == 0 || size > PACKET_BYTES || bytes[size - 1] != 0) return false;
    size_t count = 0;
    for (const char *word = bytes; word < bytes + size; word += strlen(word) + 1, count++) {
        if (count == 0 && strcmp(word, "1") != 0) return false;
        if (count == 1 && !is_name(request->name = word)) return false;
        if (count == 2 && !read_proof(word, request)) return false;
        if (count > 2 && !read_variable(word, request)) return false;
    }
    return count > 2;
}

// MARK: start files

// Reads the number of an app's group, which is never 0, root's.
static bool read_group(const char *text, gid_t *group) {
    uint64_t number = 0;
    size_t length = strlen(text);
    if (length == 0 || length > 10 || strspn(text, "0123456789") != length) return false;
    for (; *text; text++) number = number * 10 + (uint64_t)(*text - '0');
    *group = (gid_t)number;
    return number > 0 && number < UINT32_MAX;
}

static bool read_line(const char *word, const char *value, const char *name, struct start *start, bool *has_action) {
    if (strcmp(word, "action") == 0) {
        if (*has_action) return false;
        *has_action = true;
        return strncmp(value, "app.", 4) == 0 && strcmp(value + 4, name) == 0;
    }
    if (strcmp(word, "group") == 0) return start->group == 0 && read_group(value, &start->group);
    if (strcmp(word, "also") == 0) return start->also_count < MAXIMUM_GROUPS && read_group(value, &start->also[start->also_count++]);
    if (strcmp(word, "directory") == 0) {
        if (start->directory) return false;
        start->directory = value;
        return value[0] == '/';
    }
    if (strcmp(word, "terminal") == 0) {
        if (start->is_for_terminals) return false;
        return start->is_for_terminals = strcmp(value, "yes") == 0;
    }
    if (strcmp(word, "argument") != 0 || start->argument_count == MAXIMUM_ARGUMENTS) return false;
    if (start->argument_count == 0 && value[0] != '/') return false;
    start->arguments[start->argument_count++] = value;
    return true;
}

bool start_read(char *text, size_t size, const char *name, struct start *start) {
    *start = (struct start){0};
    bool has_action = false;
    if (size == 0 || size > FILE_BYTES || text[size - 1] != '\n') return false;
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\n') || text[i] == 0x7f) return false;
    text[size] = 0;
    for (char *line = text, *next; line < text + size; line = next) {
        char *end = strchr(line, '\n');
        *end = 0;
        next = end + 1;
        if (end - line > LINE_BYTES) return false;
        // A file that was cut off has no such line.
        if (strcmp(line, "end") == 0) return next == text + size && has_action && start->group > 0 && start->argument_count > 0;
        if (line == text) {
            if (strcmp(line, "gate-app 1") != 0) return false;
            continue;
        }
        char *value = strchr(line, ' ');
        if (!value) return false;
        *value++ = 0;
        if (!read_line(line, value, name, start, &has_action)) return false;
    }
    return false;
}
