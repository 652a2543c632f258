import CLibYAML

/// The tree of one YAML file.
///
/// Walks the events of libyaml, which know where a value starts and ends.
package struct YAMLDocument: Sendable {
    let path: String
    let bytes: [UInt8]
    /// `nil` for a file without a value.
    package let root: YAMLNode?
    /// The anchors that some alias names.
    let usedAnchors: Set<String>

    /// What a file may hold.
    enum Limits {
        /// Bytes.
        static let size = 16 << 20
        /// Levels of lists and maps.
        static let depth = 64
        /// Nodes after every alias is replaced by what it stands for, so that a small file can't fill the memory.
        static let expandedNodes = 2_000_000
    }

    /// - Throws: ``CollectionProblem`` at the place where the text stops being YAML.
    package init(path: String, bytes: [UInt8]) throws(CollectionProblem) {
        self.path = path
        self.bytes = bytes
        var composer = YAMLComposer(path: path)
        root = try composer.compose(bytes)
        usedAnchors = composer.usedAnchors
    }
}

/// Builds the tree out of libyaml's events.
private struct YAMLComposer {
    let path: String
    var usedAnchors: Set<String> = []
    /// The byte order mark in front of the text, in bytes and in characters: libyaml would count it as a column.
    private var markBytes = 0
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private var event = yaml_event_t()
    private var anchors: [String: (node: YAMLNode, weight: Int)] = [:]
    /// Nodes so far, each alias counted with all that it stands for.
    private var weight = 0
    /// How far ``hasColon(between:and:_:)`` has counted.
    private var counted = (index: 0, offset: 0)

    init(path: String) {
        self.path = path
    }

