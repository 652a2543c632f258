package import Base
import HTTPTypes
package import NetworkLayer

/// What captures and expectations look at: a response, and what filters found in its body.
package struct ResponseFacts: Sendable {
    package var response: Response
    /// The decoded body; empty when none was kept.
    package var body: Data
    /// For `valid-for`.
    package var now: Date
    /// What another process found, by filter: for those that ``JSONFilter/needsProcess``. ``RequestDefinition/filtersToAsk`` names them.
    package var filtered: [ExactText: Result<[JSONValue], JSONFilterError>]
    /// How often `until` sent it.
    package var polls = 1
    /// The messages that a session received, each as a body; where there were very many, the first and the last of them.
    package var messages: [ResponseFacts] = []
    /// The one that `messages: { any: … }` is about.
    private var nearest: Int?

    package init(
        _ response: Response, body: Data, now: Date = Date(), filtered: [ExactText: Result<[JSONValue], JSONFilterError>] = [:]
    ) {
        self.response = response
        self.body = body
        self.now = now
        self.filtered = filtered
    }

    /// - Parameter expectations: all of them: what is expected of any message is expected of the same one.
    func nearing(_ expectations: [ExpectationDefinition]) -> ResponseFacts {
        let wanted = expectations.compactMap { $0.ofMessage(at: .any) }
        guard !wanted.isEmpty, !messages.isEmpty else { return self }
        let counts = messages.map { message in wanted.count { $0.check(message).isMet } }
        var facts = self
        facts.nearest = counts.firstIndex(of: counts.max() ?? 0)
        return facts
    }

    func message(_ place: MessagePlace) -> ResponseFacts? {
        switch place {
        case .any: nearest.map { messages[$0] }
        case .first: messages.first
        case .last: messages.last
        }
    }

    /// How many messages came, also those that weren't kept.
    var messageCount: Int { response.metrics.attempts.last?.session?.counts.received.messages ?? 0 }

    /// Bytes of the body, decoded; also of one that wasn't kept.
    var size: Int {
        guard case .some(.none) = response.info?.body else { return body.count }
        return Int(response.metrics.attempts.last?.bytes.decodedResponseBody ?? 0)
    }

    /// Why nobody can look at the body; `nil` when one can.
    var bodyProblem: String? {
        guard case .some(.none) = response.info?.body, size > 0 else { return nil }
        return "the body isn't kept, as `response: { keep: none }` wants it"
    }

    /// What a filter finds in the body; `nil` for each value that isn't there. To jq that is null.
    func found(by filter: String) throws(JSONFilterError) -> [JSONValue?] {
        if let bodyProblem { throw JSONFilterError(bodyProblem) }
        if let result = filtered[ExactText(filter)] { return try result.get() }
        return try JSONFilter(filter).found(in: text)
    }

    /// The values of a header field, in the order in which they came.
    func headers(_ name: String) -> [String] { response.info?.head.values(ofHeader: name) ?? [] }

    /// What `set-cookie` fields give a cookie.
    func cookies(_ name: String) -> [String] { response.info?.head.values(ofCookie: name) ?? [] }

    /// What they say of it.
    func attributes(_ attribute: CookieAttribute, ofCookie name: String) -> [JSONValue] {
        (response.info?.head.lines(ofCookie: name) ?? []).compactMap(attribute.value)
    }

    var bodyText: String { String(decoding: text, as: UTF8.self) }

    /// Whether the body is one value of JSON.
    package var isJSON: Bool { JSONParser.parse(bodyText) != nil }

    /// The body in UTF-8, whatever `charset` it came in.
    private var text: Data { CharsetText.utf8(body, contentType: headers("content-type").last) }
}

extension RequestDefinition {
    /// The filters of its captures and expectations that another process evaluates, each once.
    package var filtersToAsk: [JSONFilter] {
        Self.toAsk(of: captures, allExpectations.filter { if case .filter = $0.subject { true } else { false } })
    }

