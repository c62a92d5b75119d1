// Fills in a form with the answers on the command line, one after the other, and completes it: libgate's calls for
// forms.
// usage: form NAME [LINKID=TEXT]...     form trip name=Pippi
#include <gate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The answers that are left, and how the program ends.
struct task { char **answers; int status; bool has_ended; };

static void end(struct task *task, int status) {
    task->status = status;
    task->has_ended = true;
}

// The answer as FHIR writes it, `[{"valueString": "…"}]`. The caller frees it.
static char *answer_of(const char *text) {
    char *json = malloc(6 * strlen(text) + 32), *at = json;
    if (!json) return NULL;
    at += sprintf(at, "[{\"valueString\": \"");
    for (; *text; text++) {
        if ((unsigned char)*text < ' ') at += sprintf(at, "\\u%04x", (unsigned)*text);
        else at += sprintf(at, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    strcpy(at, "\"}]");
    return json;
}

static void kept(gate *gate, uint64_t response_id, const gate_error *error, void *userdata) {
    (void)gate;
    if (error) {
        fprintf(stderr, "form: %s\n", error->message);
        for (size_t i = 0; error->issues[i]; i++) fprintf(stderr, "  %s: %s\n", error->issues[i]->place, error->issues[i]->message);
    } else {
        printf("kept as response %llu\n", (unsigned long long)response_id);
    }
    end(userdata, error ? 1 : 0);
}

// Gets the form as it is now, and gives the next answer. After the last one, completes the form.
static void told(gate *gate, const gate_form *form, const gate_error *error, void *userdata) {
    struct task *task = userdata;
    int problem;
    if (error) {
        fprintf(stderr, "form: %s\n", error->message);
        end(task, 1);
        return;
    }
    for (size_t i = 0; form->cleared[i]; i++) printf("%s has no answer any more\n", form->cleared[i]);
    if (*task->answers) {
        char *path = *task->answers++, *text = strchr(path, '=');
        *text++ = 0;
        char *answer = answer_of(text);
        problem = gate_set_answers(gate, form->form, path, answer, told, task, NULL);
        free(answer);
    } else {
        problem = gate_complete_form(gate, form->form, kept, task, NULL);
    }
    if (problem == 0) return;
    fprintf(stderr, "form: %s\n", strerror(-problem));
    end(task, 1);
}

int main(int count, char **words) {
    gate *gate;
    for (int i = 2; i < count; i++) {
        if (!strchr(words[i], '=')) count = 0;
    }
    if (count < 2) {
        fprintf(stderr, "usage: form NAME [LINKID=TEXT]...\n");
        return 64;
    }
    struct task task = {.answers = words + 2};
    int problem = gate_new(&gate);
    if (problem == 0 && getenv("SERVER_UID")) gate_set_server_uid(gate, (uid_t)atoi(getenv("SERVER_UID"))); // for a private gated
    if (problem == 0) problem = gate_open_form(gate, words[1], NULL, told, &task, NULL);
    // This program waits for nothing else.
    while (problem >= 0 && !task.has_ended) {
        problem = gate_process(gate);
        if (problem == 0 && !task.has_ended) problem = gate_wait_sync(gate, UINT64_MAX);
    }
    if (problem < 0) fprintf(stderr, "form: %s\n", strerror(-problem));
    gate_free(gate);
    return problem < 0 ? 1 : task.status;
}
