import HTTPTypes
import RequestCollections

extension PostmanImport {
    /// The first saved example that tells of a success, else the first: what a request is answered with when mocks are on.
    mutating func readResponses(_ responses: [JSONValue], into definition: inout RequestDefinition) {
        let succeeding = responses.first { Self.status($0).map { (200...299).contains($0) } ?? false }
        guard let response = succeeding ?? responses.first else { return }
        exampleCount += responses.count - 1
        var mock = MockDefinition(location: .none)
        mock.status = Self.status(response)
        for header in response["header"]?.items ?? [] {
            guard let name = header["key"]?.nonEmpty, let value = header["value"]?.scalar, HTTPField.Name(name) != nil,
                !Self.isOfConnection(name), !value.contains(where: \.isNewline)
            else { continue }
            mock.headers.append(.init(name: name, value: TemplateText(value).text))
        }
        if let body = response["body"]?.nonEmpty {
            let type = mock.headers.first { $0.name.lowercased() == "content-type" }?.value
            let language = response["_postman_previewlanguage"]?.string == "json" ? "application/json" : nil
            mock.readBody(.string(body), type: type ?? language)
        }
        // Some exports have the names of examples only.
        if mock != MockDefinition(location: .none) { definition.mock = mock }
    }

    private static func status(_ response: JSONValue) -> Int? {
        response["code"]?.scalar.flatMap { Int($0) }.flatMap { (200...599).contains($0) ? $0 : nil }
    }

    /// What was true of the bytes that came then (RFC 9110, section 7.6.1).
    private static func isOfConnection(_ name: String) -> Bool {
        ["content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "date", "trailer", "upgrade"]
            .contains(name.lowercased())
    }
}
