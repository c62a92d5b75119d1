// News of apps: those that the app brings along, showing news, and marking them as seen or not seen. requests.c carries on what may need a
// person.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

// MARK: the app's own news

void news_free(gate *gate) {
    while (gate->news_count > 0) message_free(gate->news[--gate->news_count]);
}

static bool put_button(Gate__V1__WhatsNew__Action **to, const char *title, const char *url) {
    Gate__V1__WhatsNew__Action *action = malloc(sizeof *action);
    if (!action) return false;
    gate__v1__whats_new__action__init(action);
    *to = action; // owned by the version from here on, also if the rest fails
    action->title = strdup(title);
    if (url) action->url = strdup(url);
    return action->title && (!url || action->url);
}

int gate_add_news(gate *gate, const char *version, const char *title, const char *primary, const char *secondary, const char *secondary_url) {
    int problem = gate_check_thread(gate);
    if (problem < 0) return problem;
    if (!version || !title || (secondary_url && !secondary)) return -EINVAL;
    if (gate->news_count == MAXIMUM_NEWS) return -EMSGSIZE;
    Gate__V1__WhatsNew *news = malloc(sizeof *news);
    if (!news) return -ENOMEM;
    gate__v1__whats_new__init(news);
    news->version = strdup(version);
    news->title = strdup(title);
    bool is_whole = news->version && news->title && (!primary || put_button(&news->primary, primary, NULL))
        && (!secondary || put_button(&news->secondary, secondary, secondary_url));
    if (!is_whole) {
        message_free(news);
        return -ENOMEM;
    }
    gate->news[gate->news_count++] = news;
    return 0;
}

int gate_add_news_feature(gate *gate, const char *title, const char *subtitle, const char *image) {
    int problem = gate_check_thread(gate);
    if (problem < 0) return problem;
    if (!title) return -EINVAL;
    if (gate->news_count == 0) return -ENOENT;
    Gate__V1__WhatsNew *news = gate->news[gate->news_count - 1];
    if (news->n_features == MAXIMUM_FEATURE_COUNT) return -EMSGSIZE;
    Gate__V1__WhatsNew__Feature **features = realloc(news->features, (news->n_features + 1) * sizeof *features);
    if (!features) return -ENOMEM;
    news->features = features;
    Gate__V1__WhatsNew__Feature *feature = malloc(sizeof *feature);
    if (!feature) return -ENOMEM;
    gate__v1__whats_new__feature__init(feature);
    feature->title = strdup(title);
    feature->subtitle = strdup(known(subtitle));
    feature->image = strdup(known(image));
    if (!feature->title || !feature->subtitle || !feature->image) {
        message_free(feature);
        return -ENOMEM;
    }
    features[news->n_features++] = feature;
    return 0;
}

// MARK: showing

// The outcome is the only byte.
static void run_told(gate *gate, struct delivery *delivery) {
    const gate_error *error = delivery->is_failed ? error_or_none(delivery->error) : NULL;
    gate_news_handler handler = (gate_news_handler)delivery->handler;
    if (handler) handler(gate, error || !delivery->bytes ? 0 : delivery->bytes[0], error, delivery->userdata);
}

int gate_show_news(gate *gate, const char *app, const char *version, unsigned flags, gate_news_handler handler, void *userdata,
    uint64_t *number) {
    if (!app || !version) return -EINVAL;
    return request_news(gate, app, version, flags, run_told, (any_handler)handler, userdata, number);
}

// MARK: seen and not seen

int gate_acknowledge_news(gate *gate, const char *app, const char *version, gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__AcknowledgeReleaseNotesRequest message = GATE__V1__ACKNOWLEDGE_RELEASE_NOTES_REQUEST__INIT;
    int problem = app && version ? gate_start(gate) : -EINVAL;
    if (problem < 0) return problem;
    message.app = (char *)app;
    message.version = (char *)version;
    message.n_notes = gate->news_count;
    message.notes = gate->news;
    return call_ask(gate, "gate.v1.ReleaseNotes", "AcknowledgeReleaseNotes", &message.base,
        &gate__v1__acknowledge_release_notes_response__descriptor, run_done, (any_handler)handler, userdata, number);
}

int gate_reset_news(gate *gate, const char *app, gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__ResetReleaseNotesRequest message = GATE__V1__RESET_RELEASE_NOTES_REQUEST__INIT;
    message.app = (char *)known(app);
    return call_ask(gate, "gate.v1.ReleaseNotes", "ResetReleaseNotes", &message.base,
        &gate__v1__reset_release_notes_response__descriptor, run_done, (any_handler)handler, userdata, number);
}
