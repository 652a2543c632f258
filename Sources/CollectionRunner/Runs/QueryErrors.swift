import Base
import NetworkLayer
import RequestCollections

/// The errors in the answer to a query in GraphQL (section 7.1.2), which comes with a status of 200 like any other.
package struct QueryErrors: Hashable, Sendable {
    package var count: Int
    /// The message of the first, with secrets in it; `nil` where it has none.
    package var first: String?
    /// Whether the server doesn't know the hash of a persisted query.
    var saysUnknownHash = false

    /// - Parameter earlier: those that came before.
    init(_ errors: [JSONValue], after earlier: QueryErrors? = nil) {
        count = (earlier?.count ?? 0) + errors.count
        first = earlier?.first
        if first == nil, case .string(let message)? = errors.first?["message"] { first = message }
        saysUnknownHash = errors.contains { error in
            error["message"] == "PersistedQueryNotFound" || error["extensions"]?["code"] == "PERSISTED_QUERY_NOT_FOUND"
        }
    }

    /// - Returns: `nil` for an answer without errors, and for what isn't one of GraphQL.
    init?(inAnswer body: Data, type: String? = nil) {
        guard body.count <= Self.mostBytes else { return nil }
        let text = String(decoding: body, as: UTF8.self)
        let isEvents = type.map { ContentType($0).essence } == "text/event-stream"
        let answers = isEvents ? Self.answers(inEvents: text) : [JSONParser.parse(text)].compactMap(\.self)
        // An event of a connection for several operations has its answer within.
        let errors = answers.flatMap { ($0["errors"] ?? (isEvents ? $0["payload"]?["errors"] : nil))?.items ?? [] }
        guard !errors.isEmpty else { return nil }
        self.init(errors)
    }

    /// The data of server-sent events, as far as they are JSON.
    private static func answers(inEvents text: String) -> [JSONValue] {
        var answers: [JSONValue] = []
        var data = ""
        for line in text.pieces(at: "\n") {
            let line = line.hasSuffix("\r") ? line.dropLast() : line
            if line.hasPrefix("data:") {
                data += line.dropFirst(5) + "\n"
            } else if line.isEmpty {
                if let answer = JSONParser.parse(data) { answers.append(answer) }
                data = ""
            }
        }
        return answers
    }

    /// Longer answers aren't looked at.
    private static let mostBytes = 16 << 20
}

extension RunResult {
    /// The errors about which its request says nothing: no expectation looks at `.errors`.
    package var unexpectedQueryErrors: QueryErrors? {
        let isSaid =
            expectations.contains { $0.isAboutErrorsOfQuery }
            || polling?.until.conditions.contains { $0.subject.isAboutErrorsOfQuery } == true
        return isSaid ? nil : queryErrors
    }
}

extension ExpectationResult {
    fileprivate var isAboutErrorsOfQuery: Bool { subject.isAboutErrorsOfQuery }
}

extension ExpectationSubject {
    /// Whether it looks at the errors of an answer, and not at a field of its data that is called so, too.
    fileprivate var isAboutErrorsOfQuery: Bool {
        switch self {
        case .filter(let source): Self.names("errors", atRootOf: source)
        case .message(_, let source?): Self.names("payload", atRootOf: source) && !source.contains(".data")
        default: false
        }
    }

    /// Whether a program takes this member of the whole: `.errors`, `$.errors`, `[.errors[]?]`.
    private static func names(_ member: String, atRootOf source: String) -> Bool {
        let bytes = Array(source.utf8)
        let name = Array(".\(member)".utf8)
        func isWord(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
        guard bytes.count >= name.count else { return false }
        return (0...bytes.count - name.count).contains { start in
            guard bytes[start..<start + name.count].elementsEqual(name) else { return false }
            let end = start + name.count
            if end < bytes.count, isWord(bytes[end]) { return false }
            // Behind a path, an index or a bracket it is a member of something else.
            guard start > 0 else { return true }
            let before = bytes[start - 1]
            return !isWord(before)
                && ![UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "?")].contains(before)
        }
    }
}
