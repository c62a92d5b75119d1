// An administrator who makes accounts, gives them entitlements, and takes both away again. After a command with a
// password there is a checkpoint, so that no trace of the old password is left in the log.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actor.h"
#include "chance.h"
#include "database.h"
#include "journal.h"
#include "promises.h"

enum { ACCOUNTS = 5, CLAIMS = 10 };
static const char item[] = "premium";

struct account {
    // Empty: there is no account.
    char name[32], password[32];
    bool is_child;
};

struct claim {
    // Empty: there is no claim.
    char name[24];
    // The account; empty: the claim is the device's.
    char holder[32];
    // No other claim has the same end.
    int64_t expires_at;
};

enum doing { REGISTERING, CHANGING, REMOVING, CLAIMING, REVOKING };

struct household {
    struct actor actor;
    struct account accounts[ACCOUNTS];
    struct claim claims[CLAIMS];
    unsigned made;
    enum doing doing;
    // The index of the account or the claim.
    unsigned place;
    // The account as it should be afterwards.
    struct account account;
    struct claim claim;
};

static uid_t uid_of_administrator(const struct household *household) {
    return uid_of(&household->actor, ADMINISTRATOR);
}

// MARK: what was confirmed, or found done

static void done(struct household *household, const char *claim_name) {
    struct account *account = &household->accounts[household->place % ACCOUNTS];
    struct claim *claim = &household->claims[household->place % CLAIMS];
    uid_t uid = uid_of_administrator(household);
    switch (household->doing) {
        case REGISTERING:
            *account = household->account;
            expect_entry(ENTRY(REGISTERED), uid, "%s", account->name);
            return;
        case CHANGING:
            *account = household->account;
            expect_entry(ENTRY(PASSWORD_CHANGED), uid, "%s", account->name);
            return;
        case REMOVING:
            expect_entry(ENTRY(ACCOUNT_REMOVED), uid, "%s", account->name);
            // An account's claims are removed with it, in the same revision.
            for (int i = 0; i < CLAIMS; i++) {
                if (strcmp(household->claims[i].holder, account->name) == 0) household->claims[i] = (struct claim){0};
            }
            *account = (struct account){0};
            return;
        case CLAIMING:
            *claim = household->claim;
            snprintf(claim->name, sizeof claim->name, "%s", claim_name);
            expect_entry(
                ENTRY(ENTITLEMENT_CLAIMED), uid, "manual %s, %s", item,
                *claim->holder ? claim->holder : "device");
            return;
        case REVOKING:
            expect_entry(
                ENTRY(CLAIM_REVOKED), uid, "manual %s, %s", item,
                *claim->holder ? claim->holder : "device");
            *claim = (struct claim){0};
            return;
    }
}

static void answered(struct actor *actor, const struct answer *answer) {
    static const char *const names[] = {"RegisterAccount", "ChangePassword", "RemoveAccount", "AddClaim", "RevokeClaim"};
    struct household *household = (struct household *)actor;
    must_work(actor, names[household->doing], answer);
    bool is_claim = household->doing == CLAIMING;
    done(household, is_claim ? ((const Gate__V1__AddClaimResponse *)answer->message)->name : NULL);
}

// MARK: commands

static void change_account(struct household *household, struct account *account) {
    ProtobufCBinaryData password = {strlen(household->account.password), (uint8_t *)household->account.password};
    if (household->doing == CHANGING) {
        Gate__V1__ChangePasswordRequest request = GATE__V1__CHANGE_PASSWORD_REQUEST__INIT;
        request.name = account->name;
        request.new_password = password;
        return command(
            &household->actor, ADMINISTRATOR, &gate__v1__sign_in__descriptor, "ChangePassword", &request.base, answered);
    }
    Gate__V1__GrownUp grown_up = GATE__V1__GROWN_UP__INIT;
    Gate__V1__Child child = GATE__V1__CHILD__INIT;
    Gate__V1__Account made = GATE__V1__ACCOUNT__INIT;
    Gate__V1__RegisterAccountRequest request = GATE__V1__REGISTER_ACCOUNT_REQUEST__INIT;
    made.name = household->account.name;
    made.kind_case = household->account.is_child ? GATE__V1__ACCOUNT__KIND_CHILD : GATE__V1__ACCOUNT__KIND_GROWN_UP;
    if (household->account.is_child) made.child = &child;
    else made.grown_up = &grown_up;
    child.born = "2016-05-14";
    request.account = &made;
    request.password = password;
    command(&household->actor, ADMINISTRATOR, &gate__v1__sign_in__descriptor, "RegisterAccount", &request.base, answered);
}

