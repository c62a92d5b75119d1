#include "question.h"

#include <stdio.h>
#include <string.h>

#include "journal.h"
#include "promises.h"

void take_question(struct question *question, const Gate__V1__Presentation *presentation, const char *gate, uid_t uid) {
    *question = (struct question){.is_open = true, .cookie_size = presentation->cookie.len};
    if (question->cookie_size > sizeof question->cookie) fail("a cookie of %zu bytes", question->cookie_size);
    memcpy(question->cookie, presentation->cookie.data, question->cookie_size);
    question->is_secret = presentation->content_case == GATE__V1__PRESENTATION__CONTENT_PASSCODE
        || presentation->content_case == GATE__V1__PRESENTATION__CONTENT_TOTP;
    if (!question->is_secret) {
        if (presentation->content_case != GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_ENTRY)
            broken("a question of kind %d, which no policy asks for", (int)presentation->content_case);
        const Gate__V1__ArithmeticEntry *sum = presentation->arithmetic_entry;
        int left = (int)sum->left, right = (int)sum->right;
        switch (sum->operation) {
            case GATE__V1__OPERATOR__OPERATOR_PLUS: question->right = left + right; break;
            case GATE__V1__OPERATOR__OPERATOR_MINUS: question->right = left - right; break;
            case GATE__V1__OPERATOR__OPERATOR_TIMES: question->right = left * right; break;
            case GATE__V1__OPERATOR__OPERATOR_DIVIDED_BY: question->right = left / right; break;
            default: broken("a sum with the operator %d", (int)sum->operation);
        }
    }
    snprintf(
        question->name, sizeof question->name, "challenge %lu%s%s", (unsigned long)presentation->summary->id,
        *gate ? ", " : "", gate);
    expect_entry(ENTRY(CHALLENGE_OPENED), uid, "%s", question->name);
}

static Gate__V1__CompleteRequest completion(
    const struct question *question, bool is_right, const char *text, char *buffer, size_t size
) {
    Gate__V1__CompleteRequest request = GATE__V1__COMPLETE_REQUEST__INIT;
    request.cookie = (ProtobufCBinaryData){question->cookie_size, (uint8_t *)question->cookie};
    snprintf(buffer, size, "%d", is_right ? question->right : question->right + 1);
    if (text) snprintf(buffer, size, "%s", text);
    if (question->is_secret) {
        request.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_SECRET;
        request.secret = (ProtobufCBinaryData){strlen(buffer), (uint8_t *)buffer};
    } else {
        request.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT;
        request.text = buffer;
    }
    return request;
}

void answer_question(
    struct actor *actor, struct question *question, bool is_right, const char *text,
    void (*answered)(struct actor *, const struct answer *)
) {
    char buffer[160];
    Gate__V1__CompleteRequest request = completion(question, is_right, text, buffer, sizeof buffer);
    command(actor, OWN, &gate__v1__presentations__descriptor, "Complete", &request.base, answered);
}

void dismiss_question(
    struct actor *actor, struct question *question, void (*answered)(struct actor *, const struct answer *)
) {
    Gate__V1__DismissRequest request = GATE__V1__DISMISS_REQUEST__INIT;
    request.cookie = (ProtobufCBinaryData){question->cookie_size, question->cookie};
    command(actor, OWN, &gate__v1__presentations__descriptor, "Dismiss", &request.base, answered);
}

void try_old_question(struct actor *actor, struct question *question) {
    if (!question->is_open) return;
    question->is_open = false;
    char buffer[160];
    Gate__V1__CompleteRequest request = completion(question, true, NULL, buffer, sizeof buffer);
    const struct answer *answer =
        call_now(&actor->peers[OWN], &gate__v1__presentations__descriptor, "Complete", &request.base);
    if (answer->code == CODE_OK) broken("a question of before the restart took its answer: %s", question->name);
    run.refusals++;
}
