import Base
import NetworkLayer

/// A JSON Schema (draft 2020-12, https://json-schema.org), as `expect: { body: { schema: order.json } }` names it.
///
/// Older drafts are taken as far as their words differ: `items` as a list, `additionalItems`, `dependencies`, `definitions`, and `$ref`
/// that stands alone. `format` and `content…` are remarks, as the standard has it. Nothing is fetched: what `$ref` names must be in the
/// schema, or in a file beside it.
package final class JSONSchema: Sendable {
    /// What each file says, the first by its own URI.
    let documents: [String: JSONValue]
    let root: String
    /// By URI, without a fragment.
    let resources: [String: Place]
    /// By URI with `#name`.
    let anchors: [String: Place]
    let dynamicAnchors: [String: Place]
    /// In the order of the files.
    let unknownKeywords: [UnknownKeyword]
    /// Whether it is of a draft before 2019-09, or of OpenAPI 3.0: nothing counts beside a `$ref`.
    let isOld: Bool
    let kind: Kind

    /// Where the schemas are.
    package enum Kind: Hashable, Sendable {
        /// The document is one.
        case schema
        /// In a document of OpenAPI, which has its own dialect (3.0), or draft 2020-12 (3.1).
        case openAPI(isThreeZero: Bool)
    }

    struct Place: Sendable {
        var schema: JSONValue
        /// What a reference in it is relative to: its own `$id` is a part of it.
        var base: String
    }

    /// - Parameters:
    ///   - path: where the file lies; references to other files are relative to it.
    ///   - read: gives another file, by its path.
    /// - Throws: a sentence about what isn't there, or is no schema.
    package convenience init(
        _ value: JSONValue, at path: String, as kind: Kind = .schema,
        reading read: (String) throws(JSONSchemaError) -> JSONValue
    ) throws(JSONSchemaError) {
        let root = Self.uri(ofFile: path)
        var documents = [root: value]
        var waiting = [root]
        while let uri = waiting.popLast(), let document = documents[uri] {
            var index = Index(kind)
            index.add(document, base: uri)
            for reference in index.references {
                let target = reference.uri.prefix { $0 != "#" }
                guard target.hasPrefix(Self.filePrefix), documents[String(target)] == nil, index.resources[String(target)] == nil
                else { continue }
                guard documents.count < Self.mostFiles else {
                    throw JSONSchemaError("it refers to more than \(Self.mostFiles) files")
                }
                documents[String(target)] = try read(URLCoding.percentDecoded(target.dropFirst(Self.filePrefix.count)))
                waiting.append(String(target))
            }
        }
        try self.init(documents, root: root, kind)
    }

    private init(_ documents: [String: JSONValue], root: String, _ kind: Kind) throws(JSONSchemaError) {
        self.documents = documents
        self.root = root
        self.kind = kind
        var index = Index(kind)
        for (uri, document) in documents.sorted(by: { $0.key < $1.key }) { index.add(document, base: uri) }
        resources = index.resources
        anchors = index.anchors
        dynamicAnchors = index.dynamicAnchors
        // What a reference leads through is a place for schemas, whatever it is called.
        let steps = Set(
            index.references.flatMap { reference in
                (reference.uri.halves(at: "#")?.behind ?? "").pieces(at: "/").map { URLCoding.percentDecoded($0) }
            })
        unknownKeywords = index.unknownKeywords.filter { !steps.contains($0.name) }
        switch documents[root] {
        case .object, .boolean: break
        default: throw JSONSchemaError("a schema is a map, or true or false")
        }
        isOld = kind == .openAPI(isThreeZero: true) || documents[root]?["$schema"]?.string?.contains("/draft-0") == true
        // Little is asked of a document about a whole service: what is wrong elsewhere in it doesn't matter.
        guard kind == .schema else { return }
        for pattern in index.patterns {
            do throws(MatcherError) {
                try MatcherText.check(pattern: pattern, .ecmaScript)
            } catch {
                throw JSONSchemaError("`\(pattern)`: \(error.message)")
            }
        }
        for reference in index.references where place(of: reference.uri) == nil {
            throw JSONSchemaError("`\(reference.text)` names a schema that isn't in it; nothing is fetched")
        }
    }

    private static let mostFiles = 1000
    fileprivate static let filePrefix = "file:"

    static func uri(ofFile path: String) -> String {
        normalized(filePrefix + URLCoding.percentEncoded(path.utf8) { URLCoding.isUnreserved($0) || $0 == UInt8(ascii: "/") })
    }

    /// Without `.` and `a/..` in the path, so that each file has one name, and a circle of files an end.
    private static func normalized(_ uri: String) -> String {
        let path = uri.dropFirst(filePrefix.count).prefix { $0 != "#" }
        var steps: [Substring] = []
        for step in path.split(separator: "/", omittingEmptySubsequences: false) where step != "." {
            if step == "..", let last = steps.last, last != "..", !last.isEmpty {
                steps.removeLast()
            } else {
                steps.append(step)
            }
        }
        return filePrefix + steps.joined(separator: "/") + uri[path.endIndex...]
    }

    // MARK: References

    /// RFC 3986, section 5.2.
    static func resolve(_ reference: String, against base: String) -> String {
        let base = String(base.prefix { $0 != "#" })
        if reference.isEmpty { return base }
        if reference.hasPrefix("#") { return base + reference }
        let scheme = reference.utf8.prefix { 0x61...0x7A ~= $0 | 0x20 && $0 < 0x80 || "0123456789+.-".utf8.contains($0) }
        if !scheme.isEmpty, reference.utf8[scheme.endIndex...].first == UInt8(ascii: ":") { return reference }
        // A path alone has no authority to begin with.
        if base.hasPrefix(filePrefix), !base.hasPrefix(filePrefix + "/") {
            let directory = base.dropFirst(filePrefix.count).lastIndex(of: "/").map { base[...$0] } ?? Substring(filePrefix)
            return normalized(reference.hasPrefix("/") ? filePrefix + reference : directory + reference)
        }
        return URL(string: reference, relativeTo: URL(string: base))?.absoluteString ?? reference
    }

    /// What a URI with its fragment names: all of a resource, a place in it by its JSON Pointer (RFC 6901), or an anchor.
    func place(of uri: String) -> Place? {
        guard let mark = uri.firstIndex(of: "#") else { return resources[uri] }
        let fragment = URLCoding.percentDecoded(uri[uri.index(after: mark)...])
        let base = String(uri[..<mark])
        if fragment.isEmpty { return resources[base] }
        guard fragment.hasPrefix("/") else { return anchors["\(base)#\(fragment)"] }
        guard var place = resources[base] else { return nil }
        for name in JSONPointer.steps(uri[uri.index(after: mark)...]) {
            switch place.schema {
            case .object(let members):
                guard let member = members.last(where: { $0.isNamed(name) }) else { return nil }
                place.schema = member.value
            case .array(let items):
                guard let index = Int(name), items.indices.contains(index) else { return nil }
                place.schema = items[index]
            default: return nil
            }
            if let id = place.schema["$id"]?.string { place.base = Self.resolve(id, against: place.base) }
        }
        return place
    }
}

