#define _GNU_SOURCE
#include "task_pool.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// Of Swift's runtime: see stdlib/public/Concurrency and ABI/Executor.h in its sources.
#define SWIFT_CALL __attribute__((swiftcall))
typedef struct Job Job;
typedef SWIFT_CALL void (*Enqueue)(Job *);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(Job *, Enqueue original);
/// An executor of two null words is the global one.
extern SWIFT_CALL void swift_job_run(Job *, void *executor, uintptr_t implementation);
extern SWIFT_CALL uint8_t swift_concurrency_jobPriority(Job *);

enum {
    /// High (a person waits), usual, utility, background.
    LEVELS = 4,
    /// More are started only while tasks hold threads without running, such as in a read from a slow disk.
    MOST_THREADS = 64,
    /// Nanoseconds after which a task that waits gets a thread more, when meanwhile none was begun.
    PATIENCE = 10 * 1000 * 1000,
    /// One job in so many is of the lowest level that has any, so that nothing waits for ever behind tasks that keep yielding.
    FAIRNESS = 64,
};

/// A ring: the first of `count` jobs is at `first`.
typedef struct {
    Job **jobs;
    size_t capacity, first, count;
} Ring;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
/// On the monotonic clock.
static pthread_cond_t overload;
static Ring rings[LEVELS];
static size_t waiting;
/// Threads that sleep and that nobody has called yet, and calls that no thread has heard yet.
static unsigned idle, calls;
static unsigned threads, cores;
static bool is_overseen, overseer_sleeps;
/// Jobs that were begun, ever.
static uint64_t begun;

static int level(Job *job) {
    uint8_t priority = swift_concurrency_jobPriority(job);
    return priority >= 0x19 ? 0 : priority >= 0x15 || !priority ? 1 : priority >= 0x11 ? 2 : 3;
}

static void push(Ring *ring, Job *job) {
    if (ring->count == ring->capacity) {
        size_t capacity = ring->capacity ? 2 * ring->capacity : 64;
        Job **jobs = malloc(capacity * sizeof *jobs);
        if (!jobs) abort();
        for (size_t index = 0; index < ring->count; index++) jobs[index] = ring->jobs[(ring->first + index) % ring->capacity];
        free(ring->jobs);
        ring->jobs = jobs;
        ring->capacity = capacity;
        ring->first = 0;
    }
    ring->jobs[(ring->first + ring->count++) % ring->capacity] = job;
    waiting++;
}

static Job *pop(void) {
    if (!waiting) return NULL;
    Ring *ring = rings;
    int step = 1;
    if (begun % FAIRNESS == FAIRNESS - 1) {
        ring += LEVELS - 1;
        step = -1;
    }
    while (!ring->count) ring += step;
    Job *job = ring->jobs[ring->first];
    ring->first = (ring->first + 1) % ring->capacity;
    ring->count--;
    waiting--;
    begun++;
    return job;
}

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        Job *job = pop();
        if (job) {
            pthread_mutex_unlock(&lock);
            swift_job_run(job, NULL, 0);
            pthread_mutex_lock(&lock);
        } else if (threads > cores) {
            threads--;
            pthread_mutex_unlock(&lock);
            return unused;
        } else {
            idle++;
            while (!calls) pthread_cond_wait(&work, &lock);
            calls--;
        }
    }
}

/// Signals are for the threads that were there before, but for those that a thread brings upon itself: blocked, they would end the
/// program before Swift's backtrace is written.
static bool start(void *(*body)(void *)) {
    static const int own[] = {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE, SIGPROF};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&all, own[index]);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    bool is_started = pthread_create(&thread, &attributes, body, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return is_started;
}

static bool add_thread(void) {
    threads++;
    if (start(run)) return true;
    threads--;
    return false;
}

/// Adds a thread when tasks wait and none is begun. Without work it sleeps.
static void *oversee(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!waiting) {
            overseer_sleeps = true;
            pthread_cond_wait(&overload, &lock);
        }
        overseer_sleeps = false;
        uint64_t before = begun;
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_nsec += PATIENCE;
        if (end.tv_nsec >= 1000 * 1000 * 1000) {
            end.tv_nsec -= 1000 * 1000 * 1000;
            end.tv_sec++;
        }
        while (pthread_cond_timedwait(&overload, &lock, &end) != ETIMEDOUT) continue;
        if (waiting && begun == before && threads < MOST_THREADS) add_thread();
    }
    return unused;
}

static SWIFT_CALL void enqueue(Job *job, Enqueue original) {
    pthread_mutex_lock(&lock);
    bool is_added = !idle && threads < cores && add_thread();
    if (!threads) {
        pthread_mutex_unlock(&lock);
        original(job);
        return;
    }
    push(&rings[level(job)], job);
    if (is_added) {
        // It looks for work by itself.
    } else if (idle) {
        idle--;
        calls++;
        pthread_cond_signal(&work);
    } else if (!is_overseen) {
        // Where no thread can be had, the next one tries again.
        is_overseen = start(oversee);
    } else if (overseer_sleeps) {
        overseer_sleeps = false;
        pthread_cond_signal(&overload);
    }
    pthread_mutex_unlock(&lock);
}

void task_pool_install(void) {
    cpu_set_t set;
    int usable = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    cores = usable < 2 ? 2 : usable > MOST_THREADS ? MOST_THREADS : (unsigned)usable;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&overload, &attributes);
    pthread_condattr_destroy(&attributes);
    swift_task_enqueueGlobal_hook = enqueue;
}
