#include <curl/curl.h>

/* curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic functions, which Swift can't call. */

static inline CURLcode bulkget_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode bulkget_curl_set_large(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode bulkget_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode bulkget_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode bulkget_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode bulkget_curl_set_callback(
    CURL *easy, CURLoption option, size_t (*callback)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, callback);
}
static inline CURLcode bulkget_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode bulkget_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode bulkget_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* The fields of a finished transfer's message lie in a union. */
static inline CURLcode bulkget_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

/* IDNA came to the URL interface with 7.88; before it, hosts outside ASCII are refused. */
#if LIBCURL_VERSION_NUM >= 0x075800
#define BULKGET_CURLU_PUNYCODE CURLU_PUNYCODE
#else
#define BULKGET_CURLU_PUNYCODE 0
#endif
