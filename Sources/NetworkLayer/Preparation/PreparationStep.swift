/// The steps from a request as it was given to one that can be sent (section 1.2 of the reference), in their order. Every attempt
/// takes all of them but a redirect hop, for which only the host is looked at again (PRE-2).
public enum PreparationStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The original request: codes 101 to 103.
    case validation
    /// ``RequestDelegate/hydrator``: code 207.
    case hydration
    /// What the hydrator made: code 208, with what is wrong beneath.
    case revalidation
    /// What is odd about the configuration is said in `configurationWarning`, and does no harm.
    case configuration
    /// ``NetworkClient/addHeaderProvider(_:)``.
    case headers
    /// Names the decoders of the configuration, unless the request names what it accepts.
    case acceptEncoding
    /// ``ContentCoding/encoder``: codes 213 and 214.
    case contentEncoding
    /// ``NetworkClient/setHostSanitizer(_:)``: codes 301 and 9901.
    case hostSanitizer
    /// ``RequestDelegate/authorizer``: code 216.
    case authorization
    /// ``RequestEventHandler/readyToEnqueue(_:isRetry:)``.
    case readyToEnqueue
}

/// Settings that contradict each other (step 5 of section 1.2). Nothing fails for it.
public enum ConfigurationWarning: String, Sendable, Hashable, Codable, CaseIterable {
    /// The attempt timeout is shorter than the idle timeout, so the idle timeout never comes.
    case attemptTimeoutShorterThanIdle
    /// The operation timeout is shorter than the attempt timeout, so the attempt timeout never comes.
    case operationTimeoutShorterThanAttempt
    /// Redirects are left to a delegate that isn't there: they are followed.
    case redirectDeciderMissing
    /// A timeout is shorter than ``Timeouts/minimum``, and means never.
    case timeoutTooShort

    /// One sentence for people.
    public var message: String {
        switch self {
        case .attemptTimeoutShorterThanIdle: "The attempt timeout is shorter than the idle timeout, which therefore never passes."
        case .operationTimeoutShorterThanAttempt:
            "The operation timeout is shorter than the attempt timeout, which therefore never passes."
        case .redirectDeciderMissing: "Redirects are left to a delegate, and there is none: they are followed."
        case .timeoutTooShort: "A timeout below 100 ms means never here, unless `shortest` allows shorter ones."
        }
    }

    /// How much shorter a timeout may be: a twentieth of a second (TNL's figure).
    private static let tolerance = Duration.milliseconds(50)

    static func all(of configuration: RequestConfiguration, hasRedirectDecider: Bool) -> [ConfigurationWarning] {
        let timeouts = configuration.timeouts
        var warnings: [ConfigurationWarning] = []
        if timeouts.hasOneTooShort { warnings.append(.timeoutTooShort) }
        let attempt = timeouts.limit(timeouts.attempt)
        if timeouts.idleMode != .disabled, isShorter(attempt, than: timeouts.limit(timeouts.idle)) {
            warnings.append(.attemptTimeoutShorterThanIdle)
        }
        if isShorter(timeouts.limit(timeouts.operation), than: attempt) { warnings.append(.operationTimeoutShorterThanAttempt) }
        if configuration.redirects.policy == .delegate, !hasRedirectDecider { warnings.append(.redirectDeciderMissing) }
        return warnings
    }

    /// Timeouts that mean never are neither shorter nor longer than anything worth a word.
    private static func isShorter(_ left: Duration?, than right: Duration?) -> Bool {
        guard let left, let right else { return false }
        return right - left > tolerance
    }
}
