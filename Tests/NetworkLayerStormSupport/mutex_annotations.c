#define _GNU_SOURCE
#include "storm_support.h"

#include <dlfcn.h>
#include <stdint.h>

// Under contention Swift's `Mutex` leaves its inlined fast path for two functions of libswiftSynchronization, which isn't instrumented:
// there the kernel passes the lock on, and the thread sanitizer sees neither who lets go nor who takes it. It would report each access
// under a lock that was contended. So these two stand in front of them, and tell it; they change nothing else.

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Of the sanitizer's library; nowhere in a build without it.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

typedef SWIFT void (*lock_function)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*unlock_function)(SELF void *mutex);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

static lock_function real_lock;
static unlock_function real_unlock;

// Before any thread but the first runs.
__attribute__((constructor)) static void find_real_functions(void) {
    real_lock = (lock_function)dlsym(RTLD_NEXT, LOCK_SLOW);
    real_unlock = (unlock_function)dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    real_lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    real_unlock(mutex);
}

void storm_annotate_mutexes(void) {}
