// What Swift's Glibc doesn't show of files: exchanging two names, and extended attributes.
#ifndef TURNSTONE_CFILES_SHIM_H
#define TURNSTONE_CFILES_SHIM_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__linux__)
// Not fcntl.h: what it declares belongs to Swift's Glibc.
#include <sys/syscall.h>

enum {
    TURNSTONE_AT_FDCWD = -100,
    TURNSTONE_O_PATH = 010000000,
    TURNSTONE_RENAME_NOREPLACE = 1,
    TURNSTONE_RENAME_EXCHANGE = 2,
    TURNSTONE_F_SETSIG = 10,
    TURNSTONE_F_SETLEASE = 1024,
    TURNSTONE_F_RDLCK = 0,
    TURNSTONE_F_UNLCK = 2,
    TURNSTONE_SIGURG = 23,
};

// renameat2(2), whose wrapper is missing in some C libraries.
static inline int turnstone_rename(const char *path, const char *other, unsigned int flags) {
#ifdef SYS_renameat2
    return (int)syscall(SYS_renameat2, TURNSTONE_AT_FDCWD, path, TURNSTONE_AT_FDCWD, other, flags);
#else
    errno = ENOSYS;
    return -1;
#endif
}

// Gives each of two files the name of the other one, in one step.
static inline int turnstone_exchange(const char *path, const char *other) {
    return turnstone_rename(path, other, TURNSTONE_RENAME_EXCHANGE);
}

// Fails when something has the name.
static inline int turnstone_rename_new(const char *path, const char *other) {
    return turnstone_rename(path, other, TURNSTONE_RENAME_NOREPLACE);
}

// Whether somebody has a file open to write to it: then nobody can take a lease to read it (fcntl(2), F_SETLEASE).
// Where there are no leases, nobody.
static inline int turnstone_is_being_written(int descriptor) {
    // A lease that is broken in the moment it is held sends a signal, which must not end the program.
    if (syscall(SYS_fcntl, descriptor, TURNSTONE_F_SETSIG, TURNSTONE_SIGURG) != 0) return 0;
    if (syscall(SYS_fcntl, descriptor, TURNSTONE_F_SETLEASE, TURNSTONE_F_RDLCK) != 0) return errno == EAGAIN;
    syscall(SYS_fcntl, descriptor, TURNSTONE_F_SETLEASE, TURNSTONE_F_UNLCK);
    return 0;
}

static inline ssize_t turnstone_list_attributes(const char *path, char *names, size_t size) { return listxattr(path, names, size); }

static inline ssize_t turnstone_get_attribute(const char *path, const char *name, void *value, size_t size) {
    return getxattr(path, name, value, size);
}

static inline int turnstone_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}
#else
#include <stdio.h>

static inline int turnstone_exchange(const char *path, const char *other) { return renamex_np(path, other, RENAME_SWAP); }

static inline int turnstone_rename_new(const char *path, const char *other) { return renamex_np(path, other, RENAME_EXCL); }

static inline int turnstone_is_being_written(int descriptor) { return 0; }

static inline ssize_t turnstone_list_attributes(const char *path, char *names, size_t size) { return listxattr(path, names, size, 0); }

static inline ssize_t turnstone_get_attribute(const char *path, const char *name, void *value, size_t size) {
    return getxattr(path, name, value, size, 0, 0);
}

static inline int turnstone_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0, 0);
}
#endif

#endif
