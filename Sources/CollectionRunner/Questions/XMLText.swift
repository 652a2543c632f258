import Base
import CXML2
import RequestCollections

/// What a body is for XPath, by its `Content-Type`.
enum Markup: Sendable {
    case xml
    /// XHTML as well, which need not be well-formed here.
    case html
    case unknown

    init(contentType: String?) {
        let type = contentType?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() ?? ""
        self = type.contains("html") ? .html : type.hasSuffix("/xml") || type.hasSuffix("+xml") ? .xml : .unknown
    }
}

/// A body that libxml2 has read as XML, or else as HTML, for XPath.
///
/// Nothing is fetched for it: neither a DTD nor an entity of another file.
final class XMLText {
    private let document: xmlDocPtr
    /// By prefix; `_` is the default one of the first element.
    private let namespaces: [(prefix: String, uri: String)]

    private init(_ document: xmlDocPtr) {
        self.document = document
        namespaces = Self.namespaces(of: document)
    }

    deinit { xmlFreeDoc(document) }

    /// Why this machine has no libxml2 that can be used.
    static let problem: String? = turnstone_xml_problem().map { "libxml2 can't be loaded: \(String(cString: $0))" }

    /// What says it is XML isn't HTML because it is broken: half a document must not pass for a whole one. And what isn't said to be HTML
    /// has to begin like it, since libxml2 makes HTML of every text.
    static func read(_ body: Data, as markup: Markup) -> Result<XMLText, BodyFilterError> {
        if let problem { return .failure(BodyFilterError(problem)) }
        turnstone_xml_prepare()
        guard body.contains(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) else {
            return .failure(BodyFilterError("the body is empty, and neither XML nor HTML"))
        }
        // What is UTF-8 is that, whatever it says of itself: it may have been converted.
        let isUTF8 = String(validating: body, as: UTF8.self) != nil
        let start = String(decoding: body.prefix(512), as: UTF8.self).lowercased()
        let isXML = markup == .xml || start.contains("<?xml")
        let isHTML = markup != .xml && (start.contains("<!doctype html") || (start.contains("<html") && !isXML))
        var limit: String?
        func isBeyond(_ limit: String) -> BodyFilterError { BodyFilterError("the body is beyond a limit of libxml2: \(limit)") }
        if !isHTML {
            // Entities of entities grow without end, but for limits that hold for deep and long documents as well.
            let hasEntities = !isUTF8 || body.hasBytes("<!DOCTYPE".utf8)
            let options = xmlOptions | (hasEntities ? 0 : Int32(bitPattern: XML_PARSE_HUGE.rawValue))
            if let document = parsed(body, isUTF8, &limit, options, isHTML: false) { return .success(XMLText(document)) }
            // As HTML it would be another document.
            if let limit { return .failure(isBeyond(limit)) }
        }
        if isHTML || !isXML && (markup == .html || beginsWithElementOfHTML(start)) {
            if let document = parsed(body, isUTF8, &limit, htmlOptions, isHTML: true) { return .success(XMLText(document)) }
        }
        return .failure(limit.map(isBeyond) ?? BodyFilterError("the body is neither HTML nor well-formed XML"))
    }

    /// - Parameter limit: gets what libxml2 says, if it gave up although nothing is wrong. Half of a document is none.
    private static func parsed(
        _ body: Data, _ isUTF8: Bool, _ limit: inout String?, _ options: Int32, isHTML: Bool
    ) -> xmlDocPtr? {
        guard let context = isHTML ? htmlNewParserCtxt() : xmlNewParserCtxt() else { return nil }
        defer { isHTML ? htmlFreeParserCtxt(context) : xmlFreeParserCtxt(context) }
        // Before 2.14 the parser of HTML keeps to this option, but doesn't take it.
        if isHTML { context.pointee.options |= Int32(bitPattern: XML_PARSE_HUGE.rawValue) }
        let document = body.withUnsafeBytes { bytes in
            let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let (count, encoding) = (Int32(clamping: bytes.count), isUTF8 ? "UTF-8" : nil)
            return isHTML
                ? htmlCtxtReadMemory(context, text, count, nil, encoding, options)
                : xmlCtxtReadMemory(context, text, count, nil, encoding, options)
        }
        let code = context.pointee.errNo
        // XML_ERR_INTERNAL_ERROR, …_NO_MEMORY, …_ENTITY_LOOP and …_RESOURCE_LIMIT, whose names versions have or don't have.
        let isLimit = [1, 2, 89, 114].contains(code)
        if isLimit || isHTML && context.pointee.disableSAX != 0 {
            limit = context.pointee.lastError.message.map { String(String(cString: $0).prefix { $0 != "\n" }) } ?? "error \(code)"
            xmlFreeDoc(document)
            return nil
        }
        if let document, xmlDocGetRootElement(document) != nil { return document }
        xmlFreeDoc(document)
        return nil
    }

    /// - Parameter start: in lower case.
    private static func beginsWithElementOfHTML(_ start: String) -> Bool {
        guard start.utf8.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) == UInt8(ascii: "<") else { return false }
        for piece in start.utf8.split(separator: UInt8(ascii: "<")) {
            let name = piece.prefix { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
            guard let first = name.first, first >= 0x61, let end = piece[name.endIndex...].first, " \t\r\n/>".utf8.contains(end)
            else {
                continue
            }
            return htmlTagLookup(String(Substring(name))) != nil
        }
        return false
    }

