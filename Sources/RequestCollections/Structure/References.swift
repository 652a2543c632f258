/// A place in a file that names a request: `needs`, `set-up`, `tear-down`, or `response("login", ...)` in a template.
struct NamedReference {
    enum Kind { case need, response }

    var kind: Kind
    var name: String
    /// The key or value that is the name, or the text in which the template stands.
    var node: YAMLNode
    /// The request that refers to it; `nil` if the collection or a folder does.
    var request: RequestID?
}

extension NamedReference {
    /// All in a file of a collection.
    ///
    /// - Parameters:
    ///   - request: the request whose file it is; `nil` for a file with a tree of them, or one of a folder or collection.
    ///   - folder: the folder whose file it is.
    static func all(in root: YAMLNode, of request: RequestID?, folder: RequestID?) -> [NamedReference] {
        var found: [NamedReference] = []
        if let request {
            scan(root, of: request, &found)
        } else {
            walk(root, folder: folder, &found)
        }
        return found
    }

    private static func walk(_ node: YAMLNode, folder: RequestID?, _ found: inout [NamedReference]) {
        for pair in node.pairs ?? [] {
            if ["set-up", "tear-down"].contains(pair.key.text) {
                // A step means what a request in the folder would mean by it.
                names(pair.value, of: folder.map { Optional($0).child("") }, &found)
                continue
            }
            guard pair.key.text == "requests" else {
                templates(pair.value, of: nil, &found)
                continue
            }
            for entry in pair.value.pairs ?? [] {
                let id = folder.child(entry.key.text ?? "")
                if entry.value.has("requests") { walk(entry.value, folder: id, &found) } else { scan(entry.value, of: id, &found) }
            }
        }
    }

    private static func scan(_ node: YAMLNode, of request: RequestID, _ found: inout [NamedReference]) {
        if node.decoration?.alias != nil { return }
        for pair in node.pairs ?? [] {
            if ["needs", "tear-down"].contains(pair.key.text) {
                names(pair.value, of: request, &found)
            } else {
                templates(pair.value, of: request, &found)
            }
        }
    }

    private static func names(_ node: YAMLNode, of asker: RequestID?, _ found: inout [NamedReference]) {
        for node in node.pairs?.map(\.key) ?? node.items ?? [node] where node.text != nil {
            found.append(NamedReference(kind: .need, name: node.text ?? "", node: node, request: asker))
        }
    }

    private static func templates(_ node: YAMLNode, of request: RequestID?, _ found: inout [NamedReference]) {
        switch node.content {
        case .scalar(let text, _):
            guard Template.isIn(text), text.contains("response") else { return }
            var names: [String] = []
            for name in responses(in: text) where !names.contains(name) { names.append(name) }
            found += names.map { NamedReference(kind: .response, name: $0, node: node, request: request) }
        case .sequence(let items, _): for item in items { templates(item, of: request, &found) }
        case .mapping(let pairs, _): for pair in pairs { templates(pair.value, of: request, &found) }
        }
    }

    /// The names in `response("...")`, in a text or in the bytes of a file, where the quotes may have a backslash before them.
    static func responses(in text: String) -> [String] {
        ranges(in: text).map { String(text[$0]) }
    }

    static func ranges(in text: String) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        var rest = text[...]
        while let call = rest.firstRange(of: "response") {
            rest = rest[call.upperBound...]
            var inside = rest.drop { $0 == " " }
            guard inside.first == "(" else { continue }
            inside = inside.dropFirst().drop { $0 == " " }
            if inside.first == "\\" { inside = inside.dropFirst() }
            guard let quote = inside.first, quote == "\"" || quote == "'" else { continue }
            inside = inside.dropFirst()
            if quote == "'", inside.first == "'" { inside = inside.dropFirst() }
            let name = inside.prefix { $0 != "\"" && $0 != "'" && $0 != "\\" }
            ranges.append(name.startIndex..<name.endIndex)
            rest = rest[name.endIndex...]
        }
        return ranges
    }
}
