import NetworkLayer
import RequestCollections
import Synchronization

/// What a command or a person said when a secret was asked for.
struct SecretAnswer: Sendable {
    let text: String
    let time: MonotonicTime

    /// A younger answer that a server refuses is wrong, and not old: its command would only say it again.
    static let mayBeOutdated: Duration = .seconds(60)
}

extension CollectionRunner {
    /// Commands and people are asked again by the next request that needs them.
    ///
    /// - Returns: how many answers are forgotten.
    @discardableResult
    package func forgetAnswers() -> Int {
        remembered.withLock { answers in
            defer { answers = [:] }
            return answers.count
        }
    }

    /// Forgets what commands said some time ago: a server refused these secrets (RFC 9110, section 15.5.2), and a token may have expired.
    ///
    /// People aren't asked again, because a run of many requests that are refused would ask them each minute.
    func forgetOldAnswers(among secrets: Set<String>) {
        let now = queue.client.time.now
        remembered.withLock { answers in
            answers = answers.filter { secret, answer in
                guard case .command = secret else { return true }
                return now - answer.time < SecretAnswer.mayBeOutdated || !secrets.contains(answer.text)
            }
        }
    }
}
