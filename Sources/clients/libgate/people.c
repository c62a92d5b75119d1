// The list of people, and what stands before gated actions. requests.c makes the changes that may need a grant.
#include <errno.h>
#include <string.h>

#include "internal.h"

// MARK: grants for changes

const char *change_details(const gate_error *refusal) {
    const gate_error *why = error_or_none(refusal);
    const char *what = gate_error_get_parameter(why, "what");
    return what && strcmp(what, "change-grant") == 0 ? gate_error_get_parameter(why, "details") : NULL;
}

bool change_put_proof(const struct change *change, Gate__V1__Grant *grant) {
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(change->message->descriptor, "grant_proof");
    if (!field || field->type != PROTOBUF_C_TYPE_BYTES) return false;
    // The field is still empty: a change is made with a grant at most once.
    *(ProtobufCBinaryData *)((char *)change->message + field->offset) = grant->proof;
    grant->proof = (ProtobufCBinaryData){0};
    return true;
}

// MARK: people

static void put_kind(gate_person *to, const Gate__V1__Person *from) {
    switch (from->kind_case) {
    case GATE__V1__PERSON__KIND_GROWN_UP: to->kind = GATE_PERSON_GROWN_UP; break;
    case GATE__V1__PERSON__KIND_CHILD:
        to->kind = GATE_PERSON_CHILD;
        to->born = known(from->child->born);
        break;
    case GATE__V1__PERSON__KIND_SHARED: to->kind = GATE_PERSON_SHARED; break;
    default: to->kind = GATE_PERSON_UNSPECIFIED; break;
    }
}

