import Base
import RequestCollections

/// The errors in the answer to a query in GraphQL (section 7.1.2), which comes with a status of 200 like any other.
package struct QueryErrors: Hashable, Sendable {
    package var count: Int
    /// The message of the first, with secrets in it; `nil` where it has none.
    package var first: String?
    /// Whether the server doesn't know the hash of a persisted query.
    var saysUnknownHash = false

    init(count: Int) { self.count = count }

    /// - Returns: `nil` for an answer without errors, and for what isn't one of GraphQL.
    init?(inAnswer body: Data) {
        guard body.count <= Self.mostBytes, let errors = JSONParser.parse(String(decoding: body, as: UTF8.self))?["errors"]?.items,
            !errors.isEmpty
        else { return nil }
        count = errors.count
        if case .string(let message)? = errors[0]["message"] { first = message }
        saysUnknownHash = errors.contains { error in
            error["message"] == "PersistedQueryNotFound" || error["extensions"]?["code"] == "PERSISTED_QUERY_NOT_FOUND"
        }
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
    fileprivate var isAboutErrorsOfQuery: Bool {
        switch self {
        case .filter(let source), .message(_, let source?): source.contains("errors")
        default: false
        }
    }
}
