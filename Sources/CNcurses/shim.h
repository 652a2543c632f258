// What Swift cannot call of ncurses: its macros and globals, one function each.
#ifndef TURNSTONE_CNCURSES_SHIM_H
#define TURNSTONE_CNCURSES_SHIM_H

#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

static inline int turnstone_ncurses_colors(void) { return COLORS; }

#endif
