/// Makes one value of another: the model of an answer into what the program works with. TermiNetwork's `Transformer` (TN-9).
public struct Transformer<From: Sendable, To: Sendable>: Sendable {
    private let make: @Sendable (From) throws -> To

    /// - Parameter make: what it throws ends the call with code `transformationFailed`, with it as the cause.
    public init(_ make: @escaping @Sendable (From) throws -> To) {
        self.make = make
    }

    /// - Throws: code `transformationFailed`, with what was thrown as its cause.
    public func transform(_ value: From) throws(NetworkError) -> To {
        do {
            return try make(value)
        } catch {
            let cause = NetworkError(wrapping: error, phase: .body)
            throw NetworkError(
                .transformationFailed, phase: .body, type: ErrorType.transformationFailed,
                message: "\(From.self) could not be made into \(To.self): \(cause.message)", underlying: cause)
        }
    }
}