static void act_on_account(struct household *household) {
    struct account *account = &household->accounts[household->place = below(ACCOUNTS)];
    if (*account->name && once_in(2)) {
        Gate__V1__RemoveAccountRequest request = GATE__V1__REMOVE_ACCOUNT_REQUEST__INIT;
        request.name = account->name;
        household->doing = REMOVING;
        return command(
            &household->actor, ADMINISTRATOR, &gate__v1__sign_in__descriptor, "RemoveAccount", &request.base, answered);
    }
    household->doing = *account->name ? CHANGING : REGISTERING;
    household->account = *account;
    unsigned made = ++household->made;
    if (household->doing == REGISTERING) {
        household->account.is_child = once_in(2);
        snprintf(household->account.name, sizeof account->name, "home-%u-%u", household->actor.number, made);
    }
    snprintf(household->account.password, sizeof account->password, "password %u %u", household->actor.number, made);
    change_account(household, account);
}

static void act_on_claim(struct household *household) {
    struct claim *claim = &household->claims[household->place = below(CLAIMS)];
    if (*claim->name) {
        Gate__V1__RevokeClaimRequest request = GATE__V1__REVOKE_CLAIM_REQUEST__INIT;
        request.provider = GATE__V1__PROVIDER__PROVIDER_MANUAL;
        request.name = claim->name;
        household->doing = REVOKING;
        return command(
            &household->actor, ADMINISTRATOR, &gate__v1__entitlements__descriptor, "RevokeClaim", &request.base, answered);
    }
    const struct account *account = &household->accounts[below(ACCOUNTS)];
    Gate__V1__Device device = GATE__V1__DEVICE__INIT;
    Gate__V1__Holder holder = GATE__V1__HOLDER__INIT;
    Gate__V1__AddClaimRequest request = GATE__V1__ADD_CLAIM_REQUEST__INIT;
    household->doing = CLAIMING;
    household->claim = (struct claim){0};
    household->claim.expires_at = 4000000000000 + 100 * (int64_t)++household->made + household->actor.number;
    memcpy(household->claim.holder, account->name, sizeof account->name);
    holder.whose_case = *account->name ? GATE__V1__HOLDER__WHOSE_ACCOUNT : GATE__V1__HOLDER__WHOSE_DEVICE;
    if (*account->name) holder.account = (char *)account->name;
    else holder.device = &device;
    request.entitlement = (char *)item;
    request.holder = &holder;
    request.expiry_case = GATE__V1__ADD_CLAIM_REQUEST__EXPIRY_EXPIRES_AT_UNIX_MILLISECONDS;
    request.expires_at_unix_milliseconds = household->claim.expires_at;
    command(&household->actor, ADMINISTRATOR, &gate__v1__entitlements__descriptor, "AddClaim", &request.base, answered);
}

static void act(struct actor *actor) {
    // A password takes a hundred times as long as anything else.
    if (once_in(12)) act_on_account((struct household *)actor);
    else act_on_claim((struct household *)actor);
}

// MARK: after a restart

static const Gate__V1__ListClaimsResponse *list_claims(struct actor *actor) {
    Gate__V1__ListClaimsRequest request = GATE__V1__LIST_CLAIMS_REQUEST__INIT;
    return ask(&actor->peers[ADMINISTRATOR], &gate__v1__entitlements__descriptor, "ListClaims", &request.base);
}

static bool is_of(const struct household *household, const Gate__V1__Claim *claim) {
    return claim->expiry_case == GATE__V1__CLAIM__EXPIRY_EXPIRES_AT_UNIX_MILLISECONDS
        && claim->expires_at_unix_milliseconds % 100 == household->actor.number;
}

static bool was_done(struct household *household, char *claim_name, size_t size) {
    uid_t uid = uid_of_administrator(household);
    const struct account *account = &household->accounts[household->place % ACCOUNTS];
    switch (household->doing) {
        case REGISTERING:
            return is_entry_found(ENTRY(REGISTERED), uid, "%s", household->account.name);
        case CHANGING: return is_entry_found(ENTRY(PASSWORD_CHANGED), uid, "%s", account->name);
        case REMOVING: return is_entry_found(ENTRY(ACCOUNT_REMOVED), uid, "%s", account->name);
        case CLAIMING:
        case REVOKING: {
            // Many claims look the same in the journal. The record decides, and the journal has to agree.
            int64_t end = household->doing == CLAIMING ? household->claim.expires_at
                                                       : household->claims[household->place % CLAIMS].expires_at;
            const Gate__V1__ListClaimsResponse *response = list_claims(&household->actor);
            for (size_t i = 0; i < response->n_claims; i++) {
                if (response->claims[i]->expires_at_unix_milliseconds != end) continue;
                snprintf(claim_name, size, "%s", response->claims[i]->name);
                return household->doing == CLAIMING;
            }
            return household->doing == REVOKING;
        }
    }
    return false;
}

