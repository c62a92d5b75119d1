#include "watch.h"

#include <stdlib.h>

#include "journal.h"
#include "promises.h"

enum { SECONDS = 60 };

// What a watcher was told, until the journal is read up to there.
struct told {
    uint64_t number;
    Gate__V1__ModeState__Mode mode;
};

static struct watcher {
    struct peer peer;
    uint64_t epoch, number;
    Gate__V1__ModeState__Mode mode;
    bool is_new;
} watchers[WATCHERS];

static struct told *tellings;
static size_t telling_count, telling_room;

static void remember(const struct watcher *watcher) {
    if (telling_count == telling_room) {
        telling_room = telling_room ? telling_room * 2 : 1 << 12;
        tellings = realloc(tellings, telling_room * sizeof *tellings);
        if (!tellings) fail("no memory");
    }
    tellings[telling_count++] = (struct told){watcher->number, watcher->mode};
}

static void heard(void *context, const struct answer *answer) {
    struct watcher *watcher = context;
    if (answer->code != CODE_OK) broken("a watch ends: %d, %s", answer->code, answer->text);
    const Gate__V1__WatchResponse *change = (const Gate__V1__WatchResponse *)answer->message;
    run.messages++;
    if (watcher->epoch == 0) watcher->epoch = change->revision->epoch;
    if (change->revision->epoch != watcher->epoch) broken("a watcher is told of another epoch");
    uint64_t last = watcher->number;
    if (change->revision->number <= last)
        broken("a watcher is told of revision %lu after %lu", (unsigned long)change->revision->number, (unsigned long)last);
    if (!change->is_snapshot && (change->first_number != last + 1 || change->revision->number < change->first_number))
        broken(
            "a watcher is told of the revisions %lu to %lu after %lu", (unsigned long)change->first_number,
            (unsigned long)change->revision->number, (unsigned long)last);
    bool has_mode = change->mode != NULL;
    if (change->is_snapshot && !has_mode) broken("a snapshot without the mode");
    watcher->number = change->revision->number;
    if (has_mode) watcher->mode = change->mode->mode;
    if (watcher->is_new && watcher->mode != GATE__V1__MODE_STATE__MODE__MODE_CHILD)
        broken("a watcher sees no child mode after a start");
    watcher->is_new = false;
    remember(watcher);
}

struct peer *watcher_peer(int index) {
    return &watchers[index].peer;
}

void connect_watchers(void) {
    static const Gate__V1__Topic all[] = {
        GATE__V1__TOPIC__TOPIC_MODE, GATE__V1__TOPIC__TOPIC_PRESENTATIONS, GATE__V1__TOPIC__TOPIC_SIGN_IN,
        GATE__V1__TOPIC__TOPIC_ENTITLEMENTS, GATE__V1__TOPIC__TOPIC_FORMS, GATE__V1__TOPIC__TOPIC_ASKS};
    for (int i = 0; i < WATCHERS; i++) {
        struct watcher *watcher = &watchers[i];
        // Half of the watchers are administrators, who see everything. The others see the mode.
        if (!connect_peer(&watcher->peer, i % 2 ? user_of_administrator() : user(90))) broken("a watcher is refused");
        Gate__V1__Revision after = GATE__V1__REVISION__INIT;
        Gate__V1__WatchRequest request = GATE__V1__WATCH_REQUEST__INIT;
        request.topics = (Gate__V1__Topic *)all;
        request.n_topics = i % 2 ? sizeof all / sizeof *all : 1;
        if (watcher->number > 0) {
            after.epoch = watcher->epoch;
            after.number = watcher->number;
            request.after = &after;
        }
        watcher->is_new = true;
        open_stream(&watcher->peer, &gate__v1__watch__descriptor, "Watch", &request.base, heard, watcher);
    }
}

void compare_watchers(uint64_t newest) {
    for (int i = 0; i < WATCHERS; i++) {
        struct watcher *watcher = &watchers[i];
        while (watcher->number < newest) {
            if (!await_peer(&watcher->peer, SECONDS)) broken("a watcher does not hear of a start within %d s", SECONDS);
            if (!read_peer(&watcher->peer)) broken("the daemon hung up on a watcher");
        }
    }
    for (size_t i = 0; i < telling_count; i++) {
        run.records_compared++;
        if (tellings[i].mode != mode_at(tellings[i].number))
            broken(
                "a watcher was told mode %d at revision %lu; the journal says %d", (int)tellings[i].mode,
                (unsigned long)tellings[i].number, (int)mode_at(tellings[i].number));
    }
    telling_count = 0;
}
