import NetworkLayer
package import RequestCollections

/// A setting of a request's mock, as the format names it. Its headers are rows: ``RequestField/Rows/mockHeaders``.
package enum MockField: String, Hashable, Sendable, CaseIterable {
    case status, error, body, file, delay, latency, rate

    /// The texts to choose from; `nil`: a text to type.
    package var choices: [String]? { self == .error ? ["none"] + MockDefinition.errors.map(\.rawValue) : nil }
}

extension RequestDefinition {
    /// What the mock says; `""`: nothing.
    package func text(ofMock field: MockField) -> String {
        guard let mock else { return "" }
        switch field {
        case .status: return mock.status.map(String.init) ?? ""
        case .error: return mock.error?.rawValue ?? "none"
        case .body:
            switch mock.body {
            case .text(let text): return text
            case .json(let text): return JSONParser.parse(text)?.text(pretty: false) ?? text
            case .file, nil: return ""
            }
        case .file: return if case .file(let path) = mock.body { path } else { "" }
        case .delay: return mock.delayText ?? ""
        case .latency: return mock.latency.map(DurationText.format) ?? ""
        case .rate: return mock.rate.map(String.init) ?? ""
        }
    }

    /// Makes a mock of the first thing that one says; one that says nothing is none.
    ///
    /// - Throws: ``InvalidFieldText``, when the field can't be that.
    mutating func setText(_ text: String, ofMock field: MockField) throws(InvalidFieldText) {
        var mock = mock ?? MockDefinition(location: location)
        func wrong(_ what: String) -> InvalidFieldText { InvalidFieldText(message: "`\(text)` isn't \(what)") }
        let isEmpty = text.isEmpty
        switch field {
        case .status:
            mock.status = Int(text)
            guard isEmpty || mock.status.map((100...999).contains) ?? false else { throw wrong("a status such as 200 or 503") }
        case .error: mock.error = FailureKind(rawValue: text)
        case .body: if !isEmpty || mock.bodyIsText { mock.body = isEmpty ? nil : .init(typed: text) }
        case .file:
            let hasFile = if case .file = mock.body { true } else { false }
            if !isEmpty || hasFile { mock.body = isEmpty ? nil : .file(text) }
        case .delay:
            mock.delayText = isEmpty ? nil : text
            guard isEmpty || mock.delay != nil else { throw wrong("a duration such as 200ms, or a range such as 100ms..2s") }
        case .latency:
            mock.latency = DurationText.parse(text)
            guard isEmpty || mock.latency != nil else { throw wrong("a duration such as 200ms") }
        case .rate:
            mock.rate = ByteCountText.parse(text)
            guard isEmpty || mock.rate != nil else { throw wrong("a count of bytes a second such as 16kB") }
        }
        self.mock = mock.saysNothing ? nil : mock
    }
}

extension MockDefinition {
    fileprivate var bodyIsText: Bool {
        switch body {
        case .text, .json: true
        case .file, nil: false
        }
    }
}
