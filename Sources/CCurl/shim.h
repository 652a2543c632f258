// What Swift cannot call of libcurl: its variadic setters and getters, one typed function each.
#ifndef TURNSTONE_CCURL_SHIM_H
#define TURNSTONE_CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode turnstone_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

#endif
