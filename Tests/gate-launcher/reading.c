// Tests what gate-launcher makes of a client's packet and of a start file, by tables, and by packets and files that chance has changed. It also
// looks at the command line for systemd.
// usage: reading SECONDS SEED
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "launcher.h"

#define EXPECT(that) ((that) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #that), exit(1)))
#define PROOF "00ff10aabbccddeeff00112233445566778899aabbccddee"
#define PACKET(text) {text "", sizeof(text)} // with the NUL at its end
#define TOO_LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct { const char *bytes; size_t size; } good[] = {
    PACKET("1\0supertux2\0" PROOF),
    PACKET("1\0org.gnome.chess\0" PROOF "\0DISPLAY=:0.0\0LANG=de_DE.UTF-8\0LC_TIME=C\0TZ=Europe/Berlin"),
    PACKET("1\0a\0ff\0XAUTHORITY=/run/user/1000/gdm/Xauthority\0WAYLAND_DISPLAY=wayland-0\0XDG_SESSION_TYPE=wayland\0"
        "XDG_CURRENT_DESKTOP=ubuntu:GNOME\0TERM=xterm-256color"),
}, bad[] = {
    {"", 0}, PACKET(""), PACKET("1"), PACKET("1\0supertux2"), PACKET("2\0supertux2\0" PROOF), PACKET("\0supertux2\0" PROOF),
    {"1\0supertux2\0" PROOF, 60}, // no NUL at its end
    PACKET("1\0\0" PROOF), PACKET("1\0../etc\0" PROOF), PACKET("1\0.\0" PROOF), PACKET("1\0..\0" PROOF), PACKET("1\0a/b\0" PROOF),
    PACKET("1\0Supertux\0" PROOF), PACKET("1\0-a\0" PROOF), PACKET("1\0a-\0" PROOF), PACKET("1\0a-.b\0" PROOF), PACKET("1\0a.-b\0" PROOF),
    PACKET("1\0a..b\0" PROOF), PACKET("1\0.a\0" PROOF), PACKET("1\0a.\0" PROOF), PACKET("1\0a b\0" PROOF), PACKET("1\0\xc3\xa4\0" PROOF),
    PACKET("1\0" TOO_LONG "\0" PROOF), PACKET("1\0a\nb\0" PROOF),
    PACKET("1\0a\0"), PACKET("1\0a\0f"), PACKET("1\0a\0fff"), PACKET("1\0a\0FF"), PACKET("1\0a\0-1"), PACKET("1\0a\0fg"),
    PACKET("1\0a\0" PROOF PROOF PROOF PROOF),
    PACKET("1\0a\0ff\0"), PACKET("1\0a\0ff\0DISPLAY"), PACKET("1\0a\0ff\0=:0"), PACKET("1\0a\0ff\0display=:0"), PACKET("1\0a\0ff\0LD_PRELOAD=/tmp/x.so"),
    PACKET("1\0a\0ff\0LC_=C"), PACKET("1\0a\0ff\0LC_PATH=C"), PACKET("1\0a\0ff\0LANGUAGES=de"), PACKET("1\0a\0ff\0PATH=/tmp"), PACKET("1\0a\0ff\0HOME=/root"),
    PACKET("1\0a\0ff\0LANG=C\0LANG=de_DE"), PACKET("1\0a\0ff\0PYTHONPATH=/tmp"), PACKET("1\0a\0ff\0DISPLAY=:0\0"), PACKET("1\0a\0ff\0 DISPLAY=:0"),
};

// Variables whose values are left out.
static const char *const odd[] = {
    "DISPLAY=", "DISPLAY=:0\n", "DISPLAY=$(id)", "DISPLAY=/tmp/x", "LANG=/home/mia/locale", "LANG=../x", "LANG=de_DE.UTF-8 x", "LC_ALL=a/b", "LANGUAGE=/tmp",
    "TZ=/home/mia/zone", "TZ=:/tmp/zone", "TZ=../zone", "TZ=a/../b", "XAUTHORITY=.Xauthority", "XAUTHORITY=/tmp/../root/.Xauthority", "XAUTHORITY=/tmp/a b",
    "WAYLAND_DISPLAY=a\x7f", "XDG_SESSION_TYPE=x11;id", "XDG_CURRENT_DESKTOP=\xc3\xa4", "TERM=../x", "TERM=a/b", "DISPLAY=%h",
    "LANG=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
};

