// One person with a range of 65,536 uids, as newuidmap assigns it: each of them connects, guesses, opens a form, and
// leaves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hostile.h"

// How many rows of lockouts and how many drafts gated keeps for one owner.
enum { LOCKOUTS_OF_OWNER = 64, DRAFTS_OF_OWNER = 16 };

// Asks for the passcode and types something. Returns whether it was checked.
static bool guess_once(struct peer *peer, unsigned number) {
    struct bytes message = authorize_message(PASSCODE_ACTION, true), guess = {0};
    struct answer answer;
    struct field presentation, cookie;
    if (!call(peer, "Authorization/Authorize", &message, &answer)) broken("gated hung up");
    free(message.data);
    if (answer.code == RESOURCE_EXHAUSTED) return false;
    if (answer.code != OK || !find_field(message_of(&answer), 3, &presentation) || !find_field(presentation.fields, 2, &cookie))
        broken("Authorization/Authorize: code %d: %s", answer.code, answer.message);
    char passcode[16];
    snprintf(passcode, sizeof passcode, "%04u", number % 10000);
    put_data(&guess, 1, cookie.fields.next, (size_t)cookie.value);
    put_data(&guess, 3, passcode, strlen(passcode));
    if (!call(peer, "Presentations/Complete", &guess, &answer)) broken("gated hung up");
    free(guess.data);
    if (answer.code == OK) broken("a guess opened %s", PASSCODE_ACTION);
    return answer.code == FAILED_PRECONDITION;
}

static void be_many(struct scene *scene) {
    // After the whole range, the users come again, and those with a draft get the same one.
    static bool has_draft[SUBORDINATE_UIDS_COUNT];
    struct peer *administrator = open_peer(scene);
    struct bytes passcode = {0}, target = {0}, form = {0};
    put_data(&passcode, 1, "48215937", 8);
    expect(administrator, OK, "Secrets/SetPasscode", &passcode);
    put_text(&target, 1, LARGE_FORM);
    put_data(&form, 1, target.data, target.size);
    scene->shared->is_set_up = true;
    unsigned long users = 0, checked = 0, drafts = 0;
    double started = now();
    for (; !scene->shared->is_over; users++) {
        unsigned long place = users % SUBORDINATE_UIDS_COUNT;
        struct peer *peer = open_as(scene, (uid_t)(SUBORDINATE_UIDS + place));
        if (!peer) broken("gated hung up on a user");
        checked += guess_once(peer, (unsigned)users);
        struct answer answer;
        if (!call(peer, "Questionnaires/OpenForm", &form, &answer)) broken("gated hung up");
        if (answer.code != OK && answer.code != RESOURCE_EXHAUSTED) broken("Questionnaires/OpenForm: code %d: %s", answer.code, answer.message);
        drafts += answer.code == OK && !has_draft[place];
        has_draft[place] |= answer.code == OK;
        close_peer(peer);
    }
    // The third wrong answer locks for a second, and so does each later one.
    double seconds = now() - started;
    if ((double)checked > 3 + seconds) broken("%lu guesses were checked in %.1f s", checked, seconds);
    if (drafts > DRAFTS_OF_OWNER) broken("%lu drafts were opened", drafts);
    struct answer answer = expect(administrator, OK, "Authorization/ListLockouts", NULL);
    struct fields list = message_of(&answer);
    struct field row;
    int rows = 0;
    while (next_field(&list, &row)) rows += row.number == 1;
    if (rows > LOCKOUTS_OF_OWNER) broken("%d rows of lockouts", rows);
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu users, %lu guesses checked, %lu drafts, %d rows of lockouts", users,
        checked, drafts, rows);
}

const struct attack user_attacks[] = {
    {"many-users", "has a range of 65,536 uids, and guesses a passcode and opens a form as one after the other",
        "bills them all to the range's user: three guesses, then one with each lockout's end; 16 drafts", .run = be_many, .processes = 1,
        .allowed_kib = 64 << 10},
    {0},
};
