#ifndef TURNSTONE_CPCRE2_SHIM_H
#define TURNSTONE_CPCRE2_SHIM_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

// Why the library can't be used; NULL: it can. See CLate.
const char *turnstone_pcre2_problem(void);

#endif