    /// Those of what is expected of the messages of its session.
    package var messageFiltersToAsk: [JSONFilter] {
        Self.toAsk(of: [], allExpectations.filter { if case .message = $0.subject { true } else { false } })
    }

    /// Those of one step of it.
    package static func filtersToAsk(of receive: SessionStep.Receive) -> [JSONFilter] {
        toAsk(of: receive.captures, receive.conditions)
    }

    private static func toAsk(of captures: [CaptureDefinition], _ expectations: [ExpectationDefinition]) -> [JSONFilter] {
        let all = captures.compactMap(\.filter) + expectations.compactMap { $0.subject.filter.map { JSONFilter($0) } }
        return all.reduce(into: []) { if $1.needsProcess, !$0.contains($1) { $0.append($1) } }
    }

    /// The filters of its captures and expectations, and where they stand.
    package var placedFilters: [(filter: JSONFilter, location: SourceLocation)] {
        let ofCaptures = allCaptures.compactMap { capture -> (JSONFilter, SourceLocation)? in
            capture.filter.map { ($0, capture.location) }
        }
        return ofCaptures
            + (allExpectations + messages.flatMap { $0.receive?.conditions ?? [] }).compactMap { expectation in
                expectation.subject.filter.map { (JSONFilter($0), expectation.location) }
            }
    }
}

extension CaptureDefinition {
    fileprivate var filter: JSONFilter? { if case .filter(let source) = source { JSONFilter(source) } else { nil } }
}

extension ExpectationSubject {
    /// That of a body or a message.
    var filter: String? {
        switch self {
        case .filter(let source), .message(_, let source?): source
        default: nil
        }
    }
}

extension ExpectationDefinition {
    /// The same about the message as a body; `nil` for what isn't about one at this place.
    func ofMessage(at place: MessagePlace) -> ExpectationDefinition? {
        guard case .message(place, let filter) = subject else { return nil }
        var plain = self
        plain.subject = filter.map { .filter($0) } ?? .body
        return plain
    }
}

extension ResponseHead {
    /// In the order in which they came.
    func values(ofHeader name: String) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }

    /// What `set-cookie` fields give a cookie (RFC 6265, section 5.2).
    package func values(ofCookie name: String) -> [String] {
        lines(ofCookie: name).map { line in
            let pair = line.prefix { $0 != ";" }
            return String(pair.drop { $0 != "=" }.dropFirst().trimmed)
        }
    }

    /// The whole fields.
    func lines(ofCookie name: String) -> [String] {
        headers[values: .setCookie].filter { line in
            let pair = line.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else { return false }
            return String(pair[..<equals].trimmed).hasBytes(of: name)
        }
    }
}

extension StatusPhrases {
    /// The one that was sent, where it is one line of plain text, else the registered one; `""`: neither.
    static func phrase(_ status: HTTPResponse.Status) -> String {
        let sent = status.reasonPhrase
        let isPlain = (1...60).contains(sent.utf8.count) && sent.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPlain ? sent : phrase(status.code) ?? ""
    }
}

/// The text of a body that says with `charset` in which encoding it is.
package enum CharsetText {
    /// In UTF-8.
    static func utf8(_ body: Data, contentType: String?) -> Data { converted(body, contentType: contentType) ?? body }

    /// In UTF-8: a byte order mark decides, then `charset`; `nil` for what is UTF-8 already, or in an encoding that the system doesn't know.
    ///
    /// - Parameter contentType: the field's value.
    package static func converted(_ body: Data, contentType: String?) -> Data? {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return body.dropFirst(3) }
        return CharsetDecoder.charset(contentType: contentType, start: body).flatMap { CharsetDecoder.utf8(body, in: $0) }
    }

    /// The text of bytes in an encoding; `nil` for one that the system doesn't know.
    static func text(_ bytes: Data, in charset: String) -> String? {
        let name = charset.lowercased()
        if ["utf-8", "utf8"].contains(name) { return String(decoding: bytes, as: UTF8.self) }
        return CharsetDecoder.utf8(bytes, in: name).map { String(decoding: $0, as: UTF8.self) }
    }
}
