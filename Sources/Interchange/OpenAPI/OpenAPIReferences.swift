import NetworkLayer
import RequestCollections

/// Follows `$ref` inside a document.
struct OpenAPIReferences {
    let document: JSONValue
    /// References that lead out of the document, or nowhere.
    private(set) var unresolved: [String] = []
    /// What is reached over and over: a document may refer to one part very often.
    private var found: [String: JSONValue] = [:]

    /// References that refer to references.
    private static let chain = 16

    init(_ document: JSONValue) {
        self.document = document
    }

    /// What a reference stands for, or the value itself. Members beside a `$ref` win (OpenAPI 3.1), but for the bare description.
    mutating func resolve(_ value: JSONValue) -> JSONValue {
        var value = value
        for _ in 0..<Self.chain {
            guard let reference = value["$ref"]?.string else { return value }
            guard let target = target(of: reference) else {
                if !unresolved.contains(reference) { unresolved.append(reference) }
                return .null
            }
            value = target
        }
        return .null
    }

    /// RFC 6901, in the fragment of a URL.
    private mutating func target(of reference: String) -> JSONValue? {
        if let known = found[reference] { return known }
        guard reference.hasPrefix("#") else { return nil }
        var value = document
        for part in reference.dropFirst().split(separator: "/") {
            let name = (PercentText.decoded(part) ?? String(part)).replacing(scalars: "~1", with: "/").replacing(
                scalars: "~0", with: "~")
            if let member = value[name] {
                value = member
            } else if let index = Int(name), value.items.indices.contains(index) {
                value = value.items[index]
            } else {
                return nil
            }
        }
        found[reference] = value
        return value
    }
}
