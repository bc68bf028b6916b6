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

/* The TLS session of the connection that a transfer is using; NULL where there is none, or where libcurl's TLS isn't
   OpenSSL's own. */
#include <openssl/ssl.h>
#include <string.h>

static inline SSL *bulkget_curl_tls_session(CURL *easy) {
  const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
  struct curl_tlssessioninfo *session = NULL;
  if (!library || strncmp(library, "OpenSSL/", 8) != 0) return NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
  return session->backend == CURLSSLBACKEND_OPENSSL ? (SSL *)session->internals : NULL;
}

/* Macros that Swift doesn't import. */
static inline int bulkget_tls_make_index(void) { return SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL); }
static inline int bulkget_tls_is_farewell(int event, int alert) {
  return event == SSL_CB_READ_ALERT && (alert & 0xff) == SSL_AD_CLOSE_NOTIFY;
}