static void run_people(gate *gate, struct delivery *delivery) {
    gate_people_handler handler = (gate_people_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__ListPeopleResponse *from = (const Gate__V1__ListPeopleResponse *)delivery->message;
    struct arena arena = {0};
    void *const *to = arena_list(&arena, from ? from->n_people : 0, sizeof(gate_person));
    for (size_t i = 0; to[i]; i++) {
        const Gate__V1__Person *one = from->people[i];
        const Gate__V1__UnixUser *user = one->user;
        gate_person *person = to[i];
        *person = (gate_person){known(one->name), 0, "", user ? known(user->name) : "", user ? (uid_t)user->uid : (uid_t)-1, one->has_password,
            one->is_unconfirmed, one->is_user_unknown};
        put_kind(person, one);
    }
    gate_error *made;
    const gate_error *error = error_unless(from && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : (const gate_person *const *)to, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_list_people(gate *gate, gate_people_handler handler, void *userdata, uint64_t *number) {
    return listing_start(gate, NULL, &gate__v1__list_people_response__descriptor, run_people, (any_handler)handler, userdata, number);
}

int gate_set_person(gate *gate, const char *name, int kind, const char *born, const char *user, unsigned flags, gate_done_handler handler,
    void *userdata, uint64_t *number) {
    if (!name || (born && kind != GATE_PERSON_CHILD)) return -EINVAL;
    Gate__V1__SetPersonRequest message = GATE__V1__SET_PERSON_REQUEST__INIT;
    Gate__V1__Person person = GATE__V1__PERSON__INIT;
    Gate__V1__GrownUp grown_up = GATE__V1__GROWN_UP__INIT;
    Gate__V1__Child child = GATE__V1__CHILD__INIT;
    Gate__V1__SharedUser shared = GATE__V1__SHARED_USER__INIT;
    Gate__V1__UnixUser unix_user = GATE__V1__UNIX_USER__INIT;
    person.name = (char *)name;
    switch (kind) {
    case GATE_PERSON_GROWN_UP:
        person.kind_case = GATE__V1__PERSON__KIND_GROWN_UP;
        person.grown_up = &grown_up;
        break;
    case GATE_PERSON_CHILD:
        person.kind_case = GATE__V1__PERSON__KIND_CHILD;
        person.child = &child;
        child.born = (char *)known(born);
        break;
    case GATE_PERSON_SHARED:
        person.kind_case = GATE__V1__PERSON__KIND_SHARED;
        person.shared = &shared;
        break;
    default: return -EINVAL;
    }
    if (user) {
        unix_user.name = (char *)user;
        person.user = &unix_user;
    }
    message.person = &person;
    struct change change = {"gate.v1.People", "SetPerson", &gate__v1__set_person_response__descriptor, &message.base};
    return request_change(gate, &change, flags, run_done, (any_handler)handler, userdata, number);
}

int gate_remove_person(gate *gate, const char *name, unsigned flags, gate_done_handler handler, void *userdata, uint64_t *number) {
    if (!name) return -EINVAL;
    Gate__V1__RemovePersonRequest message = GATE__V1__REMOVE_PERSON_REQUEST__INIT;
    message.name = (char *)name;
    struct change change = {"gate.v1.People", "RemovePerson", &gate__v1__remove_person_response__descriptor, &message.base};
    return request_change(gate, &change, flags, run_done, (any_handler)handler, userdata, number);
}

// MARK: passwords

// A person with a password, as the service SignIn describes them.
struct account { Gate__V1__Account message; Gate__V1__GrownUp grown_up; Gate__V1__Child child; };

// Returns 0 or -EINVAL.
static int put_account(struct account *to, const char *name, int kind, const char *born) {
    if (!name || (born != NULL) != (kind == GATE_PERSON_CHILD)) return -EINVAL;
    gate__v1__account__init(&to->message);
    gate__v1__grown_up__init(&to->grown_up);
    gate__v1__child__init(&to->child);
    to->message.name = (char *)name;
    to->child.born = (char *)known(born);
    switch (kind) {
    case GATE_PERSON_GROWN_UP:
        to->message.kind_case = GATE__V1__ACCOUNT__KIND_GROWN_UP;
        to->message.grown_up = &to->grown_up;
        return 0;
    case GATE_PERSON_CHILD:
        to->message.kind_case = GATE__V1__ACCOUNT__KIND_CHILD;
        to->message.child = &to->child;
        return 0;
    default: return -EINVAL;
    }
}

int gate_register_person(gate *gate, const char *name, int kind, const char *born, const void *password, size_t size,
    gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__RegisterAccountRequest message = GATE__V1__REGISTER_ACCOUNT_REQUEST__INIT;
    struct account account;
    int problem = password ? put_account(&account, name, kind, born) : -EINVAL;
    if (problem < 0) return problem;
    message.account = &account.message;
    message.password = (ProtobufCBinaryData){size, (uint8_t *)password};
    return call_ask(gate, "gate.v1.SignIn", "RegisterAccount", &message.base, &gate__v1__register_account_response__descriptor, run_done,
        (any_handler)handler, userdata, number);
}

int gate_change_password(gate *gate, const char *name, const void *old, size_t old_size, const void *password, size_t size,
    gate_done_handler handler, void *userdata, uint64_t *number) {
    if (!name || !password) return -EINVAL;
    Gate__V1__ChangePasswordRequest message = GATE__V1__CHANGE_PASSWORD_REQUEST__INIT;
    message.name = (char *)name;
    if (old) {
        message.proof_case = GATE__V1__CHANGE_PASSWORD_REQUEST__PROOF_OLD_PASSWORD;
        message.old_password = (ProtobufCBinaryData){old_size, (uint8_t *)old};
    }
    message.new_password = (ProtobufCBinaryData){size, (uint8_t *)password};
    return call_ask(gate, "gate.v1.SignIn", "ChangePassword", &message.base, &gate__v1__change_password_response__descriptor, run_done,
        (any_handler)handler, userdata, number);
}

int gate_confirm_person(gate *gate, const char *name, int kind, const char *born, const void *password, size_t size,
    gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__ConfirmAccountRequest message = GATE__V1__CONFIRM_ACCOUNT_REQUEST__INIT;
    struct account account;
    int problem = password ? put_account(&account, name, kind, born) : -EINVAL;
    if (problem < 0) return problem;
    message.account = &account.message;
    message.new_password = (ProtobufCBinaryData){size, (uint8_t *)password};
    return call_ask(gate, "gate.v1.SignIn", "ConfirmAccount", &message.base, &gate__v1__confirm_account_response__descriptor, run_done,
        (any_handler)handler, userdata, number);
}

// MARK: gates

// `odds`: NULL if the daemon has not sent them.
static gate_rule rule_made(struct arena *arena, const Gate__V1__GatedAction *action, const Gate__V1__GateStrength *odds) {
    return (gate_rule){known(action->name), known(action->title), texts_of(arena, action->n_titles, action->titles),
        known(action->requirement), action->keep_milliseconds, action->origin ? known(action->origin->file) : "", odds != NULL,
        odds ? odds->guessed_per_million : 0, odds && odds->program_passes, odds && odds->is_without_question};
}

static const gate_rule *rule_of(struct arena *arena, const Gate__V1__GateRule *from) {
    static const Gate__V1__GatedAction nothing = GATE__V1__GATED_ACTION__INIT;
    gate_rule *rule = from ? arena_take(arena, sizeof *rule) : NULL;
    if (!rule) return NULL;
    *rule = rule_made(arena, from->gated_action ? from->gated_action : &nothing, from->strength);
    return rule;
}

static void run_gates(gate *gate, struct delivery *delivery) {
    gate_gates_handler handler = (gate_gates_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__ListGatedActionsResponse *from = (const Gate__V1__ListGatedActionsResponse *)delivery->message;
    struct arena arena = {0};
    void *const *to = arena_list(&arena, from ? from->n_gated_actions : 0, sizeof(gate_rule));
    for (size_t i = 0; to[i]; i++) *(gate_rule *)to[i] = rule_made(&arena, from->gated_actions[i], NULL);
    gate_error *made;
    const gate_error *error = error_unless(from && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : (const gate_rule *const *)to, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_list_gates(gate *gate, gate_gates_handler handler, void *userdata, uint64_t *number) {
    return listing_start(gate, NULL, &gate__v1__list_gated_actions_response__descriptor, run_gates, (any_handler)handler, userdata, number);
}

static void run_rules(gate *gate, struct delivery *delivery) {
    gate_rules_handler handler = (gate_rules_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__SetGateResponse *from = (const Gate__V1__SetGateResponse *)delivery->message;
    struct arena arena = {0};
    const gate_rule *before = rule_of(&arena, from ? from->before : NULL), *after = rule_of(&arena, from ? from->after : NULL);
    gate_error *made;
    const gate_error *error = error_unless(from && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : before, error ? NULL : after, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

static int set_gate(gate *gate, Gate__V1__SetGateRequest *message, const char *gated_action, bool only_checks, unsigned flags,
    gate_rules_handler handler, void *userdata, uint64_t *number) {
    message->gated_action = (char *)gated_action;
    message->check_only = only_checks;
    struct change change = {"gate.v1.Control", "SetGate", &gate__v1__set_gate_response__descriptor, &message->base};
    return request_change(gate, &change, flags, run_rules, (any_handler)handler, userdata, number);
}

int gate_set_gate(gate *gate, const char *gated_action, const char *requirement, int64_t keep_ms, const char *title, bool only_checks,
    unsigned flags, gate_rules_handler handler, void *userdata, uint64_t *number) {
    // An empty requirement would take the choice back.
    if (!gated_action || !requirement || !*requirement) return -EINVAL;
    Gate__V1__SetGateRequest message = GATE__V1__SET_GATE_REQUEST__INIT;
    message.requirement = (char *)requirement;
    message.keep_milliseconds = keep_ms;
    message.title = (char *)known(title);
    return set_gate(gate, &message, gated_action, only_checks, flags, handler, userdata, number);
}

int gate_unset_gate(gate *gate, const char *gated_action, bool only_checks, unsigned flags, gate_rules_handler handler, void *userdata,
    uint64_t *number) {
    if (!gated_action) return -EINVAL;
    Gate__V1__SetGateRequest message = GATE__V1__SET_GATE_REQUEST__INIT;
    return set_gate(gate, &message, gated_action, only_checks, flags, handler, userdata, number);
}
