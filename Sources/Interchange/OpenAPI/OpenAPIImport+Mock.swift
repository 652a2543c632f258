import RequestCollections

extension OpenAPIImport {
    /// The document's own example of a success, or one that its schema has, so that a request can be tried without the server.
    mutating func readMock(_ operation: JSONValue, into definition: inout RequestDefinition) {
        let responses = (references[operation, "responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }
            .map { (code: $0.name, response: references.resolve($0.value)) }
        let examples = responses.map { $0.code == "default" || $0.code.hasPrefix("2") ? example(of: $0.response) : nil }
        let chosen = examples.firstIndex { $0 != nil }
        exampleCount += responses.indices.count { $0 != chosen && givenExample(of: responses[$0].response) != nil }
        guard let chosen, let (type, value) = examples[chosen] else { return }
        var mock = MockDefinition(location: .none)
        mock.status = Self.status(responses[chosen].code)
        for header in references[responses[chosen].response, "headers"]?.members ?? [] {
            let value = references[header.value, "example"] ?? references[header.value, "schema", "example"]
            if let text = value?.scalar { mock.headers.append(.init(name: Self.text(header.name), value: Self.text(text))) }
        }
        mock.readBody(value, type: type)
        definition.mock = mock
    }

    /// `2XX` is 200; `default` says nothing.
    private static func status(_ code: String) -> Int? {
        code.uppercased() == "2XX" ? 200 : Int(code).flatMap { (200...599).contains($0) ? $0 : nil }
    }

    /// The document's, JSON before others.
    private func givenExample(of response: JSONValue) -> (type: String, value: JSONValue)? {
        let examples: [(type: String, value: JSONValue)] =
            isSwagger
            ? (references[response, "examples"]?.members ?? []).map { ($0.name, references.resolve($0.value)) }
            : (references[response, "content"]?.members ?? []).compactMap { entry in
                givenExample(references.resolve(entry.value)).map { (entry.name, $0) }
            }
        return examples.first { MediaType.isJSON(MediaType.essence($0.type)) } ?? examples.first
    }

    /// Bytes of an example that its schema's examples make; what is larger is no help to anybody.
    private static let schemaLimit = 20_000

    private func example(of response: JSONValue) -> (type: String, value: JSONValue)? {
        if let given = givenExample(of: response) { return given }
        let content = references[response, "content"]?.members.first { MediaType.isJSON(MediaType.essence($0.name)) }
        guard let schema = isSwagger ? references[response, "schema"] : references[content?.value, "schema"] else { return nil }
        var maker = SchemaExample(references)
        let value = maker.value(schema, of: .responses)
        guard maker.hasStated, value.text(pretty: false).utf8.count <= Self.schemaLimit else { return nil }
        return (content?.name ?? "application/json", value)
    }
}
