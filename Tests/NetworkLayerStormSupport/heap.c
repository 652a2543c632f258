#include "storm_support.h"

#include <malloc.h>

size_t storm_heap_in_use(void) {
    malloc_trim(0);
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
