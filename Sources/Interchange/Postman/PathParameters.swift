import RequestCollections

/// `:name` at the start of a segment of a path.
enum PathParameters {
    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }

    /// A name of one, made of any text.
    static func name(_ text: String) -> String { String(text.map { isPart($0) ? $0 : "_" }) }

    static func names(in url: String) -> [String] {
        var names: [String] = []
        var rest = url.prefix { $0 != "?" && $0 != "#" }
        while let range = rest.firstRange(of: "/:") {
            let name = rest[range.upperBound...].prefix(while: isPart)
            rest = rest[range.upperBound...].dropFirst(name.count)
            if let first = name.first, !first.isNumber, !names.contains(String(name)) { names.append(String(name)) }
        }
        return names
    }

    /// What the path doesn't name is no parameter of it. What it names and nothing gives is asked for: with nothing in its place the URL
    /// would be another one, of all orders instead of one.
    static func complete(_ rows: [RequestDefinition.Row], in url: String) -> [RequestDefinition.Row] {
        let names = names(in: url)
        func variable(_ name: String) -> String { "{{\(VariableName.make(name))}}" }
        var rows = rows.filter { names.contains($0.name) }
        for index in rows.indices where rows[index].value.isEmpty { rows[index].value = variable(rows[index].name) }
        let missing = names.filter { name in !rows.contains { $0.name == name } }
        return rows + missing.map { .init(name: $0, value: variable($0)) }
    }
}