static void packets(void) {
    struct request request;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) EXPECT(request_read(good[i].bytes, good[i].size, &request));
    EXPECT(strcmp(request.name, "a") == 0 && request.proof_size == 1 && request.proof[0] == 255 && request.variable_count == 5);
    EXPECT(request_read(good[0].bytes, good[0].size, &request) && request.proof_size == 24 && request.proof[1] == 255 && request.proof[2] == 16);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (!request_read(bad[i].bytes, bad[i].size, &request)) continue;
        fprintf(stderr, "packet %zu should be refused\n", i);
        exit(1);
    }
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        char packet[256];
        int size = snprintf(packet, sizeof packet, "1%ca%cff%c%s%cTZ=UTC", 0, 0, 0, odd[i], 0);
        bool is_zone = strncmp(odd[i], "TZ=", 3) == 0;
        if (is_zone) packet[size - 6] = 'T', size -= 7; // without the second TZ
        EXPECT(request_read(packet, (size_t)size + 1, &request) && request.variable_count == !is_zone);
    }
    // The largest packet, and one that is larger.
    static char large[PACKET_BYTES + 1];
    memcpy(large, good[0].bytes, good[0].size);
    EXPECT(!request_read(large, PACKET_BYTES, &request) && !request_read(large, PACKET_BYTES + 1, &request));
}

#define HEAD "gate-app 1\naction app.a\n"
#define GROUP HEAD "group 990\n"
#define REST "argument /a\nend\n"
static const char *const good_files[] = {
    GROUP "argument /usr/games/a\nend\n",
    GROUP "also 60\nalso 44\ndirectory /usr/share/games/a\nterminal yes\nargument /usr/games/a\nargument --full screen\nargument \n"
        "argument $HOME %u\nend\n",
    "gate-app 1\nargument /usr/games/a\ngroup 4294967294\naction app.a\nend\n",
}, *const bad_files[] = {
    // The form of the file: its first line, its last line, and what is missing.
    "", "\n", "end\n", "gate-app 1\nend\n", "gate-app 2\naction app.a\ngroup 990\n" REST, "action app.a\ngate-app 1\ngroup 990\n" REST,
    GROUP "argument /a\n", GROUP "argument /a\nend", GROUP REST "end\n", GROUP REST "\n", GROUP "argument /a\n end\n", GROUP "argument /a\nend \n",
    HEAD REST, GROUP "end\n", "gate-app 1\ngroup 990\n" REST,
    // Lines that are there twice, unknown lines, and odd letters.
    GROUP "action app.a\n" REST, GROUP "group 991\n" REST, GROUP "directory /a\ndirectory /b\n" REST, GROUP "terminal yes\nterminal yes\n" REST,
    GROUP "uid 0\n" REST, GROUP "\n" REST, GROUP "argument /a\tb\nend\n", GROUP "argument /a\x7f\nend\n", GROUP "argument /a\r\nend\n",
    // Other actions, groups, folders and programs than may stand there.
    "gate-app 1\naction app.b\ngroup 990\n" REST, "gate-app 1\naction gate.change\ngroup 990\n" REST, "gate-app 1\naction app.\ngroup 990\n" REST,
    HEAD "group 0\n" REST, HEAD "group -1\n" REST, HEAD "group 4294967295\n" REST, HEAD "group 4294967296\n" REST, HEAD "group 99999999999\n" REST,
    HEAD "group games\n" REST, HEAD "group \n" REST, HEAD "group\n" REST, HEAD "group  990\n" REST, GROUP "also 0\n" REST,
    GROUP "directory games\n" REST, GROUP "terminal no\n" REST, GROUP "argument a\nend\n", GROUP "argument \nend\n", GROUP "argument --x\nend\n",
};