    private static let xmlOptions = Int32(
        bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            // A text is one node, also with entities and sections of character data in it.
            | XML_PARSE_NOENT.rawValue | XML_PARSE_NOCDATA.rawValue)
    private static let htmlOptions = Int32(
        bitPattern: XML_PARSE_HUGE.rawValue | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue
            | HTML_PARSE_NOWARNING.rawValue)

    /// A few seconds.
    private static let mostSteps: UInt = 20_000_000

    /// What an expression finds: the texts of nodes, or one text, number or boolean.
    func values(of expression: String, limit: Int) -> BodyAnswer {
        guard let context = xmlXPathNewContext(document) else { return .failure(BodyFilterError("libxml2 has no memory")) }
        defer { xmlXPathFreeContext(context) }
        context.pointee.opLimit = Self.mostSteps
        for (prefix, uri) in namespaces { xmlXPathRegisterNs(context, prefix, uri) }
        guard let found = xmlXPathEvalExpression(expression, context) else {
            return .failure(BodyFilterError(Self.message(of: context)))
        }
        defer { xmlXPathFreeObject(found) }
        var output = Data()
        for value in Self.values(of: found) {
            let text = value.text(pretty: false).utf8
            guard output.count + text.count <= limit else { return .failure(.tooLong(limit)) }
            output.append(contentsOf: text)
            output.append(0x0A)
        }
        return .success(output)
    }

    private static func values(of found: xmlXPathObjectPtr) -> [JSONValue] {
        switch found.pointee.type {
        case XPATH_NODESET:
            guard let nodes = found.pointee.nodesetval else { return [] }
            return (0..<Int(nodes.pointee.nodeNr)).map { index in
                .string(text { xmlXPathCastNodeToString(nodes.pointee.nodeTab[index]) })
            }
        case XPATH_BOOLEAN: return [.boolean(found.pointee.boolval != 0)]
        case XPATH_NUMBER:
            let number = found.pointee.floatval
            // XPath's numbers are those of IEEE 754; JSON has no such.
            guard number.isFinite else { return [.null] }
            return [.number(Int64(exactly: number).map(String.init) ?? "\(number)")]
        default: return [.string(text { xmlXPathCastToString(found) })]
        }
    }

    private static func text(_ make: () -> UnsafeMutablePointer<xmlChar>?) -> String {
        guard let bytes = make() else { return "" }
        defer { turnstone_xml_free(bytes) }
        return String(cString: bytes)
    }

    /// Without a document: what is said of an expression that isn't one.
    static func complaint(about expression: String) -> String? {
        if let problem { return problem }
        turnstone_xml_prepare()
        guard let context = xmlXPathNewContext(nil) else { return nil }
        defer { xmlXPathFreeContext(context) }
        guard let compiled = xmlXPathCtxtCompile(context, expression) else { return message(of: context) }
        xmlXPathFreeCompExpr(compiled)
        return nil
    }

    private static func message(of context: xmlXPathContextPtr) -> String {
        switch xmlXPathError(UInt32(max(0, context.pointee.lastError.code - Int32(bitPattern: XML_XPATH_EXPRESSION_OK.rawValue)))) {
        case XPATH_UNDEF_PREFIX_ERROR:
            "it has a prefix of a namespace that the body doesn't declare; `_` is the default one of its first element"
        case XPATH_UNKNOWN_FUNC_ERROR: "it calls a function that XPath 1.0 doesn't have"
        case XPATH_UNDEF_VARIABLE_ERROR: "it has a variable, and there are none"
        case XPATH_MEMORY_ERROR, XPATH_OP_LIMIT_EXCEEDED, XPATH_RECURSION_LIMIT_EXCEEDED: "it takes too many steps"
        default: "it isn't an expression of XPath 1.0"
        }
    }

    private static func namespaces(of document: xmlDocPtr) -> [(prefix: String, uri: String)] {
        var found: [(prefix: String, uri: String)] = []
        var node = xmlDocGetRootElement(document)
        let root = node
        while let current = node {
            if current.pointee.type == XML_ELEMENT_NODE {
                var namespace = current.pointee.nsDef
                while let declared = namespace {
                    let prefix = declared.pointee.prefix.map { String(cString: $0) }
                    if let uri = declared.pointee.href.map({ String(cString: $0) }), prefix != nil || current == root {
                        let name = prefix ?? "_"
                        if !found.contains(where: { $0.prefix == name }) { found.append((name, uri)) }
                    }
                    namespace = declared.pointee.next
                }
            }
            node = current.pointee.type == XML_ELEMENT_NODE ? current.pointee.children ?? next(current, root) : next(current, root)
        }
        return found
    }

    /// The next node that isn't below one.
    private static func next(_ node: xmlNodePtr, _ root: xmlNodePtr?) -> xmlNodePtr? {
        var node: xmlNodePtr? = node
        while let current = node, current != root {
            if let next = current.pointee.next { return next }
            node = current.pointee.parent
        }
        return nil
    }
}
