#ifndef TURNSTONE_CJQ_SHIM_H
#define TURNSTONE_CJQ_SHIM_H

#include <jv.h>
#include <jq.h>

// Why the library can't be used; NULL: it can. See CLate.
const char *turnstone_jq_problem(void);

#endif
