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

extension CollectionChange {
    /// Lets the names that requests have for each other follow a change of the tree.
    ///
    /// A name follows when it means another request now than before, and stands in the file as it is read; it stays as long or as short as
    /// it was, where that is enough. Everything else becomes a remark.
    func takingReferences(along edit: CollectionEdit, from old: RequestCollection) throws -> CollectionChange {
        guard !steps.isEmpty else { return self }
        if case .addFolder = edit { return self }
        var update = ReferenceUpdate(edit: edit, old: old, new: collection, remarks: remarks)
        var steps = steps
        let files = CollectionFiles(after: steps)
        for (path, request, folder) in Self.files(of: collection) {
            guard let bytes = try? files.read(path), Self.mayName(bytes) else { continue }
            guard let after = update.updating(path, bytes, of: request, folder: folder) else { continue }
            let index = steps.firstIndex { step in
                switch step {
                case .create(path, _), .replace(path, _, _): true
                default: false
                }
            }
            guard let index else {
                steps.append(.replace(path, before: bytes, after: after))
                continue
            }
            if case .replace(_, let before, _) = steps[index] {
                steps[index] = .replace(path, before: before, after: after)
            } else {
                steps[index] = .create(path, after)
            }
        }
        guard steps != self.steps else { return CollectionChange(steps: steps, collection: collection, remarks: update.remarks) }
        return CollectionChange(
            steps: steps, collection: try RequestCollection.load(path: old.path, from: CollectionFiles(after: steps)),
            remarks: update.remarks)
    }

    private static func files(of collection: RequestCollection) -> [(path: String, request: RequestID?, folder: RequestID?)] {
        if collection.isFile { return [(collection.path, nil, nil)] }
        let requests = collection.requests.map {
            (path: $0.location.path, request: RequestID?.some($0.id), folder: RequestID?.none)
        }
        let known = Set(requests.map(\.path))
        let folders = Dictionary(collection.folders.map { ($0.location.path, $0.id) }) { first, _ in first }
        return requests + collection.files.keys.filter { !known.contains($0) }.sorted().map { ($0, nil, folders[$0]) }
    }

    /// Most files name no request, and need not be parsed again.
    private static func mayName(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            let text = UnsafeRawBufferPointer(buffer)
            return ["needs", "response", "set-up", "tear-down", "order"].map({ Array($0.utf8) }).contains { word in
                guard text.count >= word.count else { return false }
                return (0...text.count - word.count).contains { start in
                    text[start] == word[0] && word.indices.allSatisfy { text[start + $0] == word[$0] }
                }
            }
        }
    }
}

/// Finds the names that a change of the tree makes wrong, and writes them anew.
private struct ReferenceUpdate {
    let edit: CollectionEdit
    let old: RequestCollection
    let new: RequestCollection
    var remarks: [CollectionProblem]

    /// Where a request is afterwards that another one names; `nil` when it is gone. In a copied folder the copies name each other.
    private func moved(_ id: RequestID, namedBy request: RequestID?) -> RequestID? {
        switch edit {
        case .rename, .move: return edit.result.flatMap { id.moved(from: edit.id, to: $0) } ?? id
        case .remove: return id.moved(from: edit.id, to: edit.id) == nil ? id : nil
        case .duplicate:
            guard let copy = edit.result, request?.moved(from: copy, to: edit.id) != nil else { return id }
            return id.moved(from: edit.id, to: copy) ?? id
        case .add, .addFolder, .reorder: return id
        }
    }

    /// Where it was before; `nil` for a new one.
    private func origin(_ id: RequestID) -> RequestID? {
        switch edit {
        case .rename, .move, .duplicate: edit.result.flatMap { id.moved(from: $0, to: edit.id) } ?? id
        // A folder asks as one of its requests.
        default: id.rawValue.hasSuffix("/") ? id : old.request(id)?.id
        }
    }