static bool read_file(const char *text, struct start *start) {
    static char room[FILE_BYTES + 1];
    memcpy(room, text, strlen(text));
    return start_read(room, strlen(text), "a", start);
}

static void files(void) {
    struct start start;
    for (size_t i = 0; i < sizeof good_files / sizeof good_files[0]; i++) EXPECT(read_file(good_files[i], &start));
    EXPECT(start.group == 4294967294 && !start.directory && !start.is_for_terminals && start.also_count == 0);
    EXPECT(read_file(good_files[1], &start) && start.group == 990 && start.also_count == 2 && start.also[1] == 44 && start.is_for_terminals);
    EXPECT(strcmp(start.directory, "/usr/share/games/a") == 0 && start.argument_count == 4);
    EXPECT(strcmp(start.arguments[1], "--full screen") == 0 && !start.arguments[2][0]);
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++) {
        if (!read_file(bad_files[i], &start)) continue;
        fprintf(stderr, "file %zu should be refused:\n%s", i, bad_files[i]);
        exit(1);
    }
    // A NUL, one argument too many, one group too many, and a line that is too long.
    char text[FILE_BYTES + 1] = GROUP "argument /a\0\nend\n";
    EXPECT(!start_read(text, sizeof(GROUP "argument /a\0\nend\n") - 1, "a", &start));
    for (int count = MAXIMUM_ARGUMENTS; count <= MAXIMUM_ARGUMENTS + 1; count++) {
        strcpy(text, GROUP);
        for (int i = 0; i < count; i++) strcat(text, "argument /a\n");
        EXPECT(read_file(strcat(text, "end\n"), &start) == (count == MAXIMUM_ARGUMENTS));
    }
    strcpy(text, GROUP "argument /a\n");
    for (int i = 0; i <= MAXIMUM_GROUPS; i++) strcat(text, "also 1\n");
    EXPECT(!read_file(strcat(text, "end\n"), &start));
    for (size_t length = LINE_BYTES; length <= LINE_BYTES + 1; length++) {
        size_t head = sizeof(GROUP) - 1;
        strcpy(text, GROUP "argument /");
        memset(text + head + 10, 'a', length - 10);
        strcpy(text + head + length, "\nend\n");
        EXPECT(read_file(text, &start) == (length == LINE_BYTES));
    }
}

// MARK: the command line

static bool has(const struct words *words, const char *word) {
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->word[i], word) == 0) return true;
    return false;
}

static void forget(struct words *words) {
    for (size_t i = 0; i < words->count; i++) free(words->word[i]);
}

static void commands(void) {
    struct words words;
    struct request request;
    struct start start;
    struct passwd user = {.pw_name = "mia", .pw_uid = 1001, .pw_gid = 1002, .pw_dir = "/home/mia", .pw_shell = ""};
    EXPECT(request_read(good[1].bytes, good[1].size, &request) && read_file(good_files[1], &start));
    unit_start_command(&words, "/usr/bin/systemd-run", "gate-app-1001-0", &user, &request, &start);
    EXPECT(!words.has_failed && !words.word[words.count] && has(&words, "--uid=1001") && has(&words, "--gid=990"));
    EXPECT(has(&words, "--pipe") && has(&words, "--unit=gate-app-1001-0"));
    EXPECT(has(&words, "--property=SupplementaryGroups=1002") && has(&words, "--property=SupplementaryGroups=60") && has(&words, "--setenv=SHELL=/bin/sh"));
    EXPECT(has(&words, "--property=WorkingDirectory=-/usr/share/games/a") && has(&words, "--setenv=DISPLAY=:0.0"));
    EXPECT(has(&words, "--setenv=PYTHONNOUSERSITE=1"));
    // What is executable is said of the mounts that there are, so there must be no others later.
    EXPECT(has(&words, "--property=NoExecPaths=/") && has(&words, "--property=MountFlags=private"));
    // Everything that follows "--" is the app's, and no variable is put into it.
    EXPECT(strcmp(words.word[words.count - 5], "--") == 0 && strcmp(words.word[words.count - 4], "/usr/games/a") == 0);
    EXPECT(strcmp(words.word[words.count - 1], "$$HOME %u") == 0 && strcmp(words.word[words.count - 2], "") == 0);
    forget(&words);
    EXPECT(read_file(good_files[0], &start));
    unit_start_command(&words, "/usr/bin/systemd-run", "gate-app-1001-0", &user, &request, &start);
    EXPECT(!has(&words, "--pipe") && has(&words, "--property=WorkingDirectory=-/home/mia"));
    forget(&words);
    unit_command(&words, "/usr/bin/systemctl", "stop", "gate-app-1001-0.service");
    EXPECT(words.count == 4 && has(&words, "gate-app-1001-0.service"));
    forget(&words);
}

