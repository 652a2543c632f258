#pragma once

#include <stddef.h>

/// Does nothing: who calls it is linked with what stands in front of `Mutex`.
void storm_annotate_mutexes(void);

/// Bytes that the program has asked for and not given back; gives free pages back to the system before.
size_t storm_heap_in_use(void);
