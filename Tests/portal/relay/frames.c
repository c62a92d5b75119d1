// The machine of one connection of the relay, without sockets: what reaches gated and what the app hears, for frames of every kind, cut
// anywhere, and made by chance. Tests/portal/relay/run runs it.
//
//     frames SECONDS SEED
#include "talk.h"

// MARK: tests

// A method that is added to Gate is refused until somebody adds it to both lists.
static void only_these_pass(const char *list) {
    size_t passed = 0, methods = 0;
    for (const ProtobufCServiceDescriptor *const *service = gate_services; *service; service++) {
        for (unsigned i = 0; i < (*service)->n_methods; i++, methods++) {
            char name[128];
            snprintf(name, sizeof name, " %s/%s ", (*service)->name, (*service)->methods[i].name);
            bool is_listed = strstr(list, name), is_passed = call((*service)->name, (*service)->methods[i].name) == 0;
            if (is_listed != is_passed) printf("%s is %spassed on\n", name, is_passed ? "" : "not ");
            assert(is_listed == is_passed);
            passed += is_passed;
        }
    }
    printf("ok: of %zu methods, %zu are passed on\n", methods, passed);
}

static void other_spellings(void) {
    static const struct { const char *service, *method; } names[] = {{"gate.v1.mode", "GetMode"}, {"gate.v1.Mode", "getMode"},
        {"gate.v1.Mode", "GetMode "}, {" gate.v1.Mode", "GetMode"}, {"/gate.v1.Mode", "GetMode"}, {"gate.v1", "Mode/GetMode"},
        {"gate.v1.Mode/GetMode", ""}, {"", ""}, {"gate.v1.Mode", ""}, {"", "GetMode"}, {"gate.v1.Mode.", "GetMode"}, {"gate.v2.Mode", "GetMode"},
        {"gate.v1.Mode", "GetModeX"}, {"gate.v1.Mode", "GetMod"}, {"gate.v1.M\xc3\xb6" "de", "GetMode"}, {"gate.v1.Mode\n", "GetMode"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert(call(names[i].service, names[i].method) == RELAY_PERMISSION_DENIED);
    // Names that a terminal might obey are not repeated.
    assert(outcome(request_data("gate.v1.Mode\x1b[2J", "Toggle", NULL, 0), "may not call this.") == RELAY_PERMISSION_DENIED);
    assert(outcome(request_data("gate.v1.Mode", "Toggle", NULL, 0), "may not call gate.v1.Mode/Toggle.") == RELAY_PERMISSION_DENIED);
    char longer[20000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert(call(longer, longer) == RELAY_PERMISSION_DENIED);
    // A NUL ends no name, and what is no text is no request.
    static const char *const texts[] = {"gate.v1.Mode\0x", "gate.v1.Mo\xff" "ex", "\xed\xa0\x80zzzzzzzzzzz"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct bytes data = {0};
        add_field(&data, 1, texts[i], 14);
        add_text(&data, 2, "GetMode");
        assert(outcome(data, NULL) == RELAY_INVALID_ARGUMENT);
    }
    puts("ok: a method in another spelling is none");
}

static void twice(void) {
    // Of a field that is there twice the last one counts, here and in what gated gets.
    struct bytes data = request_data("gate.v1.Mode", "Toggle", NULL, 0);
    add_text(&data, 2, "GetMode");
    assert(outcome(data, NULL) == 0);
    data = request_data("gate.v1.Mode", "GetMode", NULL, 0);
    add_text(&data, 2, "Toggle");
    assert(outcome(data, NULL) == RELAY_PERMISSION_DENIED);
    // Whatever the metadata say, gated hears the app's id, once.
    static const char *const names[] = {"program", "program", "PROGRAM", "x", ""};
    data = request_data("gate.v1.Mode", "GetMode", NULL, 0);
    for (size_t i = 0; i < 5; i++) {
        struct bytes pair = {0};
        add_text(&pair, 1, names[i]);
        add_text(&pair, 2, "org.example.Other");
        add_field(&data, 5, pair.at, pair.size);
        empty(&pair);
    }
    add_text(&data, 15, "a field of the future");
    assert(outcome(data, NULL) == 0);
    // Fields in another order, and tags in more bytes than they need.
    static const char backwards[] = "\x12\x07GetMode\x0a\x0cgate.v1.Mode", overlong[] = "\x8a\x00\x0cgate.v1.Mode\x92\x80\x00\x07GetMode";
    static const char wrong[] = "\x0a\x0cgate.v1.Mode\x10\x07", group[] = "\x0a\x0cgate.v1.Mode\x12\x07GetMode\x33\x34", cut[] = "\x0a\x0cgate.v1";
    data = (struct bytes){0};
    add(&data, backwards, sizeof backwards - 1);
    assert(outcome(data, NULL) == 0);
    data = (struct bytes){0};
    add(&data, overlong, sizeof overlong - 1);
    assert(outcome(data, NULL) == 0);
    const struct { const char *bytes; size_t size; } none[] = {{wrong, sizeof wrong - 1}, {group, sizeof group - 1}, {cut, sizeof cut - 1}};
    for (size_t i = 0; i < 3; i++) {
        data = (struct bytes){0};
        add(&data, none[i].bytes, none[i].size);
        assert(outcome(data, NULL) == RELAY_INVALID_ARGUMENT);
    }
    assert(outcome((struct bytes){0}, NULL) == RELAY_PERMISSION_DENIED);
    puts("ok: fields that are there twice, unknown ones and other encodings get nothing past the list");
}

static int watch(const char *bytes, size_t size) {
    return outcome(request_data("gate.v1.Watch", "Watch", bytes, size), NULL);
}

static void watched_topics(void) {
    assert(watch("", 0) == 0);                                              // gated says that there have to be topics
    for (char topic = 0; topic < 20; topic++) {
        char one[] = {0x08, topic}, packed[] = {0x0a, 2, 1, topic}, behind[] = {0x08, 1, 0x08, 1, 0x08, topic};
        int expected = topic == 1 || topic == 3 || topic == 4 || topic == 7 ? 0 : RELAY_PERMISSION_DENIED;
        assert(watch(one, 2) == expected && watch(packed, 4) == expected && watch(behind, 6) == expected);
    }
    // A number that is a topic in its lower 32 bits, and a negative one.
    static const char wide[] = "\x08\x82\x80\x80\x80\x10", negative[] = "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    assert(watch(wide, sizeof wide - 1) == RELAY_PERMISSION_DENIED && watch(negative, sizeof negative - 1) == RELAY_PERMISSION_DENIED);
    assert(watch("\x08", 1) == RELAY_INVALID_ARGUMENT && watch("\x0d\x01\x00\x00\x00", 5) == RELAY_INVALID_ARGUMENT);
    puts("ok: an app watches only what everybody may know");
}

static void for_itself(void) {
    // The subject is field 2 of a check, and 5 of a request: a process, an empty one, and one behind a field that is there twice.
    static const char *const methods[] = {"Check", "Authorize"};
    static const char tags[] = {0x12, 0x2a};
    for (int i = 0; i < 2; i++) {
        const char none[] = "\x0a\x09link.open", process[] = {tags[i], 2, 0x08, 1}, nobody[] = {tags[i], 0};
        struct bytes message = {0};
        add(&message, none, sizeof none - 1);
        assert(outcome(request_data("gate.v1.Authorization", methods[i], message.at, message.size), NULL) == 0);
        add(&message, process, sizeof process);
        assert(outcome(request_data("gate.v1.Authorization", methods[i], message.at, message.size), NULL) == RELAY_PERMISSION_DENIED);
        add(&message, nobody, sizeof nobody);
        assert(outcome(request_data("gate.v1.Authorization", methods[i], message.at, message.size), NULL) == RELAY_PERMISSION_DENIED);
        assert(outcome(request_data("gate.v1.Authorization", methods[i], nobody, sizeof nobody), NULL) == RELAY_PERMISSION_DENIED);
        empty(&message);
    }
    puts("ok: an app in a sandbox asks for no other process");
}

static void no_own_questions(void) {
    // presents_itself, twice; presenting here; and a field of the future.
    static const char authorize[] = "\x0a\x09link.open\x20\x01\x20\x01\x30\x01\x38\x01\xf8\x3f\x01", premium[] = "\x10\x01\x18\x03\xf8\x3f\x01";
    const struct { const char *service, *method, *bytes; size_t size; } calls[] = {
        {"gate.v1.Authorization", "Authorize", authorize, sizeof authorize - 1}, {"gate.v1.Entitlements", "RequirePremium", premium, sizeof premium - 1}};
    for (size_t i = 0; i < 2; i++) {
        struct talk *talk = talk_begin();
        struct bytes data = request_data(calls[i].service, calls[i].method, calls[i].bytes, calls[i].size), frame = {0};
        add_frame(&frame, (uint32_t)data.size, 7, 1, data.at);
        from_app(talk, frame.at, frame.size, 0);
        Ttrpc__Request *request = passed_on(talk);
        assert(request);
        if (i == 0) {
            Gate__V1__AuthorizeRequest *got = unpack(&gate__v1__authorize_request__descriptor, request->payload.data, request->payload.len);
            assert(got && !got->presents_itself && got->presenting == 0 && got->may_wait && strcmp(got->gated_action, "link.open") == 0);
            assert(got->base.n_unknown_fields == 0);
            message_free(got);
        } else {
            Gate__V1__RequirePremiumRequest *got = unpack(&gate__v1__require_premium_request__descriptor, request->payload.data, request->payload.len);
            assert(got && !got->presents_itself && got->presenting == 0 && got->base.n_unknown_fields == 0);
            message_free(got);
        }
        message_free(request);
        talk_end(talk);
        empty(&frame);
        empty(&data);
    }
    puts("ok: an app in a sandbox never shows the question itself");
}

static void sizes_and_types(void) {
    struct talk *talk = talk_begin();
    struct bytes data = request_data("gate.v1.Mode", "GetMode", NULL, 0), frames = {0};
    static uint8_t filling[RELAY_REQUEST_BYTES + 1];
    struct bytes full = request_data("gate.v1.Mode", "GetMode", filling, RELAY_REQUEST_BYTES - data.size - 4);
    assert(full.size == RELAY_REQUEST_BYTES);
    // Of all types only requests go on, and of these only those that are not too large; what is behind them is read as before.
    for (unsigned type = 0; type < 256; type++)
        if (type != 1) add_frame(&frames, 100, 1, (uint8_t)type, filling), add_frame(&frames, 0, 1, (uint8_t)type, NULL);
    add_frame(&frames, FRAME_BYTES, 1, 3, NULL);
    assert(from_app(talk, frames.at, frames.size, 0) == frames.size);
    for (size_t left = FRAME_BYTES; left > 0;) left -= from_app(talk, filling, left < sizeof filling ? left : sizeof filling, 0);
    assert(talk->to_gated.size == 0 && talk->to_app.size == 0);
    empty(&frames);
    add_frame(&frames, (uint32_t)full.size, 3, 1, full.at);
    add_frame(&frames, RELAY_REQUEST_BYTES + 1, 5, 1, filling);
    add_frame(&frames, (uint32_t)data.size, 7, 1, data.at);
    assert(from_app(talk, frames.at, frames.size, 0) == frames.size && !talk->frames.is_broken);
    size_t first = HEADER_BYTES + number(talk->to_gated.at);
    assert(number(talk->to_gated.at + 4) == 3 && number(talk->to_gated.at + first + 4) == 7);
    assert(talk->to_gated.size == first + HEADER_BYTES + number(talk->to_gated.at + first));
    Ttrpc__Response *response = unpack(&ttrpc__response__descriptor, talk->to_app.at + HEADER_BYTES, talk->to_app.size - HEADER_BYTES);
    assert(number(talk->to_app.at + 4) == 5 && response && response->status && response->status->code == RELAY_RESOURCE_EXHAUSTED);
    message_free(response);
    talk_end(talk);
    empty(&frames);
    // What is no frame ends the connection, in both directions.
    for (int i = 0; i < 4; i++) {
        talk = talk_begin();
        add_frame(&frames, i & 1 ? UINT32_MAX : FRAME_BYTES + 1, 1, 1, NULL);
        if (i & 2) from_gated(talk, frames.at, frames.size, 0);
        else from_app(talk, frames.at, frames.size, 0);
        uint8_t *room;
        assert(talk->frames.is_broken && relay_room_for_requests(&talk->frames, &room) == 0 && relay_room_for_answers(&talk->frames, &room) == 0);
        talk_end(talk);
        empty(&frames);
    }
    empty(&data);
    empty(&full);
    puts("ok: giant frames, frames of other types and requests that are too large");
}

static void cut_anywhere(void) {
    struct bytes data = request_data("gate.v1.Mode", "GetMode", NULL, 0), no = request_data("gate.v1.Mode", "Toggle", NULL, 0), sent = {0};
    for (uint32_t i = 0; i < 5; i++) add_frame(&sent, (uint32_t)data.size, 1 + 4 * i, 1, data.at), add_frame(&sent, (uint32_t)no.size, 3 + 4 * i, 1, no.at);
    struct talk *whole = talk_begin();
    assert(from_app(whole, sent.at, sent.size, 0) == sent.size && whole->to_gated.size > 0 && whole->to_app.size > 0);
    for (size_t step = 1; step < 64; step++) {
        struct talk *pieces = talk_begin();
        assert(from_app(pieces, sent.at, sent.size, step) == sent.size);
        assert(pieces->to_gated.size == whole->to_gated.size && memcmp(pieces->to_gated.at, whole->to_gated.at, whole->to_gated.size) == 0);
        assert(pieces->to_app.size == whole->to_app.size && memcmp(pieces->to_app.at, whole->to_app.at, whole->to_app.size) == 0);
        talk_end(pieces);
    }
    talk_end(whole);
    // A refusal waits for the end of the frame that gated is sending, wherever that was cut.
    struct bytes answers = {0};
    static const uint8_t content[300];
    add_frame(&answers, 300, 11, 3, content);
    add_frame(&answers, 0, 13, 3, NULL);
    add_frame(&answers, 20, 15, 2, content);
    for (size_t cut = 0; cut <= answers.size; cut++) {
        struct talk *talk = talk_begin();
        struct bytes request = {0};
        add_frame(&request, (uint32_t)no.size, 7, 1, no.at);
        assert(from_gated(talk, answers.at, cut, 0) == cut && from_app(talk, request.at, request.size, 0) == request.size);
        uint8_t *room;
        bool is_between = cut == 0 || cut == 310 || cut == 320 || cut == 350;
        assert((relay_room_for_requests(&talk->frames, &room) > 0) == is_between); // until then nothing more is read from the app
        // Nor more from gated than is missing of the header or of the data, or the refusal could wait for ever.
        size_t left = cut < 10 ? 10 - cut : cut < 310 ? 310 - cut : cut < 320 ? 320 - cut : cut < 330 ? 330 - cut : 350 - cut;
        assert(is_between || relay_room_for_answers(&talk->frames, &room) == left);
        for (size_t at = cut; at < answers.size;) at += from_gated(talk, answers.at + at, answers.size - at, 0);
        size_t frames = 0, refusals = 0;
        for (size_t at = 0; at < talk->to_app.size; at += HEADER_BYTES + number(talk->to_app.at + at), frames++)
            refusals += number(talk->to_app.at + at + 4) == 7;
        assert(frames == 4 && refusals == 1);
        talk_end(talk);
        empty(&request);
    }
    empty(&data);
    empty(&no);
    empty(&sent);
    empty(&answers);
    puts("ok: frames that come in pieces, and refusals between those of gated");
}

// Neither side reads: the machine takes one request, or one refusal, and no more.
static void nobody_reads(void) {
    for (int is_refused = 0; is_refused < 2; is_refused++) {
        struct talk *talk = talk_begin();
        struct bytes data = request_data("gate.v1.Mode", is_refused ? "Toggle" : "GetMode", NULL, 0), frame = {0};
        add_frame(&frame, (uint32_t)data.size, 7, 1, data.at);
        size_t taken = 0, sent = 0, space;
        uint8_t *room;
        while ((space = relay_room_for_requests(&talk->frames, &room)) > 0) {
            if (space > frame.size - sent) space = frame.size - sent;
            memcpy(room, frame.at + sent, space);
            relay_requests_came(&talk->frames, space);
            sent = (sent + space) % frame.size;
            taken += sent == 0;
            assert(taken < 10);
        }
        assert(taken == (is_refused ? 2 : 1)); // the first refusal is where gated's bytes would be
        assert(is_refused == (relay_room_for_answers(&talk->frames, &room) == 0));
        talk_end(talk);
        empty(&data);
        empty(&frame);
    }
    puts("ok: where nobody reads, no more is read");
}

static struct bytes random_request(void) {
    static const char *const services[] = {"gate.v1.Mode", "gate.v1.Watch", "gate.v1.Authorization", "gate.v1.Entitlements", "gate.v1.Control"};
    static const char *const methods[] = {"GetMode", "Watch", "Authorize", "RequirePremium", "Toggle", "Complete", "Ping"};
    uint8_t payload[64];
    size_t size = chance(sizeof payload);
    for (size_t i = 0; i < size; i++) payload[i] = chance(3) ? (uint8_t)chance(64) : (uint8_t)random();
    struct bytes data = request_data(services[chance(5)], methods[chance(7)], payload, size);
    for (unsigned i = chance(3); i > 0 && data.size; i--) data.at[chance((unsigned)data.size)] = (uint8_t)random();
    return data;
}

// Whatever comes, gated gets only whole requests of the list, and the app gets gated's frames whole, in order and with refusals between them.
static void by_chance(double seconds) {
    const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    size_t rounds = 0, passed = 0, refused = 0;
    for (; clock() < end; rounds++) {
        struct talk *talk = talk_begin();
        struct bytes requests = {0}, answers = {0};
        for (unsigned i = chance(12); i > 0; i--) {
            struct bytes data = random_request();
            add_frame(&requests, (uint32_t)data.size, 2 * chance(1000) + 1, chance(8) ? 1 : (uint8_t)random(), data.at);
            empty(&data);
        }
        for (unsigned i = chance(6); i > 0; i--) {
            static const uint8_t content[40000];
            add_frame(&answers, chance(5) ? chance(200) : chance(sizeof content), 4000, (uint8_t)(2 + chance(2)), content);
        }
        for (unsigned i = chance(4) ? 0 : chance(5); i > 0 && requests.size; i--) requests.at[chance((unsigned)requests.size)] = (uint8_t)random();
        size_t asked = 0, answered = 0;
        for (int stuck = 0; stuck < 3 && !talk->frames.is_broken; stuck++) {
            size_t more = from_app(talk, requests.at + asked, requests.size - asked ? 1 + chance((unsigned)(requests.size - asked)) : 0, chance(20));
            asked += more;
            size_t part = answers.size - answered ? 1 + chance((unsigned)(answers.size - answered)) : 0;
            part = from_gated(talk, answers.at + answered, part, chance(4) ? 0 : 1 + chance(3000));
            answered += part;
            if (more + part > 0) stuck = 0;
        }
        for (size_t at = 0; at < talk->to_gated.size; passed++) {
            uint32_t size = number(talk->to_gated.at + at);
            assert(size <= talk->to_gated.size - at - HEADER_BYTES);
            struct talk one = {.to_gated = {talk->to_gated.at + at, HEADER_BYTES + size, 0}};
            Ttrpc__Request *request = passed_on(&one);
            assert(request && strcmp(request->method, "Toggle") != 0 && strcmp(request->method, "Complete") != 0);
            message_free(request);
            at += HEADER_BYTES + size;
        }
        size_t from = 0;
        for (size_t at = 0; at < talk->to_app.size;) {
            size_t left = talk->to_app.size - at, size = left < HEADER_BYTES ? left : HEADER_BYTES + number(talk->to_app.at + at);
            if (left >= HEADER_BYTES && number(talk->to_app.at + at + 4) != 4000) {
                assert(size <= left);
                refused++;
            } else {
                if (size > left) size = left;
                assert(from + size <= answered && memcmp(answers.at + from, talk->to_app.at + at, size) == 0);
                from += size;
            }
            at += size;
        }
        assert(from == answered || talk->frames.is_broken);
        talk_end(talk);
        empty(&requests);
        empty(&answers);
    }
    assert(passed > 0 && refused > 0);
    printf("ok: %zu connections by chance, with %zu requests passed on and %zu refused\n", rounds, passed, refused);
}

int main(int count, char **words) {
    if (count != 3) return 64;
    srandom((unsigned)strtoul(words[2], NULL, 10));
    only_these_pass(" gate.v1.Control/Ping gate.v1.Control/Cancel gate.v1.Control/GetVersion gate.v1.Control/Describe gate.v1.Mode/GetMode "
        "gate.v1.SignIn/GetSignIn gate.v1.Watch/Watch gate.v1.Authorization/Check gate.v1.Authorization/Authorize "
        "gate.v1.Authorization/Redeem gate.v1.Authorization/AskMoreTime gate.v1.Entitlements/GetEntitlements "
        "gate.v1.Entitlements/RequirePremium gate.v1.Usage/CountUse gate.v1.Age/QueryAgeRange ");
    other_spellings();
    twice();
    watched_topics();
    for_itself();
    no_own_questions();
    sizes_and_types();
    cut_anywhere();
    nobody_reads();
    by_chance(strtod(words[1], NULL));
    return 0;
}
