#include "actor.h"

#include <stdio.h>
#include <stdlib.h>

#include "promises.h"

uid_t uid_of(const struct actor *actor, int peer) {
    if (peer == ADMINISTRATOR) return user_of_administrator();
    return user(peer == OTHER ? actor->number + 100 : actor->user);
}

struct actor *begin_actor(size_t size, const struct subject *subject, unsigned number) {
    struct actor *actor = calloc(1, size);
    if (!actor) fail("no memory");
    actor->subject = subject;
    actor->number = number;
    actor->user = number;
    for (int i = 0; i < PEERS; i++) actor->peers[i].socket = -1;
    return actor;
}

void connect_actor(struct actor *actor) {
    for (int i = 0; i < PEERS; i++) {
        if (!connect_peer(&actor->peers[i], uid_of(actor, i)))
            broken("%s %u is refused", actor->subject->name, actor->number);
    }
    actor->is_busy = false;
}

static void take(void *context, const struct answer *answer) {
    struct actor *actor = context;
    // The store can be written, and the daemon is not being stopped but killed, so this code is wrong.
    if (answer->code == CODE_UNAVAILABLE) broken("%s %u is told: %s", actor->subject->name, actor->number, answer->text);
    actor->is_busy = false;
    run.confirmed++;
    actor->answered(actor, answer);
}

void command(
    struct actor *actor, int peer, const ProtobufCServiceDescriptor *service, const char *method,
    const ProtobufCMessage *message, void (*answered)(struct actor *actor, const struct answer *answer)
) {
    actor->is_busy = true;
    actor->answered = answered;
    call(&actor->peers[peer], service, method, message, take, actor);
}

void must_work(struct actor *actor, const char *what, const struct answer *answer) {
    if (answer->code != CODE_OK)
        broken("%s %u: %s fails: %d, %s", actor->subject->name, actor->number, what, answer->code, answer->text);
}

void compare(struct actor *actor, const char *what, int64_t is, int64_t must_be) {
    run.records_compared++;
    if (is == must_be) return;
    broken(
        "%s %u: %s is %lld; by what was confirmed, or found done, it is %lld", actor->subject->name, actor->number, what,
        (long long)is, (long long)must_be);
}
