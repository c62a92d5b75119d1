// The part of talk for the list of people, for what stands before gated actions, and for the age range. The word "-" stands for NULL.
#include "talk.h"

#include <stdio.h>
#include <string.h>

static void done(gate *gate, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s done\n", (const char *)what);
}

static void listed(gate *gate, const gate_person *const *people, const gate_error *error, void *what) {
    (void)gate;
    size_t count = 0;
    if (error) {
        print_error(what, error);
        return;
    }
    for (; people[count]; count++) {
        const gate_person *one = people[count];
        printf("person %s kind=%d born=%s user=%s uid=%lld password=%d unconfirmed=%d unknown=%d\n", one->name, one->kind, one->born, one->user,
            one->uid == (uid_t)-1 ? -1LL : (long long)one->uid, one->has_password, one->is_unconfirmed, one->is_user_unknown);
    }
    printf("%s count=%zu\n", (const char *)what, count);
}

static void print_rule(const char *when, const gate_rule *rule) {
    if (!rule) {
        printf("%s nothing\n", when);
        return;
    }
    printf("%s action=%s title=%s titles=%d keep=%lld odds=%d guessed=%u program=%d unquestioned=%d origin=%s \"%s\"\n", when, rule->gated_action,
        rule->title, rule->titles[0] != NULL, (long long)rule->keep_ms, rule->has_odds, rule->guessed_per_million, rule->program_passes,
        rule->is_without_question, rule->origin, rule->requirement);
}

static void ruled(gate *gate, const gate_rule *before, const gate_rule *after, const gate_error *error, void *what) {
    (void)gate;
    if (error) {
        print_error(what, error);
        for (size_t i = 0; error->issues[i]; i++) printf("issue %s %s\n", error->issues[i]->place, error->issues[i]->message);
        return;
    }
    print_rule("before", before);
    print_rule("after", after);
    printf("%s done\n", (const char *)what);
}

static void gates_listed(gate *gate, const gate_rule *const *rules, const gate_error *error, void *what) {
    (void)gate;
    size_t count = 0;
    if (error) {
        print_error(what, error);
        return;
    }
    for (; rules[count]; count++) print_rule("rule", rules[count]);
    printf("%s count=%zu\n", (const char *)what, count);
}

static void aged(gate *gate, const gate_age_range *range, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s told=%d low=%u high=%u source=%d\n", (const char *)what, range->is_told, range->low, range->high, range->source);
}

static const char *text(const char *word) {
    return word && strcmp(word, "-") != 0 ? word : NULL;
}

static size_t length(const char *word) {
    return text(word) ? strlen(word) : 0;
}

int act_on_people(gate *handle, char **word, char *what, uint64_t *number) {
    int kind = (int)number_of(word[2]);
    const char *born = text(word[3]);
#define IS(name) (strcmp(word[0], name) == 0)
    if (IS("people")) return gate_list_people(handle, listed, what, number);
    if (IS("set-person"))
        return gate_set_person(handle, text(word[1]), kind, born, text(word[4]), (unsigned)number_of(word[5]), done, what, number);
    if (IS("remove-person")) return gate_remove_person(handle, text(word[1]), (unsigned)number_of(word[2]), done, what, number);
    if (IS("register")) return gate_register_person(handle, text(word[1]), kind, born, text(word[4]), length(word[4]), done, what, number);
    if (IS("password"))
        return gate_change_password(handle, text(word[1]), text(word[2]), length(word[2]), text(word[3]), length(word[3]), done, what, number);
    if (IS("confirm")) return gate_confirm_person(handle, text(word[1]), kind, born, text(word[4]), length(word[4]), done, what, number);
    if (IS("gates")) return gate_list_gates(handle, gates_listed, what, number);
    if (IS("set-gate"))
        return gate_set_gate(handle, text(word[1]), text(word[2]), (int64_t)number_of(word[3]), text(word[4]), number_of(word[5]) != 0,
            (unsigned)number_of(word[6]), ruled, what, number);
    if (IS("unset-gate"))
        return gate_unset_gate(handle, text(word[1]), number_of(word[2]) != 0, (unsigned)number_of(word[3]), ruled, what, number);
    if (IS("age")) return gate_query_age_range(handle, aged, what, number);
    if (IS("age-sync")) {
        const gate_age_range *range;
        int result = gate_query_age_range_sync(handle, &range);
        printf("age-sync %d\n", result);
        aged(handle, range, NULL, what);
        return result;
    }
    return 1;
}
