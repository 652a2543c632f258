#include "allocation_count.h"

#include <stddef.h>

// Stands in front of glibc's allocator for the whole process, and counts. What is freed isn't of interest: everything is, in the end.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// A thread each, so that counting costs an addition. The initial-exec model asks for no memory itself.
static __thread unsigned long count __attribute__((tls_model("initial-exec")));

unsigned long allocation_count(void) { return count; }

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    count++;
    return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    count++;
    *pointer = __libc_memalign(alignment, size);
    return *pointer == NULL ? 12 : 0;
}
