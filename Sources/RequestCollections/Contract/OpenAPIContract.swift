import Base
import NetworkLayer
import Synchronization

/// A document of OpenAPI 3.0 or 3.1, as `expect: { contract: openapi.yaml }` names it: what a service says of its answers.
///
/// `$ref` leads to places in it, and in files beside it. Nothing is fetched: what a reference to elsewhere describes is a violation
/// where an answer comes to it.
package final class OpenAPIContract: Sendable {
    let schemas: JSONSchema
    /// The operations, those with the more specific paths first.
    let operations: [Operation]
    /// Where the files lie, and what they hold.
    let files: [String: [UInt8]]
    private let trees = Mutex<[String: YAMLNode?]>([:])

    /// A part of the document.
    struct Part: Sendable {
        var value: JSONValue
        /// With a JSON Pointer.
        var uri: String
        var base: String

        var place: JSONSchema.Place { .init(schema: value, base: base) }

        subscript(_ key: String) -> Part? {
            value[key].map { Part(value: $0, uri: "\(uri)/\(JSONPointer.escaped(key))", base: base) }
        }

        /// What it refers to isn't there.
        var isLost: Bool { value["$ref"]?.string != nil }

        var lost: JSONSchema.Violation {
            let reference = value["$ref"]?.string ?? ""
            return .init(path: "", demand: "`\(reference)` isn't in it, and nothing is fetched", rule: "\(uri)/$ref")
        }
    }

    struct Operation: Sendable {
        /// In capitals.
        var method: String
        /// As the document has it.
        var template: String
        /// The URLs of its servers.
        var servers: [String]
        /// The templates of its path, each with a server's path in front.
        var paths: [PathTemplate]
        var path: PathTemplate
        var id: String?
        let part: Part

        /// As a sentence calls it.
        var name: String { id ?? "\(method) \(template)" }
    }

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// - Parameters:
    ///   - path: of the document.
    ///   - read: gives the bytes of a file, and its value.
    package init(
        _ value: JSONValue, at path: String, _ bytes: [UInt8],
        reading read: (String) throws(JSONSchemaError) -> (JSONValue, [UInt8])
    ) throws(JSONSchemaError) {
        let isThreeZero = try Self.isThreeZero(value)
        var files = [path: bytes]
        let schemas = try JSONSchema(value, at: path, as: .openAPI(isThreeZero: isThreeZero)) { (other) throws(JSONSchemaError) in
            let (value, bytes) = try read(other)
            files[other] = bytes
            return value
        }
        self.schemas = schemas
        self.files = files
        let root = Part(value: value, uri: "\(schemas.root)#", base: schemas.root)
        var operations: [Operation] = []
        for member in value["paths"]?.members ?? [] {
            guard let item = root["paths"]?[member.name].map({ schemas.followed($0) }) else { continue }
            for method in Self.methods {
                guard let part = item[method], case .object = part.value else { continue }
                let path = PathTemplate(member.name)
                let servers = (part.value["servers"] ?? item.value["servers"] ?? value["servers"])?.items ?? []
                let urls = servers.compactMap { $0["url"]?.string }
                let bases = urls.map { PathTemplate(server: $0) }
                operations.append(
                    Operation(
                        method: method.uppercased(), template: member.name, servers: urls, paths: bases.map { $0.appending(path) },
                        path: path,
                        id: part.value["operationId"]?.string, part: part))
            }
        }
        guard !operations.isEmpty else { throw JSONSchemaError("it describes no operation below `paths`") }
        self.operations = operations.enumerated().sorted { one, other in
            if one.element.path.isMoreExact(than: other.element.path) { return true }
            return !other.element.path.isMoreExact(than: one.element.path) && one.offset < other.offset
        }.map(\.element)
    }

    private static func isThreeZero(_ value: JSONValue) throws(JSONSchemaError) -> Bool {
        // `3.0` without quotes is a number in YAML.
        guard let version = value["openapi"]?.scalar else {
            let found = value["swagger"]?.scalar.map { "Swagger \($0)" } ?? "something else"
            throw JSONSchemaError("a contract is a document of OpenAPI 3.0 or 3.1, and this is \(found)")
        }
        guard version.hasPrefix("3.") else {
            throw JSONSchemaError("a contract is a document of OpenAPI 3.0 or 3.1, and this is \(version)")
        }
        return version.hasPrefix("3.0")
    }

    // MARK: Places

    /// `openapi.yaml:88:15`, of a URI with a JSON Pointer.
    func place(of uri: String) -> String? {
        let file = uri.prefix { $0 != "#" }
        guard let path = files.keys.first(where: { JSONSchema.uri(ofFile: $0) == file }) else { return nil }
        let tree = trees.withLock { trees in
            if let known = trees[path] { return known }
            let tree = files[path].flatMap { try? YAMLDocument(path: path, bytes: $0).root }
            trees[path] = tree
            return tree
        }
        guard var node = tree else { return nil }
        // The place of a value is that of its key, which is where a person looks.
        var mark = node.start
        for step in JSONPointer.steps(uri.dropFirst(file.count + 1)) {
            if let pair = node.pairs?.first(where: { $0.key.text == step }) {
                (node, mark) = (pair.value, pair.key.start)
            } else if let items = node.items, let index = Int(step), items.indices.contains(index) {
                (node, mark) = (items[index], items[index].start)
            } else {
                break
            }
        }
        return "\(path.split(separator: "/").last ?? ""):\(mark.line + 1):\(mark.column + 1)"
    }
}

extension JSONSchema {
    /// What a part refers to, or the part itself.
    func followed(_ part: OpenAPIContract.Part) -> OpenAPIContract.Part {
        var part = part
        for _ in 0..<32 {
            guard let reference = part.value["$ref"]?.string else { return part }
            let uri = Self.resolve(reference, against: part.base)
            guard let place = place(of: uri) else { return part }
            part = .init(value: place.schema, uri: uri.contains("#") ? uri : uri + "#", base: place.base)
        }
        return part
    }
}

extension OpenAPIContract: Hashable {
    package static func == (left: OpenAPIContract, right: OpenAPIContract) -> Bool {
        left === right || left.schemas == right.schemas && left.files == right.files
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(schemas) }
}
