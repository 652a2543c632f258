#ifndef TURNSTONE_CLIBYAML_SHIM_H
#define TURNSTONE_CLIBYAML_SHIM_H

#include <yaml.h>

#endif
