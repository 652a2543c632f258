import NetworkLayer
import RequestCollections

/// Follows `$ref` inside a document, and into files that lie beside it (OpenAPI 3.1, section 4.8.23; RFC 6901).
///
/// A reference is meant from the file that it stands in. Those in other files are made to start from the document when the file is
/// read, so that a value can be handed around without its file: `#/Pet` in `models/pet.yml` becomes `models/pet.yml#/Pet`.
final class OpenAPIReferences {
    let document: JSONValue
    /// What is being read: where a reference that leads nowhere is said to stand.
    var place = ""
    private(set) var notes: [ImportNote] = []
    private let source: ImportSource
    private let files: NeighbouringFiles
    private var documents: [String: Result<JSONValue, CollectionProblem>] = [:]
    /// What is reached over and over: a document may refer to one part very often.
    private var found: [String: JSONValue] = [:]

    /// References that refer to references.
    private static let chain = 16

    init(_ document: JSONValue, of source: ImportSource, beside files: NeighbouringFiles) {
        self.document = document
        self.source = source
        self.files = files
        documents[""] = .success(document)
        // A part may refer back to the document by its name.
        if let name = source.path.split(separator: "/").last { documents[String(name)] = .success(document) }
    }

    /// What a reference stands for, or the value itself; `null` for one that leads nowhere, which is noted. What stands beside a `$ref`
    /// goes before what it leads to.
    func resolve(_ value: JSONValue?) -> JSONValue {
        guard var value else { return .null }
        for _ in 0..<Self.chain {
            guard let reference = value["$ref"]?.string else { return value }
            guard let target = target(of: reference) else { return .null }
            value = value.members.count == 1 ? target : target.replacingMembers(with: value)
        }
        note("the reference \(value["$ref"]?.string ?? "") leads back to itself")
        return .null
    }

    /// A value inside of another one, on the way to which there may be references; `nil` where there is none.
    subscript(_ value: JSONValue?, _ path: String...) -> JSONValue? {
        var value = resolve(value)
        for name in path {
            guard let member = value[name] else { return nil }
            value = resolve(member)
        }
        return value
    }

    private func note(_ text: String) {
        let note = ImportNote(place, text)
        if !notes.contains(note) { notes.append(note) }
    }

    private func target(of reference: String) -> JSONValue? {
        if let known = found[reference] { return known }
        let (file, fragment) = reference.split(at: "#")
        do throws(CollectionProblem) {
            let target = try value(at: fragment ?? "", of: reference, in: try contents(of: file))
            found[reference] = target
            return target
        } catch {
            note("the reference \(reference): \(error.message)")
            return nil
        }
    }

    private func value(
        at pointer: String, of reference: String, in document: JSONValue
    ) throws(CollectionProblem) -> JSONValue {
        guard pointer.isEmpty || pointer.hasPrefix("/") else {
            throw source.problem("an anchor isn't looked for; name the part by its path, such as #/components/schemas/Pet")
        }
        if pointer.isEmpty { return document }
        var value = document
        // Following a reference on the way, such as that of a whole path, may need this one.
        found[reference] = .null
        defer { found[reference] = nil }
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = (PercentText.decoded(part) ?? String(part)).replacing(scalars: "~1", with: "/").replacing(
                scalars: "~0", with: "~")
            if value[name] == nil, value["$ref"] != nil { value = resolve(value) }
            if let member = value[name] {
                value = member
            } else if let index = Int(name), value.items.indices.contains(index) {
                value = value.items[index]
            } else {
                throw source.problem("there is no such part of the document")
            }
        }
        return value
    }

    // MARK: Other files

    private func contents(of file: String) throws(CollectionProblem) -> JSONValue {
        if let known = documents[file] { return try known.get() }
        let contents = Result { () throws(CollectionProblem) in try read(file) }
        documents[file] = contents
        return try contents.get()
    }

    private func read(_ file: String) throws(CollectionProblem) -> JSONValue {
        guard !file.contains("://") else {
            throw source.problem("an import asks no server; put it into a file beside the document, or bundle both into one")
        }
        let path = PercentText.decoded(file) ?? file
        let source = try files.read(path)
        // Descriptions are often texts of their own.
        if ["md", "txt", "html"].contains(path.split(separator: ".").last) { return .string(try source.text()) }
        return Self.rebased(try source.document(), from: file)
    }

    private static func rebased(_ value: JSONValue, from file: String) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                members.map { member in
                    guard member.name == "$ref", case .string(let reference) = member.value else {
                        return .init(name: member.name, value: rebased(member.value, from: file))
                    }
                    return .init(name: "$ref", value: .string(rebased(reference, from: file)))
                })
        case .array(let values): .array(values.map { rebased($0, from: file) })
        default: value
        }
    }

    /// RFC 3986, section 5.2.4, for paths.
    private static func rebased(_ reference: String, from file: String) -> String {
        if reference.hasPrefix("#") { return file + reference }
        if reference.hasPrefix("/") || reference.contains("://") { return reference }
        let (path, fragment) = reference.split(at: "#")
        var components = file.split(separator: "/").dropLast().map(String.init)
        for part in path.split(separator: "/") {
            switch part {
            case ".": break
            case "..":
                if components.last.map({ $0 != ".." }) ?? false { components.removeLast() } else { components.append("..") }
            default: components.append(String(part))
            }
        }
        return (file.hasPrefix("/") ? "/" : "") + components.joined(separator: "/") + (fragment.map { "#\($0)" } ?? "")
    }
}

extension JSONValue {
    /// A map with the members of another one, but for `$ref`, in place of its own.
    fileprivate func replacingMembers(with other: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for member in other.members where member.name != "$ref" {
            if let index = members.firstIndex(where: { $0.name == member.name }) {
                members[index] = member
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
