// The functions of libxml2 that the program calls. With it would come ICU: a seventh of the instructions of every start.

#include "late.h"
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// What the headers are of: its structures are read, too.
#if defined(__APPLE__)
LATE_LIBRARY("libxml2.2.dylib", xml, "xmlXPathEvalExpression")
#elif LIBXML_VERSION >= 21400
LATE_LIBRARY("libxml2.so.16", xml, "xmlXPathEvalExpression")
#else
LATE_LIBRARY("libxml2.so.2", xml, "xmlXPathEvalExpression")
#endif

LATE(xmlParserCtxtPtr, xmlNewParserCtxt, (void), ())
LATE(void, xmlFreeParserCtxt, (xmlParserCtxtPtr context), (context))
LATE(xmlDocPtr, xmlCtxtReadMemory,
     (xmlParserCtxtPtr context, const char *text, int count, const char *url, const char *encoding, int options),
     (context, text, count, url, encoding, options))
LATE(htmlParserCtxtPtr, htmlNewParserCtxt, (void), ())
LATE(void, htmlFreeParserCtxt, (htmlParserCtxtPtr context), (context))
LATE(htmlDocPtr, htmlCtxtReadMemory,
     (htmlParserCtxtPtr context, const char *text, int count, const char *url, const char *encoding, int options),
     (context, text, count, url, encoding, options))
LATE(void, xmlSetExternalEntityLoader, (xmlExternalEntityLoader loader), (loader))
LATE(const htmlElemDesc *, htmlTagLookup, (const xmlChar *tag), (tag))
LATE(void, xmlFreeDoc, (xmlDocPtr document), (document))
LATE(xmlNodePtr, xmlDocGetRootElement, (const xmlDoc *document), (document))
LATE(xmlXPathContextPtr, xmlXPathNewContext, (xmlDocPtr document), (document))
LATE(void, xmlXPathFreeContext, (xmlXPathContextPtr context), (context))
LATE(int, xmlXPathRegisterNs, (xmlXPathContextPtr context, const xmlChar *prefix, const xmlChar *uri), (context, prefix, uri))
LATE(xmlXPathObjectPtr, xmlXPathEvalExpression, (const xmlChar *text, xmlXPathContextPtr context), (text, context))
LATE(void, xmlXPathFreeObject, (xmlXPathObjectPtr object), (object))
LATE(xmlChar *, xmlXPathCastNodeToString, (xmlNodePtr node), (node))
LATE(xmlChar *, xmlXPathCastToString, (xmlXPathObjectPtr object), (object))
LATE(xmlXPathCompExprPtr, xmlXPathCtxtCompile, (xmlXPathContextPtr context, const xmlChar *text), (context, text))
LATE(void, xmlXPathFreeCompExpr, (xmlXPathCompExprPtr expression), (expression))
LATE(void, xmlSetGenericErrorFunc, (void *context, xmlGenericErrorFunc report), (context, report))

// A variable with a function in it.
void turnstone_xml_free(void *memory) {
    static xmlFreeFunc *function;
    xmlFreeFunc *known = __atomic_load_n(&function, __ATOMIC_ACQUIRE);
    if (!known) {
        known = (xmlFreeFunc *)symbol("xmlFree");
        __atomic_store_n(&function, known, __ATOMIC_RELEASE);
    }
    (*known)(memory);
}
