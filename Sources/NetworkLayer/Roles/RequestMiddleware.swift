/// Changes every request on its way out and every response on its way in (TN-8; TermiNetwork's `RequestMiddlewareProtocol`).
///
/// It is no role of its own but plays two: on the way out it is a ``RequestHydrator``, see ``MiddlewareHydrator``; on the way in
/// it works on the finished response, see ``RequestOperation/response(through:)``. TermiNetwork's interceptors (TN-7) are
/// ``RetryPolicy`` values, which are asked one after the other when an attempt has ended, together with an authorizer or a
/// hydrator, which is asked anew for every retry. Neither requirement has a default, so a misspelt one doesn't compile.
public protocol RequestMiddleware: Sendable {
    /// Parameters, header fields, the body: before anything else looks at them.
    func process(_ request: Request) async throws -> Request

    /// Header fields, the body: after everything else. Not called when the operation has failed.
    func process(_ response: Response) async throws -> Response
}

/// Middleware as a hydrator: each changes what the one before it made. What one throws is a `hydrationFailed`.
public struct MiddlewareHydrator: RequestHydrator {
    private let middleware: [any RequestMiddleware]
    private let hydrator: (any RequestHydrator)?

    /// - Parameter hydrator: fills the request in first.
    public init(_ middleware: [any RequestMiddleware], after hydrator: (any RequestHydrator)? = nil) {
        self.middleware = middleware
        self.hydrator = hydrator
    }

    public func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
        var request = try await hydrator?.hydrate(request, for: operation) ?? request
        for middleware in middleware { request = try await middleware.process(request) }
        return request
    }
}

extension RequestOperation {
    /// ``response``, changed by the middleware in reverse order: the last that saw the request sees the response first. What one
    /// throws becomes the error of the response, code `middlewareFailed`, and the others don't see it.
    public func response(through middleware: [any RequestMiddleware]) async -> Response {
        var response = await response
        for middleware in middleware.reversed() {
            guard response.error == nil else { return response }
            do {
                response = try await middleware.process(response)
            } catch is CancellationError {
                response.error = NetworkError(wrapping: CancellationError(), phase: .response)
            } catch {
                response.error = .middlewareFailed(error, middleware)
            }
        }
        return response
    }
}

extension NetworkError {
    fileprivate static func middlewareFailed(_ error: any Error, _ middleware: any RequestMiddleware) -> NetworkError {
        let cause = NetworkError(wrapping: error, phase: .response)
        return NetworkError(
            .middlewareFailed, phase: .response, type: ErrorType.middlewareFailed,
            message: "The response can't be processed (middleware \(Swift.type(of: middleware))): \(cause.message)",
            underlying: cause)
    }
}
