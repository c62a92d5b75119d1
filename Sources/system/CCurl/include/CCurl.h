/* libcurl as a module. Its options have variadic arguments, which Swift can't pass. */
#pragma once
#include <curl/curl.h>

/* Receives bytes. Returning anything but `size * count` ends the transfer. */
typedef size_t (*curl_receiver)(char *bytes, size_t size, size_t count, void *context);
/* Called with the progress of the transfer: often while bytes arrive, otherwise about once a second. Returning anything but 0
   ends the transfer. */
typedef int (*curl_watcher)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode curl_set_number(CURL *curl, CURLoption option, long number) {
    return curl_easy_setopt(curl, option, number);
}

static inline CURLcode curl_set_text(CURL *curl, CURLoption option, const char *text) {
    return curl_easy_setopt(curl, option, text);
}

static inline CURLcode curl_set_headers(CURL *curl, struct curl_slist *headers) {
    return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode curl_set_callbacks(
    CURL *curl, curl_receiver header, curl_receiver body, curl_watcher watcher, void *context) {
    CURLcode result = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
    if (result == CURLE_OK) result = curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
    if (result == CURLE_OK) result = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, watcher);
    if (result == CURLE_OK) result = curl_easy_setopt(curl, CURLOPT_XFERINFODATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    return result;
}

static inline long curl_status(CURL *curl) {
    long status = 0;
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