    mutating func compose(_ bytes: [UInt8]) throws(CollectionProblem) -> YAMLNode? {
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw problem(YAMLMark(index: 0, line: 0, column: 0), "there is not enough memory to read this file")
        }
        defer {
            yaml_event_delete(&event)
            yaml_parser_delete(parser)
            parser.deallocate()
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { markBytes = 3 }
        // The parser keeps the pointer, so all of it happens inside this closure. A typed `throws` doesn't pass through it.
        let result: Result<YAMLNode?, CollectionProblem> = bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_input_string(parser, buffer.baseAddress.map { $0 + markBytes }, buffer.count - markBytes)
            do throws(CollectionProblem) {
                return .success(try document(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private mutating func document(_ bytes: [UInt8]) throws(CollectionProblem) -> YAMLNode? {
        try next(bytes)
        try next(bytes)
        guard event.type == YAML_DOCUMENT_START_EVENT else { return nil }
        try next(bytes)
        let root = try node(bytes, depth: 0)
        try next(bytes)
        try next(bytes)
        guard event.type == YAML_STREAM_END_EVENT else {
            throw problem(mark(event.start_mark), "a second document starts here; a file of a collection holds one")
        }
        return root
    }

    private mutating func next(_ bytes: [UInt8]) throws(CollectionProblem) {
        yaml_event_delete(&event)
        guard yaml_parser_parse(parser, &event) == 1 else { throw parserProblem(bytes) }
    }

    /// The node that begins with the current event; its last event is then the current one.
    private mutating func node(_ bytes: [UInt8], depth: Int) throws(CollectionProblem) -> YAMLNode {
        let start = mark(event.start_mark)
        guard depth <= Limits.depth else {
            throw problem(start, Self.tooDeep)
        }
        let before = weight
        weight += 1
        guard weight <= Limits.expandedNodes else {
            throw problem(
                start, "the file has more than \(Limits.expandedNodes) values, each alias counted with what it stands for")
        }
        switch event.type {
        case YAML_ALIAS_EVENT:
            return try alias(start)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            var node = YAMLNode(content: .scalar(text, style(scalar.style)), start: start, end: mark(event.end_mark))
            register(&node, string(scalar.anchor), string(scalar.tag), since: before)
            return node
        case YAML_SEQUENCE_START_EVENT:
            let anchor = string(event.data.sequence_start.anchor)
            let tag = string(event.data.sequence_start.tag)
            let isFlow = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
            var items: [YAMLNode] = []
            try next(bytes)
            while event.type != YAML_SEQUENCE_END_EVENT {
                items.append(try node(bytes, depth: depth + 1))
                try next(bytes)
            }
            let end = isFlow ? mark(event.end_mark) : items.last?.end ?? start
            var node = YAMLNode(content: .sequence(items, isFlow: isFlow), start: start, end: end)
            register(&node, anchor, tag, since: before)
            return node
        case YAML_MAPPING_START_EVENT:
            let anchor = string(event.data.mapping_start.anchor)
            let tag = string(event.data.mapping_start.tag)
            let isFlow = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
            var pairs: [YAMLPair] = []
            try next(bytes)
            while event.type != YAML_MAPPING_END_EVENT {
                let key = try node(bytes, depth: depth + 1)
                if isFlow, pairs.isEmpty, key.isFlow, key.pairs != nil, key.start.index == start.index + 1 {
                    throw problem(start, YAMLHint.template)
                }
                try next(bytes)
                let value = try node(bytes, depth: depth + 1)
                let hasColon = !isFlow || !value.isAbsent || self.hasColon(between: key.end, and: value.start, bytes)
                pairs.append(YAMLPair(key: key, value: value, hasColon: hasColon))
                try next(bytes)
            }
            let end = isFlow ? mark(event.end_mark) : pairs.last?.value.end ?? start
            let merged = try YAMLMerge.merged(pairs, in: path)
            var node = YAMLNode(content: .mapping(merged ?? pairs, isFlow: isFlow), start: start, end: end)
            if merged != nil { node.decoration = .init(hasMerge: true) }
            register(&node, anchor, tag, since: before)
            return node
        default:
            throw problem(start, "a value is missing here")
        }
    }

    /// Places are asked for in their order.
    private mutating func hasColon(between start: YAMLMark, and end: YAMLMark, _ bytes: [UInt8]) -> Bool {
        func offset(of index: UInt32) -> Int {
            while counted.offset < bytes.count, counted.index < index || bytes[counted.offset] & 0xC0 == 0x80 {
                counted.offset += 1
                if counted.offset < bytes.count, bytes[counted.offset] & 0xC0 != 0x80 { counted.index += 1 }
            }
            return counted.offset
        }
        let first = offset(of: start.index)
        return bytes[first..<max(first, offset(of: end.index))].contains(UInt8(ascii: ":"))
    }

    private mutating func alias(_ start: YAMLMark) throws(CollectionProblem) -> YAMLNode {
        let name = string(event.data.alias.anchor) ?? ""
        guard let (target, targetWeight) = anchors[name] else {
            throw problem(start, "no value before this has the anchor `&\(name)`")
        }
        usedAnchors.insert(name)
        weight += targetWeight
        guard weight <= Limits.expandedNodes else {
            throw problem(
                start, "the file has more than \(Limits.expandedNodes) values, each alias counted with what it stands for")
        }
        return YAMLNode(
            content: target.content, start: start, end: mark(event.end_mark),
            decoration: .init(tag: target.decoration?.tag, alias: name))
    }

    private mutating func register(_ node: inout YAMLNode, _ anchor: String?, _ tag: String?, since before: Int) {
        guard anchor != nil || tag != nil else { return }
        node.decoration = .init(anchor: anchor, tag: tag, hasMerge: node.decoration?.hasMerge ?? false)
        if let anchor { anchors[anchor] = (node, weight - before) }
    }

    private func parserProblem(_ bytes: [UInt8]) -> CollectionProblem {
        let what = parser.pointee.problem.map { String(cString: $0) } ?? "it can't be parsed"
        if parser.pointee.error == YAML_READER_ERROR {
            // The reader knows bytes only.
            let before = bytes.dropFirst(markBytes).prefix(parser.pointee.problem_offset)
            let line = before.count { $0 == 0x0A }
            let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
            let inLine = before[lineStart...].count { $0 & 0xC0 != 0x80 }
            let mark = YAMLMark(index: 0, line: UInt32(line), column: UInt32(inLine))
            return problem(mark, what.contains("control") ? "a control character can't stand here" : "this byte is not UTF-8")
        }
        if what.hasPrefix("Maximum nesting") { return problem(mark(parser.pointee.mark), Self.tooDeep) }
        var sentence = "this is not YAML: \(what)"
        let context = parser.pointee.context.map { String(cString: $0) }
        if let context {
            let start = parser.pointee.context_mark
            let line = Self.line(start.line, of: bytes.dropFirst(markBytes))
            if let column = YAMLHint.templateColumn(in: line), column <= start.column {
                return problem(YAMLMark(index: 0, line: UInt32(start.line), column: UInt32(column)), YAMLHint.template)
            }
            sentence += " (\(context) that starts in line \(start.line + 1))"
        }
        sentence += YAMLHint.text(
            what, context, at: parser.pointee.problem_mark.column,
            in: Self.line(parser.pointee.problem_mark.line, of: bytes.dropFirst(markBytes)))
        return problem(mark(parser.pointee.problem_mark), sentence)
    }

    private static func line(_ number: Int, of bytes: ArraySlice<UInt8>) -> String {
        let lines = bytes.split(separator: 0x0A, maxSplits: number + 1, omittingEmptySubsequences: false)
        return lines.indices.contains(number) ? String(decoding: lines[number], as: UTF8.self) : ""
    }

    private func problem(_ mark: YAMLMark, _ message: String) -> CollectionProblem {
        CollectionProblem(location: mark.location(in: path), message: message)
    }

    private func mark(_ mark: yaml_mark_t) -> YAMLMark {
        YAMLMark(index: UInt32(mark.index) + (markBytes > 0 ? 1 : 0), line: UInt32(mark.line), column: UInt32(mark.column))
    }

    private func style(_ style: yaml_scalar_style_t) -> YAMLScalarStyle {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    private func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(decodingCString: $0, as: UTF8.self) }
    }

    private static let tooDeep = "lists and maps are nested more than \(Limits.depth) deep"

    private typealias Limits = YAMLDocument.Limits
}

/// The way out of what libyaml says, for what people write by mistake most often.
enum YAMLHint {
    /// What a template needs that stands at the beginning of a value: to YAML its braces are a map in a map.
    static let template = "a value that begins with `{{` stands in quotes: `\"{{name}}\"`"

    /// As the end of a sentence; empty for what has no usual cause.
    ///
    /// - Parameters:
    ///   - problem: libyaml's.
    ///   - context: what it was at, in libyaml's words.
    ///   - column: where in the line it stands, from 0.
    static func text(_ problem: String, _ context: String?, at column: Int, in line: String) -> String {
        switch (problem, context) {
        case (_, "while scanning an alias"?), (_, "while scanning an anchor"?):
            "; a text that begins with `*` or `&` stands in quotes"
        case ("mapping values are not allowed in this context", _):
            "; a text with a colon and a space in it stands in quotes"
        case ("did not find expected ',' or '}'", _), ("did not find expected ',' or ']'", _):
            between(column, line)
        case ("found character that cannot start any token", _):
            "; a text that begins with `@`, `%` or a backtick stands in quotes, and spaces indent, not tabs"
        default: ""
        }
    }

    /// A plain text between brackets and braces ends at the next one of them, wherever that is: `{ .a[0]: x }`, `{ body: /\\d{4}/ }`.
    private static func between(_ column: Int, _ line: String) -> String {
        let characters = Array(line.unicodeScalars.map(Character.init))
        guard characters.indices.contains(column), "[]{},".contains(characters[column]) else {
            return "; between brackets and braces a text with one of them or a comma in it stands in quotes"
        }
        let character = characters[column]
        // From the bracket, comma or colon before it to the next end that isn't in brackets itself.
        var start = column
        while start > 0, !"{[,".contains(characters[start - 1]),
            characters[start - 1] != " " || characters[max(0, start - 2)] != ":"
        {
            start -= 1
        }
        var depth = 0
        var end = column
        while end < characters.count {
            let next = characters[end]
            if "[{".contains(next) { depth += 1 }
            if "]}".contains(next) { depth -= 1 }
            if depth < 0 || depth == 0 && next == "," || next == ":" && end + 1 < characters.count && characters[end + 1] == " " {
                break
            }
            end += 1
        }
        let text = String(characters[start..<end]).trimmingBlanks
        guard text.contains(character), text.first != character else {
            return "; between brackets and braces a text with `\(character)` in it stands in quotes"
        }
        let isKey = end < characters.count && characters[end] == ":"
        let before = String(characters[..<start]).split { "{[, ".contains($0) }.last ?? ""
        let key = before.hasSuffix(":") ? before : "…:"
        let line = isKey ? "\(text): …" : "\(key) \(text)"
        // A regular expression in quotes is a text.
        let quotes = text.hasPrefix("/") && !isKey ? "" : "put it in quotes, or "
        return "; between brackets and braces `\(character)` is a sign of YAML's own, and `\(text)` has one: \(quotes)write "
            + "`\(line)` on a line of its own, without braces around it"
    }

    /// Where in a line of the file a value begins with `{{`: a column, from 0.
    static func templateColumn(in line: String) -> Int? {
        let characters = Array(line.unicodeScalars)
        var before: Unicode.Scalar?
        for (column, scalar) in characters.enumerated() {
            if scalar == "{", column + 1 < characters.count, characters[column + 1] == "{", let before,
                ":-,[".unicodeScalars.contains(before)
            {
                return column
            }
            if scalar != " " { before = scalar }
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingBlanks: String { String(Substring(self).trimmed) }
}
