/// Where one value of a request that is about to be sent comes from.
package struct ValueOrigin: Hashable, Sendable {
    package var subject: Subject
    package var source: Source
    /// `nil` for what doesn't stand in a file.
    package var location: SourceLocation?

    package init(_ subject: Subject, from source: Source, at location: SourceLocation?) {
        self.subject = subject
        self.source = source
        self.location = location
    }

    package enum Subject: Hashable, Sendable {
        case url
        case path(String)
        case query(String)
        case header(String)
        case cookie(String)
        case auth
        case body
        /// By key path: `timeouts.idle`.
        case setting(String)
        /// A variable that a template used.
        case variable(String)
    }

    package enum Source: Hashable, Sendable {
        case request
        /// The defaults of a folder, or of the collection when `nil`.
        case defaults(RequestID?)
        case environment(String)
        /// The `variables` of a folder, or of the collection when `nil`.
        case variables(RequestID?)
        /// An item of a `for-each`: without a run, the first one.
        case item
        /// Given on the command line with `--var`.
        case given
        /// From another request's response.
        case captured(RequestID)
        /// From another part of the request, such as the content type from the body.
        case derived
        /// What holds when no file says anything.
        case library
    }
}
