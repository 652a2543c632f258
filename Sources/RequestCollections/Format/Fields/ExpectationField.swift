/// A key of `expect`: one row of the format's table, with everything that is known of it but how it is checked.
///
/// Reading, the check of the reader, the schema and the reference page go through ``all``.
struct ExpectationField: Sendable {
    let name: String
    let shape: FormatShape
    let help: String
    /// One entry for each thing that is expected. What has the wrong form was reported by the table's check.
    let read: @Sendable (RequestReader, YAMLPair) -> [ExpectationDefinition]

    init(
        _ name: String, _ shape: FormatShape,
        read: @escaping @Sendable (RequestReader, YAMLPair) -> [ExpectationDefinition], _ help: String
    ) {
        self.name = name
        self.shape = shape
        self.read = read
        self.help = help
    }

    /// About one thing.
    init(_ name: String, _ subject: ExpectationSubject, _ help: String) {
        self.init(name, .matcher(subject.kind), read: { $0.expectations(subject, $1) }, help)
    }

    /// About things that have names, of one shape.
    init(
        named name: String, _ subject: @escaping @Sendable (String) -> ExpectationSubject, _ shape: FormatShape, _ help: String
    ) {
        self.init(name, .named(shape), read: { $0.named($1.value, subject) }, help)
    }

    static subscript(_ name: String) -> ExpectationField? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
