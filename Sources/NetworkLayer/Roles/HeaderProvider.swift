public import HTTPTypes

/// Gives header fields to every request of a client (HDR-1): `defaults < request < overrides`, name by name.
///
/// A class, because adding it again moves it to the end of the line instead of asking it twice. Among providers the last added
/// wins.
public protocol HeaderProvider: AnyObject, Sendable {
    /// Fields for names that the request doesn't have.
    ///
    /// - Parameters:
    ///   - original: the request as the caller made it.
    ///   - request: the request as it has been prepared so far.
    func defaultHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields

    /// Fields that replace those of the request that have the same names.
    func overrideHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields
}

extension HeaderProvider {
    public func defaultHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { [:] }
    public func overrideHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { [:] }
}

/// A ``HeaderProvider`` whose fields are always the same.
public final class FixedHeaders: HeaderProvider {
    private let defaults: HTTPFields
    private let overrides: HTTPFields

    /// - Parameters:
    ///   - defaults: count where a request doesn't have the field.
    ///   - overrides: replace a request's own.
    public init(defaults: HTTPFields = [:], overrides: HTTPFields = [:]) {
        self.defaults = defaults
        self.overrides = overrides
    }

    /// - Parameter defaults: by names that are written out; every one must be a name (RFC 9110, section 5.1), as for `HTTPFields(_:)`.
    public convenience init(defaults: [String: String]) {
        self.init(defaults: HTTPFields(defaults))
    }

    public func defaultHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { defaults }
    public func overrideHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { overrides }
}