// MARK: chance

static unsigned long long chance_state;
static unsigned chance(unsigned below) {
    chance_state = chance_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(chance_state >> 33) % below;
}

static size_t changed(char *bytes, size_t size, size_t room) {
    for (unsigned left = chance(6); left > 0; left--) {
        size_t at = size ? chance((unsigned)size) : 0;
        static const char interesting[] = {0, '\n', ' ', '=', '.', '-', '/', '0', 'f', '$', 0x7f, (char)0xff};
        switch (chance(4)) {
        case 0: if (size) bytes[at] = (char)chance(256); break;
        case 1: if (size) bytes[at] = interesting[chance(sizeof interesting)]; break;
        case 2: size = at; break;
        default: { // a part, once more
            size_t part = size - at < room - size ? size - at : room - size;
            memmove(bytes + size, bytes + at, part);
            size += part;
        }
        }
    }
    return size;
}

// What is accepted has the promised form, and each byte lies where it may: the copies are exactly as large as what was read.
static void by_chance(double seconds) {
    time_t end = time(NULL) + (time_t)seconds;
    unsigned long long count = 0, accepted = 0;
    static char room[FILE_BYTES];
    while (time(NULL) < end) {
        for (int i = 0; i < 1000; i++, count++) {
            struct request request;
            struct start start;
            unsigned from = chance(sizeof good / sizeof good[0]);
            memcpy(room, good[from].bytes, good[from].size);
            size_t size = changed(room, good[from].size, sizeof room);
            char *copy = malloc(size + 1);
            memcpy(copy, room, size);
            char *exact = realloc(copy, size ? size : 1);
            if (request_read(exact, size, &request)) {
                accepted++;
                EXPECT(strspn(request.name, "abcdefghijklmnopqrstuvwxyz0123456789.-") == strlen(request.name));
                EXPECT(request.name[0] && request.name[0] != '.' && !strstr(request.name, ".."));
                EXPECT(request.proof_size > 0 && request.proof_size <= PROOF_BYTES && request.variable_count <= MAXIMUM_VARIABLES);
                for (size_t k = 0; k < request.variable_count; k++)
                    for (const char *letter = request.variables[k]; *letter; letter++)
                        EXPECT(*letter > ' ' && *letter < 0x7f && *letter != '$' && *letter != '%');
            }
            free(exact);
            const char *file = good_files[chance(sizeof good_files / sizeof good_files[0])];
            memcpy(room, file, strlen(file));
            size = changed(room, strlen(file), sizeof room);
            copy = malloc(size + 1);
            memcpy(copy, room, size);
            if (start_read(copy, size, "a", &start)) {
                accepted++;
                EXPECT(start.group > 0 && start.argument_count > 0 && start.argument_count <= MAXIMUM_ARGUMENTS && start.arguments[0][0] == '/');
                EXPECT(start.also_count <= MAXIMUM_GROUPS && (!start.directory || start.directory[0] == '/'));
            }
            free(copy);
        }
    }
    printf("ok: %llu packets and files by chance, of which %llu could be read (seed %s)\n", 2 * count, accepted, getenv("SEED_TOLD"));
}

int main(int count, char **words) {
    if (count != 3) return 64;
    chance_state = strtoull(words[2], NULL, 10);
    setenv("SEED_TOLD", words[2], 1);
    packets();
    files();
    commands();
    puts("ok: packets, start files and command lines");
    by_chance(atof(words[1]));
    return 0;
}
