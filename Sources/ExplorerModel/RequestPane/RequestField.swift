/// A part of a request definition that can be edited.
package enum RequestField: Hashable, Sendable {
    case method, url
    case name(Rows, Int)
    case value(Rows, Int)
    case body
    case formName(Int), formValue(Int)
    case authUser, authPassword, authToken
    case policy(Policy)

    /// A list of named values.
    package enum Rows: Hashable, Sendable, CaseIterable {
        case path, query, headers, cookies
    }

    package enum Policy: Hashable, Sendable, CaseIterable {
        case connectTimeout, idleTimeout, attemptTimeout, operationTimeout
        case followRedirects, maxRedirects, keepAuth
        case verifiesTLS, httpVersion, compression, priority
    }
}
