// Takes one mend out: with this library loaded first (LD_PRELOAD), easy handles of libcurl that have carried a transfer carry another.
//
// Below 8.1.0 libcurl doesn't clear its pointer to the latest header then, and an answer whose first line begins with a blank writes into
// memory that was freed (curl's issue 11101). `make torture REUSED=1` must see that: else the torture looks in the wrong place.
#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CURL *kept[4096];
static int count;

CURL *curl_easy_init(void) {
    CURL *handle = NULL;
    pthread_mutex_lock(&lock);
    if (count > 0) handle = kept[--count];
    pthread_mutex_unlock(&lock);
    if (handle) return handle;
    CURL *(*make)(void) = (CURL *(*)(void))dlsym(RTLD_NEXT, "curl_easy_init");
    return make();
}

void curl_easy_cleanup(CURL *handle) {
    int isKept;
    if (!handle) return;
    curl_easy_reset(handle);
    pthread_mutex_lock(&lock);
    isKept = count < 4096;
    if (isKept) kept[count++] = handle;
    pthread_mutex_unlock(&lock);
    if (isKept) return;
    void (*end)(CURL *) = (void (*)(CURL *))dlsym(RTLD_NEXT, "curl_easy_cleanup");
    end(handle);
}
