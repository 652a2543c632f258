import Base
import NetworkLayer

/// Answers the server of a URL by the strongest scheme that it takes a name and a password with: `--anyauth`.
struct ServerChoice: ChallengeHandler {
    private let credential: Credential
    /// `nil`: whoever asks, as `--location-trusted` has it.
    private let origin: Origin?

    init?(_ arguments: SendArguments, url: URL) throws {
        // Nobody named: the request goes without.
        guard arguments.user != nil else { return nil }
        credential = try SendPlan.credential(arguments)
        origin = arguments.trustsRedirects ? nil : Origin(url)
    }

    func respond(to challenge: AuthenticationChallenge) async -> ChallengeDisposition {
        guard challenge.space == .server, origin == nil || origin == Origin(challenge.request.url),
            challenge.method == .digest || challenge.method == .basic
        else { return .default }
        return .useCredential(.password(credential))
    }
}
