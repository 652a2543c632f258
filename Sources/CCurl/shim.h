// What Swift cannot call of libcurl: its variadic setters and getters, one typed function each, and a few macros.
#ifndef TURNSTONE_CCURL_SHIM_H
#define TURNSTONE_CCURL_SHIM_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>

// Setters of an easy handle.

static inline CURLcode turnstone_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode turnstone_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// libcurl copies the string, except for CURLOPT_POSTFIELDS. NULL takes the option back.
static inline CURLcode turnstone_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode turnstone_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode turnstone_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode turnstone_curl_set_write(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode turnstone_curl_set_read(CURL *handle, curl_read_callback value) {
    return curl_easy_setopt(handle, CURLOPT_READFUNCTION, value);
}

static inline CURLcode turnstone_curl_set_seek(CURL *handle, curl_seek_callback value) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode turnstone_curl_set_debug(CURL *handle, curl_debug_callback value) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, value);
}

static inline CURLcode turnstone_curl_set_prereq(CURL *handle, curl_prereq_callback value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode turnstone_curl_set_resolver_start(CURL *handle, curl_resolver_start_callback value) {
    return curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, value);
}

static inline CURLcode turnstone_curl_set_opensocket(CURL *handle, curl_opensocket_callback value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode turnstone_curl_set_closesocket(CURL *handle, curl_closesocket_callback value) {
    return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, value);
}

static inline CURLcode turnstone_curl_set_ssl_ctx(CURL *handle, curl_ssl_ctx_callback value) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, value);
}

// Getters of an easy handle; the value stays as it was when libcurl has none.

static inline CURLcode turnstone_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode turnstone_curl_get_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode turnstone_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode turnstone_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}

// The TLS library's own object for the connection of the moment; NULL where there is none.
static inline void *turnstone_curl_tls_connection(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if(curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return NULL;
    return info->internals;
}

static inline CURLMcode turnstone_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

// The address behind the header of a `curl_sockaddr`, which is longer than its last field's type says.
static inline const struct sockaddr *turnstone_curl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

static inline CURLcode turnstone_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// `OpenSSL/3.0.19`; NULL for a libcurl without TLS.
static inline const char *turnstone_curl_tls_library(void) {
    return curl_version_info(CURLVERSION_NOW)->ssl_version;
}

static inline const curl_version_info_data *turnstone_curl_version_info(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// Of the library that runs, not of the headers: 0x075801 for 7.88.1.
static inline unsigned int turnstone_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}

// Bits of CURL_VERSION_….
static inline int turnstone_curl_features(void) {
    return curl_version_info(CURLVERSION_NOW)->features;
}

// `7.88.1`
static inline const char *turnstone_curl_version_text(void) {
    return curl_version_info(CURLVERSION_NOW)->version;
}

// How many bytes a socket has to read; -1 when nobody says. Swift sees neither the macro of every system nor, everywhere, the function.
static inline int turnstone_curl_unread(int socket) {
    int count = 0;
    return ioctl(socket, FIONREAD, &count) == 0 ? count : -1;
}

static inline bool turnstone_curl_is_set(int socket, const fd_set *set) { return FD_ISSET(socket, set); }

// Macros with casts, and names that are enumerations or macros of type long, depending on the version (8.14 and 8.16 changed many).
static const long turnstone_curl_auth_basic = (long)CURLAUTH_BASIC;
static const long turnstone_curl_auth_digest = (long)CURLAUTH_DIGEST;
static const long turnstone_curl_auth_ntlm = (long)CURLAUTH_NTLM;
static const long turnstone_curl_auth_negotiate = (long)CURLAUTH_NEGOTIATE;
static const long turnstone_curl_resolve_v4 = (long)CURL_IPRESOLVE_V4;
static const long turnstone_curl_resolve_v6 = (long)CURL_IPRESOLVE_V6;
static const long turnstone_curl_auth_any = (long)CURLAUTH_ANY;
static const long turnstone_curl_netrc_required = (long)CURL_NETRC_REQUIRED;
static const long turnstone_curl_proxy_http_1_0 = (long)CURLPROXY_HTTP_1_0;
static const size_t turnstone_curl_write_pause = CURL_WRITEFUNC_PAUSE;
static const size_t turnstone_curl_read_pause = CURL_READFUNC_PAUSE;
static const size_t turnstone_curl_read_abort = CURL_READFUNC_ABORT;

#endif