    /// The new bytes of a file; `nil` when it stays as it is.
    mutating func updating(_ path: String, _ bytes: [UInt8], of request: RequestID?, folder: RequestID?) -> [UInt8]? {
        guard let document = try? YAMLDocument(path: path, bytes: bytes), let root = document.root else { return nil }
        var editor = SpliceEditor(document)
        var texts: [YAMLMark: String] = [:]
        var problems: [CollectionProblem] = []
        for reference in NamedReference.all(in: root, of: request, folder: folder) {
            let before = reference.request.map { origin($0) }
            if case .some(.none) = before { continue }
            guard let target = old.find(reference.name, from: before ?? nil) else { continue }
            let wanted = moved(target, namedBy: reference.request)
            let found = new.find(reference.name, from: reference.request)
            guard found != wanted || wanted == nil else { continue }
            let location = reference.node.location(in: path)
            guard let wanted, let name = name(of: wanted, like: reference) else {
                remarks.append(CollectionProblem(location: location, message: "`\(reference.name)` is gone, and is named here"))
                continue
            }
            let text = texts[reference.node.start] ?? reference.node.text ?? ""
            if let after = write(name, reference, text, &editor) {
                texts[reference.node.start] = after
                problems.append(
                    CollectionProblem(location: location, message: "`\(reference.name)` is `\(name)` now; change it here"))
            } else {
                remarks.append(
                    CollectionProblem(location: location, message: "`\(reference.name)` is `\(name)` now; change it here"))
            }
        }
        if request == nil { renameInOrder(of: root, in: folder, path, &texts, &editor) }
        guard !editor.edits.isEmpty else { return nil }
        let expected = Self.texts(root).map { texts[$0.start] ?? $0.text }
        if let after = editor.source.applying(editor.edits), let now = try? YAMLDocument(path: path, bytes: after).root,
            Self.texts(now).map(\.text) == expected
        {
            return after
        }
        remarks += problems
        return nil
    }

    /// What comes first in a directory stays there under its new name.
    ///
    /// - Parameter folder: the one whose file it is; `nil`: the collection's.
    private mutating func renameInOrder(
        of root: YAMLNode, in folder: RequestID?, _ path: String, _ texts: inout [YAMLMark: String], _ editor: inout SpliceEditor
    ) {
        guard !new.isFile, edit.id.parent == folder else { return }
        let id = edit.id
        let stays: Bool
        switch edit {
        case .rename: stays = true
        case .move: stays = edit.result?.parent == folder
        case .remove: stays = false
        case .add, .addFolder, .duplicate, .reorder: return
        }
        for node in root["order"]?.items ?? [] where node.text == String(id.name) {
            guard stays, let name = edit.result?.name else {
                let message = "`\(id.name)` isn't here any more; take it out of `order`"
                remarks.append(CollectionProblem(location: node.location(in: path), message: message))
                continue
            }
            let reference = NamedReference(kind: .need, name: String(id.name), node: node, request: nil)
            if let after = write(String(name), reference, "", &editor) {
                texts[node.start] = after
            } else {
                let message = "`\(id.name)` is `\(name)` now; change it in `order`"
                remarks.append(CollectionProblem(location: node.location(in: path), message: message))
            }
        }
    }

    /// The shortest name that means the request, but not shorter than it was.
    private func name(of target: RequestID, like reference: NamedReference) -> String? {
        let parts = target.components
        let length = min(parts.count, reference.name.split(separator: "/").count)
        return (length...parts.count).lazy.map { parts.suffix($0).joined(separator: "/") }
            .first { new.find($0, from: reference.request) == target }
    }

    /// - Returns: the text that the node has then; `nil` when it can't be written in place.
    private func write(
        _ name: String, _ reference: NamedReference, _ text: String, _ editor: inout SpliceEditor
    ) -> String? {
        guard case .scalar(_, let style) = reference.node.content, reference.node.decoration == nil else { return nil }
        let range = editor.source.start(of: reference.node)..<editor.source.end(of: reference.node)
        guard reference.kind == .response else {
            guard case .inline(let written) = ScalarWriter.write(name, .text, style: style, isFlow: true) else { return nil }
            editor.replace(range, with: written)
            return name
        }
        // As long as the quotes around it stay what they are.
        let plain: (Character) -> Bool = { !"\"'\\{}".contains($0) }
        guard name.allSatisfy(plain), reference.name.allSatisfy(plain) else { return nil }
        let raw = editor.source.text(range)
        let places = NamedReference.ranges(in: raw).filter { raw[$0] == reference.name }
        let occurrences = NamedReference.ranges(in: text).filter { text[$0] == reference.name }
        guard !places.isEmpty, places.count == occurrences.count else { return nil }
        for place in places {
            let start = range.lowerBound + raw.utf8.distance(from: raw.startIndex, to: place.lowerBound)
            editor.replace(start..<start + raw[place].utf8.count, with: name)
        }
        var after = text
        for occurrence in occurrences.reversed() { after.replaceSubrange(occurrence, with: name) }
        return after
    }

    /// All scalars with their places, and the brackets around them.
    private static func texts(_ node: YAMLNode) -> [(start: YAMLMark, text: String)] {
        switch node.content {
        case .scalar(let text, _): [(node.start, text)]
        case .sequence(let items, _): items.flatMap(texts) + [(node.end, "]")]
        case .mapping(let pairs, _): pairs.flatMap { texts($0.key) + texts($0.value) } + [(node.end, "}")]
        }
    }
}
