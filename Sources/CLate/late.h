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

#define LATE_LIBRARY(file, purpose)                                                \
    static void *symbol(const char *name) {                                        \
        static void *library;                                                      \
        if (!library) library = dlopen(file, RTLD_NOW | RTLD_LOCAL);               \
        void *found = library ? dlsym(library, name) : NULL;                       \
        if (found) return found;                                                   \
        fprintf(stderr, "turnstone: %s needs a library: %s\n", purpose, dlerror()); \
        exit(127);                                                                 \
    }

#define LATE(type, name, parameters, arguments)                     \
    type name parameters {                                          \
        static __typeof__(&name) function;                          \
        if (!function) function = (__typeof__(&name))symbol(#name); \
        return function arguments;                                  \
    }

#endif
