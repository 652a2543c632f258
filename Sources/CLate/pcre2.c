// The functions of PCRE2 that the program calls: most runs have no regular expression.

#include "late.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#if defined(__APPLE__)
LATE_LIBRARY("libpcre2-8.dylib", pcre2, "pcre2_match_8")
#else
LATE_LIBRARY("libpcre2-8.so.0", pcre2, "pcre2_match_8")
#endif

LATE(pcre2_compile_context_8 *, pcre2_compile_context_create_8, (pcre2_general_context_8 *general), (general))
LATE(void, pcre2_compile_context_free_8, (pcre2_compile_context_8 *context), (context))
LATE(int, pcre2_set_newline_8, (pcre2_compile_context_8 *context, uint32_t value), (context, value))
LATE(int, pcre2_set_compile_extra_options_8, (pcre2_compile_context_8 *context, uint32_t options), (context, options))
LATE(pcre2_code_8 *, pcre2_compile_8,
     (PCRE2_SPTR8 pattern, PCRE2_SIZE count, uint32_t options, int *error, PCRE2_SIZE *offset, pcre2_compile_context_8 *context),
     (pattern, count, options, error, offset, context))
LATE(void, pcre2_code_free_8, (pcre2_code_8 *code), (code))
LATE(int, pcre2_get_error_message_8, (int error, PCRE2_UCHAR8 *text, PCRE2_SIZE count), (error, text, count))
LATE(pcre2_match_context_8 *, pcre2_match_context_create_8, (pcre2_general_context_8 *general), (general))
LATE(void, pcre2_match_context_free_8, (pcre2_match_context_8 *context), (context))
LATE(int, pcre2_set_match_limit_8, (pcre2_match_context_8 *context, uint32_t value), (context, value))
LATE(int, pcre2_set_depth_limit_8, (pcre2_match_context_8 *context, uint32_t value), (context, value))
LATE(int, pcre2_set_heap_limit_8, (pcre2_match_context_8 *context, uint32_t value), (context, value))
LATE(int, pcre2_set_offset_limit_8, (pcre2_match_context_8 *context, PCRE2_SIZE value), (context, value))
LATE(pcre2_match_data_8 *, pcre2_match_data_create_from_pattern_8, (const pcre2_code_8 *code, pcre2_general_context_8 *general),
     (code, general))
LATE(void, pcre2_match_data_free_8, (pcre2_match_data_8 *data), (data))
LATE(int, pcre2_match_8,
     (const pcre2_code_8 *code, PCRE2_SPTR8 text, PCRE2_SIZE count, PCRE2_SIZE start, uint32_t options, pcre2_match_data_8 *data,
      pcre2_match_context_8 *context),
     (code, text, count, start, options, data, context))
LATE(PCRE2_SIZE *, pcre2_get_ovector_pointer_8, (pcre2_match_data_8 *data), (data))
LATE(uint32_t, pcre2_get_ovector_count_8, (pcre2_match_data_8 *data), (data))
