// The functions of libxml2 that the program calls, each of which loads the library when it is called first. Only the process that answers
// XPath calls them; linked in the usual way libxml2, and with it ICU, would take a seventh of the instructions of every start.
//
// They are declared in libxml2's headers, which the compiler holds them against.

#include <dlfcn.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>
#include <stdlib.h>

// What the headers are of: its structures are read, too.
#if defined(__APPLE__)
#define LIBRARY "libxml2.2.dylib"
#elif LIBXML_VERSION >= 21400
#define LIBRARY "libxml2.so.16"
#else
#define LIBRARY "libxml2.so.2"
#endif

static void *symbol(const char *name) {
    static void *library;
    if (!library) library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, name) : NULL;
    if (found) return found;
    fprintf(stderr, "turnstone: XPath needs libxml2: %s\n", dlerror());
    exit(127);
}

#define LATE(type, name, parameters, arguments)                  \
    type name parameters {                                       \
        static __typeof__(&name) function;                       \
        if (!function) function = (__typeof__(&name))symbol(#name); \
        return function arguments;                               \
    }

LATE(xmlDocPtr, xmlReadMemory, (const char *text, int count, const char *url, const char *encoding, int options),
     (text, count, url, encoding, options))
LATE(htmlDocPtr, htmlReadMemory, (const char *text, int count, const char *url, const char *encoding, int options),
     (text, count, url, encoding, options))
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
    if (!function) function = (xmlFreeFunc *)symbol("xmlFree");
    (*function)(memory);
}
