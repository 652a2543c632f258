// Functions of a library that is loaded when one of them is called first. Linked in the usual way, it and what it brings along would take a
// part of every start, though only the process that answers questions about bodies calls it.
//
// A file says once which library it is and what for, and then its functions. Each is declared in the library's own headers, so that the
// compiler holds them against these.

#ifndef TURNSTONE_LATE_H
#define TURNSTONE_LATE_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// One that isn't there, or is another one, ends the process where a function is called all the same; `turnstone_NAME_problem` says what is
// wrong with it beforehand, and returns NULL when nothing is. Threads may come at the same time: all find the same.
//
// - file: the library's.
// - name: as messages have it.
// - probe: a function that the library must have.
#define LATE_LIBRARY(file, name, probe)                                                   \
    static void *library(void) {                                                          \
        static void *handle;                                                              \
        void *known = __atomic_load_n(&handle, __ATOMIC_ACQUIRE);                         \
        if (known) return known;                                                          \
        known = dlopen(file, RTLD_NOW | RTLD_LOCAL);                                      \
        if (known) __atomic_store_n(&handle, known, __ATOMIC_RELEASE);                    \
        return known;                                                                     \
    }                                                                                     \
    const char *turnstone_##name##_problem(void) {                                        \
        void *known = library();                                                          \
        return known && dlsym(known, probe) ? NULL : dlerror();                           \
    }                                                                                     \
    static void *symbol(const char *wanted) {                                             \
        void *known = library();                                                          \
        void *found = known ? dlsym(known, wanted) : NULL;                                \
        if (found) return found;                                                          \
        fprintf(stderr, "turnstone: %s needs a library: %s\n", #name, dlerror());         \
        exit(127);                                                                        \
    }

#define LATE(type, name, parameters, arguments)                                           \
    type name parameters {                                                                \
        static __typeof__(&name) function;                                                \
        __typeof__(&name) known = __atomic_load_n(&function, __ATOMIC_ACQUIRE);           \
        if (!known) {                                                                     \
            known = (__typeof__(&name))symbol(#name);                                     \
            __atomic_store_n(&function, known, __ATOMIC_RELEASE);                         \
        }                                                                                 \
        return known arguments;                                                           \
    }

#endif
