/// Who or what cancelled an operation (CAN-1): `"the user"`, `"the queue was emptied"`, or an error.
///
/// TNL's cancel source. The error that an operation ends with carries all of it, unless the source has an error to put in its
/// place.
public struct CancelSource: Sendable, Hashable, ExpressibleByStringLiteral {
    /// For developers and logs.
    public var description: String
    /// Most sources have a description only, and every error has room for one.
    private var details: Details?

    private indirect enum Details: Sendable, Hashable {
        case all(localized: String?, underlying: NetworkError?, override: NetworkError?)
    }

    /// - Parameters:
    ///   - localizedDescription: for people, in their language.
    ///   - underlyingError: why it was cancelled: the cause of the error that the operation ends with.
    ///   - overrideError: what the operation ends with in place of code `cancelled`; its state is `cancelled` all the same.
    public init(
        _ description: String, localizedDescription: String? = nil, underlyingError: NetworkError? = nil,
        overrideError: NetworkError? = nil
    ) {
        self.description = description
        if localizedDescription != nil || underlyingError != nil || overrideError != nil {
            details = .all(localized: localizedDescription, underlying: underlyingError, override: overrideError)
        }
    }

    /// A source with this description and nothing else.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// An error as the source: the operation ends with this very error.
    public init(_ error: any Error) {
        let override = NetworkError(wrapping: error, phase: .queue)
        self.init("\(error)", localizedDescription: override.message, overrideError: override)
    }

    /// The source of a cancel that gives no reason.
    public static let unnamed = CancelSource("`cancel` was called, with no reason given")

    /// For people; `nil` where the source has no words.
    public var localizedDescription: String? {
        if case .all(let localized, _, _) = details { localized } else { nil }
    }

    /// Becomes the cause of the error that the operation ends with; `nil` where there is none.
    package var underlyingError: NetworkError? {
        if case .all(_, let underlying, _) = details { underlying } else { nil }
    }

    /// What the operation ends with in place of code `cancelled`; `nil`: that code.
    package var overrideError: NetworkError? {
        if case .all(_, _, let override) = details { override } else { nil }
    }

    func with(underlying error: any Error) -> CancelSource {
        CancelSource(
            description, localizedDescription: localizedDescription,
            underlyingError: NetworkError(wrapping: error, phase: .queue), overrideError: overrideError)
    }
}

extension CancelSource: Codable {
    private enum CodingKeys: CodingKey {
        case description, localizedDescription, underlyingError, overrideError
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .description),
            localizedDescription: try container.decodeIfPresent(String.self, forKey: .localizedDescription),
            underlyingError: try container.decodeIfPresent(NetworkError.self, forKey: .underlyingError),
            overrideError: try container.decodeIfPresent(NetworkError.self, forKey: .overrideError))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(description, forKey: .description)
        try container.encodeIfPresent(localizedDescription, forKey: .localizedDescription)
        try container.encodeIfPresent(underlyingError, forKey: .underlyingError)
        try container.encodeIfPresent(overrideError, forKey: .overrideError)
    }
}
