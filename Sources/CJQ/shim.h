#ifndef TURNSTONE_CJQ_SHIM_H
#define TURNSTONE_CJQ_SHIM_H

#include <jv.h>
#include <jq.h>

#endif