static void compare_claims(struct household *household) {
    struct actor *actor = &household->actor;
    const Gate__V1__ListClaimsResponse *response = list_claims(actor);
    int found = 0, must_be = 0;
    for (int i = 0; i < CLAIMS; i++) must_be += *household->claims[i].name != 0;
    for (size_t i = 0; i < response->n_claims; i++) {
        const Gate__V1__Claim *there = response->claims[i];
        if (!is_of(household, there)) continue;
        found++;
        const struct claim *claim = NULL;
        for (int j = 0; j < CLAIMS; j++) {
            if (strcmp(household->claims[j].name, there->name) == 0) claim = &household->claims[j];
        }
        if (!claim) broken("claim %s is there, which was revoked, or never made", there->name);
        bool is_account = there->holder->whose_case == GATE__V1__HOLDER__WHOSE_ACCOUNT;
        compare(actor, "the end of a claim", there->expires_at_unix_milliseconds, claim->expires_at);
        compare(actor, "the holder of a claim", strcmp(is_account ? there->holder->account : "", claim->holder), 0);
    }
    compare(actor, "the number of claims", found, must_be);
}

static void check(struct actor *actor) {
    struct household *household = (struct household *)actor;
    char claim_name[sizeof household->claim.name] = "";
    if (actor->is_busy && was_done(household, claim_name, sizeof claim_name)) {
        run.found_done++;
        done(household, claim_name);
    }
    char prefix[32];
    snprintf(prefix, sizeof prefix, "home-%u-", actor->number);
    Gate__V1__ListAccountsRequest request = GATE__V1__LIST_ACCOUNTS_REQUEST__INIT;
    const Gate__V1__ListAccountsResponse *response =
        ask(&actor->peers[ADMINISTRATOR], &gate__v1__sign_in__descriptor, "ListAccounts", &request.base);
    int found = 0, must_be = 0;
    for (int i = 0; i < ACCOUNTS; i++) must_be += *household->accounts[i].name != 0;
    for (size_t i = 0; i < response->n_accounts; i++) {
        const Gate__V1__Account *there = response->accounts[i];
        if (strncmp(there->name, prefix, strlen(prefix)) != 0) continue;
        found++;
        const struct account *account = NULL;
        for (int j = 0; j < ACCOUNTS; j++) {
            if (strcmp(household->accounts[j].name, there->name) == 0) account = &household->accounts[j];
        }
        if (!account) broken("account %s is there, which was removed, or never made", there->name);
        compare(actor, "whose an account is", there->kind_case == GATE__V1__ACCOUNT__KIND_CHILD, account->is_child);
    }
    compare(actor, "the number of accounts", found, must_be);
    compare_claims(household);
}

// Checks that nobody is signed in, and the password of the account that was changed last.
static void attempt(struct actor *actor) {
    struct household *household = (struct household *)actor;
    Gate__V1__GetSignInRequest get = GATE__V1__GET_SIGN_IN_REQUEST__INIT;
    const Gate__V1__GetSignInResponse *now =
        ask(&actor->peers[OWN], &gate__v1__sign_in__descriptor, "GetSignIn", &get.base);
    if (now->state->session)
        broken("somebody is signed in after a restart");
    run.refusals++;
    const struct account *account = &household->accounts[household->place % ACCOUNTS];
    if (!*account->name || !once_in(3)) return;
    Gate__V1__LogInRequest log_in = GATE__V1__LOG_IN_REQUEST__INIT;
    log_in.name = (char *)account->name;
    log_in.password = (ProtobufCBinaryData){strlen(account->password), (uint8_t *)account->password};
    ask(&actor->peers[OWN], &gate__v1__sign_in__descriptor, "LogIn", &log_in.base);
    Gate__V1__LogOutRequest log_out = GATE__V1__LOG_OUT_REQUEST__INIT;
    ask(&actor->peers[OWN], &gate__v1__sign_in__descriptor, "LogOut", &log_out.base);
    run.records_compared++;
    expect_entry(ENTRY(SIGNED_IN), uid_of(actor, OWN), "%s", account->name);
    expect_entry(ENTRY(SIGNED_OUT), uid_of(actor, OWN), "%s", account->name);
}

static void expect_rows(struct actor *actor) {
    struct household *household = (struct household *)actor;
    for (int i = 0; i < ACCOUNTS; i++) {
        const struct account *account = &household->accounts[i];
        if (*account->name) expect_row("account %s %s", account->name, account->is_child ? "child" : "grown-up");
    }
    for (int i = 0; i < CLAIMS; i++) {
        const struct claim *claim = &household->claims[i];
        if (*claim->name)
            expect_row(
                "claim manual %s of %s until %lld", claim->name, *claim->holder ? claim->holder : "device",
                (long long)claim->expires_at);
    }
}

static const struct subject subject = {"household", act, check, attempt, expect_rows};

struct actor *new_household(unsigned number) {
    return begin_actor(sizeof(struct household), &subject, number);
}
