import RequestCollections

/// The types that values have in a format, as far as they are read. People and programs write others: those are said with their paths.
indirect enum ForeignShape: Sendable {
    /// A text, number or boolean: many programs are free with these.
    case scalar
    case list(ForeignShape)
    /// Members by their names; others may be anything.
    case map(KeyValuePairs<String, ForeignShape>)
    case either([ForeignShape])
    case anything
    /// A shape that has itself inside.
    case later(@Sendable () -> ForeignShape)

    /// What can't be read, by its path: `item[0].request.header`, "a number, where a list is read".
    func misfits(in value: JSONValue) -> [ImportNote] {
        var notes: [ImportNote] = []
        check(value, at: "", &notes)
        return notes
    }

    private func check(_ value: JSONValue, at path: String, _ notes: inout [ImportNote]) {
        // What a reference leads to isn't here.
        guard !value.isNull, value["$ref"]?.string == nil else { return }
        switch (self, value) {
        case (.later(let shape), _): shape().check(value, at: path, &notes)
        case (.anything, _), (.scalar, .string), (.scalar, .number), (.scalar, .boolean): break
        case (.list(let shape), .array(let items)):
            for (index, item) in items.enumerated() { shape.check(item, at: "\(path)[\(index)]", &notes) }
        case (.map(let shapes), .object(let members)):
            for member in members {
                guard let shape = shapes.first(where: { $0.key == member.name })?.value else { continue }
                shape.check(member.value, at: path.isEmpty ? member.name : "\(path).\(member.name)", &notes)
            }
        case (.either(let shapes), _):
            guard let shape = shapes.first(where: { $0.accepts(value) }) else {
                return notes.append(note(value, at: path))
            }
            shape.check(value, at: path, &notes)
        default: notes.append(note(value, at: path))
        }
    }

    private func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.scalar, .string), (.scalar, .number), (.scalar, .boolean), (.list, .array), (.map, .object), (.anything, _): true
        default: false
        }
    }

    private func note(_ value: JSONValue, at path: String) -> ImportNote {
        ImportNote(path, "\(Self.noun(value)), where \(noun) is read")
    }

    private var noun: String {
        switch self {
        case .scalar: "a text"
        case .list: "a list"
        case .map: "a map"
        case .either(let shapes): shapes.map(\.noun).joined(separator: " or ")
        case .anything, .later: "something else"
        }
    }

    private static func noun(_ value: JSONValue) -> String {
        switch value {
        case .null: "nothing"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "a map"
        }
    }
}
