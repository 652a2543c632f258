#ifndef TURNSTONE_CXML2_SHIM_H
#define TURNSTONE_CXML2_SHIM_H

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// Swift has no functions with as many arguments as one likes.
static void turnstone_xml_say_nothing(void *context, const char *message, ...) {
    (void)context;
    (void)message;
}

static xmlParserInputPtr turnstone_xml_load_nothing(const char *url, const char *id, xmlParserCtxtPtr context) {
    (void)url;
    (void)id;
    (void)context;
    return NULL;
}

// Its own way to report is standard error. No entity or DTD of another file is read, whatever a document asks for.
static inline void turnstone_xml_prepare(void) {
    xmlSetGenericErrorFunc(NULL, turnstone_xml_say_nothing);
    xmlSetExternalEntityLoader(turnstone_xml_load_nothing);
}

// `xmlFree`, which is a variable with a function in it: see CLate.
void turnstone_xml_free(void *memory);

// Why the library can't be used; NULL: it can. See CLate.
const char *turnstone_xml_problem(void);

#endif
