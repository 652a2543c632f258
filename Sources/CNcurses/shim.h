// What Swift cannot call of ncurses: its macros and globals, one function each.
#ifndef TURNSTONE_CNCURSES_SHIM_H
#define TURNSTONE_CNCURSES_SHIM_H

#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

static inline int turnstone_ncurses_colors(void) { return COLORS; }
static inline int turnstone_ncurses_color_pairs(void) { return COLOR_PAIRS; }
// Swift never names the type: to it a pointer to a WINDOW is an OpaquePointer where the header hides the members, as ncurses 6.5's does.
static inline WINDOW *turnstone_ncurses_screen(void) { return stdscr; }

static const attr_t turnstone_ncurses_bold = WA_BOLD;
static const attr_t turnstone_ncurses_dim = WA_DIM;
static const attr_t turnstone_ncurses_italic = WA_ITALIC;
static const attr_t turnstone_ncurses_underline = WA_UNDERLINE;
static const attr_t turnstone_ncurses_reverse = WA_REVERSE;
static const attr_t turnstone_ncurses_line_drawing = WA_ALTCHARSET;

// The pair is passed beside the cell: only so can there be more than 32767 of them.
static inline int turnstone_ncurses_set_cell(cchar_t *cell, const wchar_t *text, attr_t attributes, int pair) {
    return setcchar(cell, text, attributes, 0, &pair);
}

// Not in the platform's own module, for want of a feature macro.
extern int wcwidth(wchar_t);
static inline int turnstone_ncurses_width(wchar_t character) { return wcwidth(character); }

#endif