extension JSONSchema: Hashable {
    package static func == (left: JSONSchema, right: JSONSchema) -> Bool {
        left === right || left.root == right.root && left.documents == right.documents
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

/// Why a file is no schema.
package struct JSONSchemaError: Error, Hashable {
    package var message: String

    package init(_ message: String) { self.message = message }
}

extension JSONSchema {
    /// Finds every schema in a document: what has a name, and what is referred to. Values, such as those of `enum`, have none.
    private struct Index {
        var resources: [String: Place] = [:]
        var anchors: [String: Place] = [:]
        var dynamicAnchors: [String: Place] = [:]
        var references: [(text: String, uri: String)] = []
        var patterns: [String] = []
        private(set) var unknownKeywords: [UnknownKeyword] = []
        /// The file that is looked at; `nil`: it says that its keywords are its author's own.
        private var file: String?
        private var depth = 0
        private let kind: Kind

        init(_ kind: Kind) { self.kind = kind }

        private static let maps: Set<String> = [
            "$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies",
        ]
        private static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
        private static let single: Set<String> = [
            "items", "additionalItems", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
            "unevaluatedItems", "unevaluatedProperties", "contentSchema",
        ]

        mutating func add(_ document: JSONValue, base: String) {
            let own = document["$id"]?.string.map { JSONSchema.resolve($0, against: base).prefix { $0 != "#" } }
            resources[base] = Place(schema: document, base: own.map(String.init) ?? base)
            let isStandard = document["$schema"]?.string.map { $0.contains("json-schema.org/") } ?? true
            file = isStandard ? URLCoding.percentDecoded(base.dropFirst(JSONSchema.filePrefix.count)) : nil
            if kind == .schema { walk(document, base) } else { walkAll(document, base, isMap: false) }
        }

        /// Names in these are anybody's.
        private static let mapsOfOpenAPI = maps.union([
            "paths", "webhooks", "pathItems", "responses", "headers", "content", "schemas", "callbacks", "parameters",
            "requestBodies",
        ])
        /// Values of the service, and no part of the document.
        private static let values: Set<String> = ["example", "examples", "default", "enum", "const"]

        /// All of a document of OpenAPI, or of a file that it refers to, of which nobody knows what it is.
        private mutating func walkAll(_ value: JSONValue, _ outer: String, isMap: Bool) {
            guard depth < 512 else { return }
            depth += 1
            defer { depth -= 1 }
            for item in value.items { walkAll(item, outer, isMap: false) }
            guard case .object(let members) = value else { return }
            var base = outer
            if !isMap {
                if kind == .openAPI(isThreeZero: false), let id = value["$id"]?.string {
                    base = String(JSONSchema.resolve(id, against: outer).prefix { $0 != "#" })
                    resources[base] = Place(schema: value, base: base)
                }
                for (key, isDynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
                    guard let name = value[key]?.string else { continue }
                    anchors["\(base)#\(name)"] = Place(schema: value, base: base)
                    if isDynamic { dynamicAnchors["\(base)#\(name)"] = Place(schema: value, base: base) }
                }
                for key in ["$ref", "$dynamicRef"] {
                    if let text = value[key]?.string { references.append((text, JSONSchema.resolve(text, against: base))) }
                }
            }
            for member in members where isMap || !Self.values.contains(member.name) && !member.name.hasPrefix("x-") {
                walkAll(member.value, base, isMap: !isMap && Self.mapsOfOpenAPI.contains(member.name))
            }
        }

        private mutating func walk(_ schema: JSONValue, _ outer: String) {
            guard case .object(let members) = schema, depth < 512 else { return }
            depth += 1
            defer { depth -= 1 }
            var base = outer
            // In drafts before 2019-09 an identifier that is a fragment is a name.
            if let id = (schema["$id"] ?? schema["id"])?.string, schema["$ref"] == nil || schema["$id"] != nil {
                let uri = JSONSchema.resolve(id, against: outer)
                if id.hasPrefix("#") {
                    anchors[uri] = Place(schema: schema, base: outer)
                } else {
                    base = String(uri.prefix { $0 != "#" })
                    resources[base] = Place(schema: schema, base: base)
                }
            }
            if let name = schema["$anchor"]?.string { anchors["\(base)#\(name)"] = Place(schema: schema, base: base) }
            if let name = schema["$dynamicAnchor"]?.string {
                anchors["\(base)#\(name)"] = Place(schema: schema, base: base)
                dynamicAnchors["\(base)#\(name)"] = Place(schema: schema, base: base)
            }
            for member in members {
                switch member.name {
                case "$ref", "$dynamicRef":
                    if let text = member.value.string { references.append((text, JSONSchema.resolve(text, against: base))) }
                case "pattern": patterns += [member.value.string].compactMap(\.self)
                case let name where Self.maps.contains(name):
                    if name == "patternProperties" { patterns += member.value.members.map(\.name) }
                    for inner in member.value.members { walk(inner.value, base) }
                case let name where Self.lists.contains(name):
                    for inner in member.value.items { walk(inner, base) }
                case let name where Self.single.contains(name):
                    for inner in member.value.items { walk(inner, base) }
                    walk(member.value, base)
                case let name:
                    guard let file, !JSONSchema.isKnown(name) else { break }
                    let unknown = UnknownKeyword(name: name, file: file)
                    if !unknownKeywords.contains(unknown) { unknownKeywords.append(unknown) }
                }
            }
        }
    }
}
