// The functions of libjq that the program calls. With it would come Oniguruma.

#include "late.h"
#include <jv.h>
#include <jq.h>

#if defined(__APPLE__)
LATE_LIBRARY("libjq.1.dylib", jq, "jq_next")
#else
LATE_LIBRARY("libjq.so.1", jq, "jq_next")
#endif

LATE(jq_state *, jq_init, (void), ())
LATE(void, jq_teardown, (jq_state **state), (state))
LATE(void, jq_set_error_cb, (jq_state *state, jq_msg_cb report, void *context), (state, report, context))
LATE(void, jq_set_debug_cb, (jq_state *state, jq_msg_cb report, void *context), (state, report, context))
LATE(int, jq_compile, (jq_state *state, const char *program), (state, program))
LATE(void, jq_start, (jq_state *state, jv input, int flags), (state, input, flags))
LATE(jv, jq_next, (jq_state *state), (state))

LATE(jv_kind, jv_get_kind, (jv value), (value))
LATE(jv, jv_copy, (jv value), (value))
LATE(void, jv_free, (jv value), (value))
LATE(int, jv_invalid_has_msg, (jv value), (value))
LATE(jv, jv_invalid_get_msg, (jv value), (value))
LATE(jv, jv_bool, (int value), (value))
LATE(jv, jv_array, (void), ())
LATE(int, jv_array_length, (jv array), (array))
LATE(jv, jv_array_get, (jv array, int index), (array, index))
LATE(jv, jv_array_append, (jv array, jv value), (array, value))
LATE(jv, jv_object, (void), ())
LATE(jv, jv_object_get, (jv object, jv key), (object, key))
LATE(jv, jv_object_set, (jv object, jv key, jv value), (object, key, value))
LATE(jv, jv_string, (const char *text), (text))
LATE(int, jv_string_length_bytes, (jv text), (text))
LATE(const char *, jv_string_value, (jv text), (text))

LATE(struct jv_parser *, jv_parser_new, (int flags), (flags))
LATE(void, jv_parser_free, (struct jv_parser *parser), (parser))
LATE(void, jv_parser_set_buf, (struct jv_parser *parser, const char *text, int count, int isPartial), (parser, text, count, isPartial))
LATE(jv, jv_parser_next, (struct jv_parser *parser), (parser))
LATE(jv, jv_parse, (const char *text), (text))
LATE(jv, jv_dump_string, (jv value, int flags), (value, flags))
