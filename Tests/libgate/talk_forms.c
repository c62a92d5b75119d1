// The part of talk for forms and the news of apps. The word "-" stands for NULL.
#include "talk.h"

#include <stdio.h>
#include <string.h>

static void formed(gate *gate, const gate_form *form, const gate_error *error, void *what) {
    (void)gate;
    if (error) {
        print_error(what, error);
        return;
    }
    printf("%s form=%llu name=%s draft=%llu revision=%llu label=%s cleared=%zu", (const char *)what, (unsigned long long)form->form,
        form->name, (unsigned long long)form->draft_id, (unsigned long long)form->revision, form->label, form->cleared_count);
    for (size_t i = 0; form->cleared[i]; i++) printf(" cleared=%s", form->cleared[i]);
    for (size_t i = 0; form->pending[i]; i++) printf(" pending=%s/%s", form->pending[i]->path, form->pending[i]->answers);
    if (strlen(form->response) != form->response_size) printf(" NOT ONE STRING");
    printf(" %s\n", form->response);
}

static void read_json(gate *gate, const char *json, size_t size, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s size=%zu %s\n", (const char *)what, size, json);
}

static void kept(gate *gate, uint64_t response_id, const gate_error *error, void *what) {
    (void)gate;
    if (error) {
        print_error(what, error);
        for (size_t i = 0; error->issues[i]; i++) printf("issue %s kind=%d %s\n", error->issues[i]->place, error->issues[i]->kind, error->issues[i]->message);
    } else {
        printf("%s response=%llu\n", (const char *)what, (unsigned long long)response_id);
    }
}

static void judged(gate *gate, bool is_valid, const char *outcome, size_t size, const gate_error *error, void *what) {
    (void)gate, (void)size;
    if (error) print_error(what, error);
    else printf("%s valid=%d %s\n", (const char *)what, is_valid, outcome);
}

static void listed(gate *gate, const gate_listed_form *const *forms, const gate_error *error, void *what) {
    (void)gate;
    size_t count = 0;
    if (error) {
        print_error(what, error);
        return;
    }
    for (; forms[count]; count++)
        printf("listed %s items=%u grown-ups=%d \"%s\"\n", forms[count]->name, forms[count]->item_count, forms[count]->is_for_grown_ups, forms[count]->title);
    printf("%s count=%zu\n", (const char *)what, count);
}

static void drafted(gate *gate, const gate_draft *const *drafts, const gate_error *error, void *what) {
    (void)gate;
    size_t count = 0;
    if (error) {
        print_error(what, error);
        return;
    }
    for (; drafts[count]; count++)
        printf("draft %s/%llu account=%s uid=%u label=%s\n", drafts[count]->name, (unsigned long long)drafts[count]->draft_id,
            drafts[count]->account, (unsigned)drafts[count]->uid, drafts[count]->label);
    printf("%s count=%zu\n", (const char *)what, count);
}

static void responded(gate *gate, const gate_response *const *responses, const gate_error *error, void *what) {
    (void)gate;
    size_t count = 0;
    if (error) {
        print_error(what, error);
        return;
    }
    for (; responses[count]; count++)
        printf("response %llu %s status=%d uid=%u label=%s\n", (unsigned long long)responses[count]->id, responses[count]->name,
            responses[count]->status, (unsigned)responses[count]->uid, responses[count]->label);
    printf("%s count=%zu\n", (const char *)what, count);
}

static void done(gate *gate, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s done\n", (const char *)what);
}

static void told(gate *gate, int outcome, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s outcome=%d\n", (const char *)what, outcome);
}

static const char *text(const char *word) {
    return word && strcmp(word, "-") != 0 ? word : NULL;
}

int act_on_forms(gate *handle, char **word, char *what, uint64_t *number) {
    uint64_t id = number_of(word[1]);
#define IS(name) (strcmp(word[0], name) == 0)
    if (IS("forms")) return gate_list_forms(handle, listed, what, number);
    if (IS("questionnaire")) return gate_read_questionnaire(handle, text(word[1]), read_json, what, number);
    if (IS("open")) return gate_open_form(handle, text(word[1]), text(word[2]), formed, what, number);
    if (IS("open-draft")) return gate_open_draft(handle, text(word[1]), number_of(word[2]), formed, what, number);
    if (IS("begin")) return gate_begin_draft(handle, text(word[1]), text(word[2]), text(word[3]), number_of(word[4]), formed, what, number);
    if (IS("open-shown")) return gate_open_shown_form(handle, id, number_of(word[2]), formed, what, number);
    if (IS("begin-shown")) return gate_begin_shown_form(handle, id, number_of(word[2]), formed, what, number);
    if (IS("close-form")) return gate_close_form(handle, id);
    if (IS("read")) return gate_read_form(handle, id, formed, what, number);
    if (IS("form-questionnaire")) return gate_read_form_questionnaire(handle, id, read_json, what, number);
    if (IS("set")) return gate_set_answers(handle, id, text(word[2]), text(word[3]), formed, what, number);
    if (IS("suggest"))
        return gate_suggest_answers(handle, id, text(word[2]), text(word[3]), (int64_t)number_of(word[4]), formed, what, number);
    if (IS("remove")) return gate_remove_group(handle, id, text(word[2]), formed, what, number);
    if (IS("fill")) return gate_fill_form(handle, id, text(word[2]), formed, what, number);
    if (IS("load")) return gate_load_response(handle, id, number_of(word[2]), formed, what, number);
    if (IS("reset")) return gate_reset_form(handle, id, formed, what, number);
    if (IS("label")) return gate_label_draft(handle, id, text(word[2]), formed, what, number);
    if (IS("validate")) return gate_validate_form(handle, id, judged, what, number);
    if (IS("save")) return gate_save_form(handle, id, kept, what, number);
    if (IS("complete")) return gate_complete_form(handle, id, kept, what, number);
    if (IS("discard")) return gate_discard_form(handle, id, done, what, number);
    if (IS("request-form")) return gate_request_form(handle, text(word[1]), text(word[2]), kept, what, number);
    if (IS("drafts")) return gate_list_drafts(handle, text(word[1]), drafted, what, number);
    if (IS("responses")) return gate_list_responses(handle, text(word[1]), responded, what, number);
    if (IS("response")) return gate_read_response(handle, id, read_json, what, number);
    if (IS("withdraw")) return gate_withdraw_response(handle, id, done, what, number);
    if (IS("add-news")) return gate_add_news(handle, text(word[1]), text(word[2]), text(word[3]), text(word[4]), text(word[5]));
    if (IS("add-feature")) return gate_add_news_feature(handle, text(word[1]), text(word[2]), text(word[3]));
    if (IS("show-news")) return gate_show_news(handle, text(word[1]), text(word[2]), (unsigned)number_of(word[3]), told, what, number);
    if (IS("acknowledge-news")) return gate_acknowledge_news(handle, text(word[1]), text(word[2]), done, what, number);
    if (IS("reset-news")) return gate_reset_news(handle, text(word[1]), done, what, number);
    return 1;
}
