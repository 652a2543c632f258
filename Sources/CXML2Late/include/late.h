// Nothing to call: what late.c defines is declared in libxml2's own headers.
