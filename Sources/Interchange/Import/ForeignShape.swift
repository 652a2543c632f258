import RequestCollections

/// The types that the values of a map have in a format, by name: people and programs write others, which nobody reads.
struct ForeignShape {
    struct Kinds: OptionSet {
        let rawValue: Int
        static let text = Kinds(rawValue: 1)
        static let list = Kinds(rawValue: 2)
        static let map = Kinds(rawValue: 4)
        static let flag = Kinds(rawValue: 8)
    }

    private let kinds: [(name: String, kinds: Kinds)]

    init(_ kinds: KeyValuePairs<String, Kinds>) {
        self.kinds = kinds.map { ($0.key, $0.value) }
    }

    /// What of a map can't be read, for a note: "`header`, which is a number".
    func misfits(in value: JSONValue) -> [String] {
        guard case .object = value else { return [] }
        return kinds.compactMap { name, kinds in
            guard let (kind, noun) = value[name].flatMap(Self.kind), !kinds.contains(kind) else { return nil }
            return "`\(name)`, which is \(noun)"
        }
    }

    private static func kind(_ value: JSONValue) -> (Kinds, String)? {
        switch value {
        case .null: nil
        case .string: (.text, "a text")
        case .number: (.text, "a number")
        case .boolean: (.flag, "true or false")
        case .array: (.list, "a list")
        case .object: (.map, "a map")
        }
    }
}
