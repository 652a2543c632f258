import RequestCollections

extension OpenAPIImport {
    /// The document's own example of a response, or one that its schema describes, so that a request can be tried without the server.
    mutating func readMock(_ operation: JSONValue, into definition: inout RequestDefinition, at place: String) {
        let responses = members(operation, "responses", at: place).filter { !$0.name.hasPrefix("x-") }
        // What is meant to happen comes first.
        let succeeding = responses.filter { $0.name.hasPrefix("2") }
        guard let (code, given) = (succeeding + responses).first(where: { hasExample(references.resolve($0.value)) })
            .map({ ($0.name, $0.value) })
        else { return }
        let response = references.resolve(given)
        var mock = MockDefinition(location: .none)
        mock.status = Int(code).flatMap { (200...599).contains($0) ? $0 : nil } ?? Self.status(code)
        for header in references[response, "headers"]?.members ?? [] {
            let value = references[header.value, "example"] ?? references[header.value, "schema", "example"]
            if let text = value?.scalar { mock.headers.append(.init(name: Self.text(header.name), value: Self.text(text))) }
        }
        readMockBody(response, into: &mock)
        definition.mock = mock
        let others = responses.count { $0.name != code && hasExample(references.resolve($0.value)) }
        if others > 0 {
            note(place, "\(others == 1 ? "1 more example response" : "\(others) more example responses"): a request has one `mock`")
        }
    }

    /// `2XX` is 200; `default` says nothing.
    private static func status(_ code: String) -> Int? {
        guard code.count == 3, code.uppercased().hasSuffix("XX"), let first = code.first?.wholeNumberValue, (2...5).contains(first)
        else { return nil }
        return first * 100
    }

    private func hasExample(_ response: JSONValue) -> Bool {
        if isSwagger { return references[response, "examples"]?.members.isEmpty == false }
        return references[response, "content"]?.members.contains { givenExample(references.resolve($0.value)) != nil } ?? false
    }

    private func readMockBody(_ response: JSONValue, into mock: inout MockDefinition) {
        let contents: [(type: String, value: JSONValue)] =
            isSwagger
            ? (references[response, "examples"]?.members ?? []).map { ($0.name, references.resolve($0.value)) }
            : (references[response, "content"]?.members ?? []).compactMap { entry in
                givenExample(references.resolve(entry.value)).map { (entry.name, $0) }
            }
        guard let content = contents.first(where: { MediaType.isJSON(MediaType.essence($0.type)) }) ?? contents.first else { return }
        mock.readBody(content.value, type: content.type)
    }
}
