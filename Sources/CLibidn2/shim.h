// Names of hosts beyond ASCII, as libcurl converts them.
#ifndef TURNSTONE_CLIBIDN2_SHIM_H
#define TURNSTONE_CLIBIDN2_SHIM_H

#include <idn2.h>

#endif
