/// A field of a map of the format, such as `latency` of a mock: one row, with everything that is known of it.
///
/// Reading, writing, the rows of an editor, the schema and the reference page are each one walk over the rows of a map.
package struct MapField<Root: Sendable>: Sendable {
    /// As the file has it. It is unique in its map.
    package let key: String
    /// The words to choose from in an editor; `nil`: a text to type.
    package let choices: [String]?
    let shape: FormatShape
    /// What it does, for people who write collections.
    let help: String
    /// What has the wrong form was reported by the table's check, and isn't said then.
    let read: @Sendable (RequestReader, YAMLNode, inout Root, inout [CollectionProblem]) -> Void
    /// `nil`: nothing is said.
    let write: @Sendable (Root) -> DesiredValue?
    fileprivate let line: @Sendable (Root) -> String?
    fileprivate let parse: @Sendable (String?, inout Root) -> Bool

    typealias Path<Value> = WritableKeyPath<Root, Value?> & Sendable

    init<Value: Hashable & Sendable>(_ key: String, _ path: any Path<Value>, _ form: FieldForm<Value>, _ help: String) {
        self.key = key
        self.help = help
        choices = form.choices
        shape = form.shape
        read = { _, node, root, _ in root[keyPath: path] = form.read(node) }
        write = { root in root[keyPath: path].flatMap(form.write).map { DesiredValue($0) } }
        line = { root in root[keyPath: path].flatMap(form.write)?.line }
        parse = { text, root in
            let value = text.flatMap(form.parse)
            if text == nil || value != nil { root[keyPath: path] = value }
            return text == nil || value != nil
        }
    }

    /// A text that stands in a file in a form of its own.
    init(
        _ key: String, _ path: any Path<String>, _ shape: FormatShape,
        read: @escaping @Sendable (RequestReader, YAMLNode, inout Root, inout [CollectionProblem]) -> Void,
        write: @escaping @Sendable (Root) -> DesiredValue?, _ help: String
    ) {
        self.key = key
        self.help = help
        choices = nil
        self.shape = shape
        self.read = read
        self.write = write
        line = { $0[keyPath: path] }
        parse = { text, root in
            root[keyPath: path] = text
            return true
        }
    }

    /// A field that a file writes in a form of its own, and that no line shows.
    init(
        _ key: String, _ shape: FormatShape, read: @escaping @Sendable (RequestReader, YAMLNode, inout Root) -> Void,
        write: @escaping @Sendable (Root) -> DesiredValue?, _ help: String
    ) {
        self.key = key
        self.help = help
        choices = nil
        self.shape = shape
        self.read = { reader, node, root, _ in read(reader, node, &root) }
        self.write = write
        line = { _ in nil }
        parse = { _, _ in false }
    }

    /// In one line; `""`: nothing is said.
    package func text(in root: Root) -> String { line(root) ?? "" }

    /// - Parameter text: an empty one takes it away.
    /// - Throws: for what it can't be, with what it can.
    package func set(_ text: String, in root: inout Root) throws(InvalidFieldText) {
        if !parse(text.isEmpty ? nil : text, &root) {
            throw InvalidFieldText(message: "`\(key)` takes \(shape.description), not `\(text)`")
        }
    }
}

extension MapField: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension FormatKey {
    init<Root>(_ field: MapField<Root>) { self.init(field.key, field.shape, field.help) }
}

extension Sequence {
    /// Reads what a map says of these fields.
    func read<Root>(
        _ node: YAMLNode, with reader: RequestReader, into root: inout Root, problems: inout [CollectionProblem]
    ) where Element == MapField<Root> {
        for field in self { if let value = node[field.key] { field.read(reader, value, &root, &problems) } }
    }

    /// What these fields say.
    func written<Root>(_ root: Root) -> CollectionWriter.Entries where Element == MapField<Root> {
        compactMap { field in field.write(root).map { (field.key, $0) } }
    }
}

extension DesiredValue {
    /// A map has fields of its own.
    init(_ text: FieldText) {
        self =
            switch text {
            case .text(let text): .scalar(text, .text)
            case .literal(let text): .scalar(text, .literal)
            case .texts(let texts): .texts(texts)
            case .pairs(let pairs): .map(pairs.map { ($0.key, .scalar($0.text, $0.isLiteral ? .literal : .text)) })
            case .map: .map([], .flow)
            }
    }
}
