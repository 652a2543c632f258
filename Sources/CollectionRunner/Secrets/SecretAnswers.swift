import NetworkLayer
import RequestCollections
import Synchronization

/// What commands and people said when secrets were asked for.
struct SecretAnswers: Sendable {
    private var answers: [PermittedSecret: Answer] = [:]
    /// The last answer of each command that a server refused.
    private var refused: [PermittedSecret: Answer] = [:]
    /// How often all of them were forgotten: what was asked before that isn't kept.
    private(set) var generation = 0

    private struct Answer {
        let text: String
        let time: MonotonicTime
        /// A younger answer that a server refuses is wrong, and not old: its command would only say it again.
        var mayBeOutdatedAfter: Duration
        /// The server that refused the same answer before.
        var refusedBy: Origin?
    }

    /// After the first refusal, and, doubled each time, after a command has said the same again: some ask a person for a fingerprint.
    private static let shortestWait: Duration = .seconds(60)
    private static let longestWait: Duration = .seconds(3600)

    subscript(secret: PermittedSecret) -> String? { answers[secret]?.text }

    /// - Parameter generation: of the time when it was asked for.
    mutating func keep(_ text: String, for secret: PermittedSecret, at time: MonotonicTime, askedIn generation: Int) {
        guard generation == self.generation else { return }
        var answer = Answer(text: text, time: time, mayBeOutdatedAfter: Self.shortestWait)
        if let before = refused.removeValue(forKey: secret), before.text.hasBytes(of: text) {
            answer.mayBeOutdatedAfter = min(before.mayBeOutdatedAfter * 2, Self.longestWait)
            answer.refusedBy = before.refusedBy
        }
        answers[secret] = answer
    }

    /// - Returns: how many there were.
    mutating func forgetAll() -> Int {
        defer { (answers, refused, generation) = ([:], [:], generation + 1) }
        return answers.count
    }

    /// A server took these secrets, so a later refusal by the same server means that they are old. Another server may take anything.
    mutating func accept(_ secrets: Set<String>, by origin: Origin?) {
        for (secret, answer) in answers where secrets.contains(answer.text) && answer.refusedBy == origin {
            answers[secret]?.mayBeOutdatedAfter = Self.shortestWait
        }
    }

    /// Forgets what commands said some time ago: a server refused these secrets (RFC 9110, section 15.5.2), and a token may have expired.
    ///
    /// People aren't asked again, because a run of many requests that are refused would ask them each minute.
    mutating func refuse(_ secrets: Set<String>, by origin: Origin?, at now: MonotonicTime) {
        for (secret, answer) in answers {
            guard case .command = secret, secrets.contains(answer.text), now - answer.time >= answer.mayBeOutdatedAfter else {
                continue
            }
            refused[secret] = answer
            refused[secret]?.refusedBy = origin
            answers[secret] = nil
        }
    }
}

/// A question for a secret. One that comes after all answers were forgotten is another one.
struct SecretQuestion: Hashable, Sendable {
    let secret: PermittedSecret
    /// The ``SecretAnswers/generation`` in which it is asked.
    let generation: Int
}

extension CollectionRunner {
    /// Commands and people are asked again by the next request that needs them.
    ///
    /// - Returns: how many answers are forgotten; a question that is still waiting for its answer counts as one.
    @discardableResult
    package func forgetAnswers() -> Int { answers.withLock { $0.forgetAll() } + asking.waiting }
}
