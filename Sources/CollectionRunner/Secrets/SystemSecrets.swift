import Base
import NetworkLayer
package import RequestCollections
import Synchronization

/// Secrets from this process's environment, from files, and from commands.
package struct SystemSecrets: SecretSource {
    private let environment: [String: String]
    private let given: [String: String]
    private let commandTimeout: Duration

    /// - Parameters:
    ///   - given: more variables, which commands don't get.
    ///   - commandTimeout: how long a command may take; some ask for a password in a window of their own.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment, given: [String: String] = [:],
        commandTimeout: Duration = .seconds(60)
    ) {
        self.environment = environment
        self.given = given
        self.commandTimeout = commandTimeout
    }

    package func read(_ secret: PermittedSecret) async throws(SecretError) -> String {
        switch secret {
        case .environment(let name, _):
            guard let value = environment[name] ?? given[name] else {
                throw SecretError("the environment variable `\(name)` isn't set; set it, and start again")
            }
            return value
        case .file(let file): return try Self.read(file)
        case .prompt(let message):
            throw SecretError("nobody can be asked `\(message)` here")
        case .command(let words, let directory, let permit):
            return try await SecretCommand(words, directory: directory, environment: environment, timeout: commandTimeout)
                .run(permit)
        }
    }

    private static func read(_ file: PermittedFile) throws(SecretError) -> String {
        let bytes: [UInt8]
        do throws(CollectionFileError) {
            bytes = try file.read(limit: 1 << 20)
        } catch {
            throw SecretError("the secret's file \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SecretError("the secret's file \(file.name) isn't UTF-8 text")
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { return String(text.dropLast()) }
        return text
    }
}

/// Reads secrets from where the file says they are.
package protocol SecretSource: Sendable {
    func read(_ secret: PermittedSecret) async throws(SecretError) -> String
}

/// Why a secret can't be read. Never has a part of the secret in it.
package struct SecretError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}

/// One run of a command that prints a secret.
///
/// It reads nothing, and may not take for ever. Its first line is the secret: password managers put notes below it.
struct SecretCommand: Sendable {
    private let command: Command

    init(_ words: [String], directory: String, environment: [String: String], timeout: Duration) {
        // Not in a group of its own: it may ask for a password at the terminal.
        command = Command(
            words, directory: directory, environment: environment, timeout: timeout, outputLimit: 1 << 20, ownsGroup: false)
    }

    func run(_ permit: Permission) async throws(SecretError) -> String {
        let line = try await output(permit).prefix { $0 != 0x0A }
        let secret = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        guard !secret.isEmpty else { throw SecretError("\(name) printed nothing") }
        return secret
    }

    private func output(_ permit: Permission) async throws(SecretError) -> Data {
        do throws(CommandError) {
            return try await command.run(permit)
        } catch {
            throw SecretError("\(name) \(error.predicate)")
        }
    }

    private var name: String { "the command `\(command.words.joined(separator: " "))`" }
}

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

/// Asks a person for what a template needs.
package protocol Prompter: Sendable {
    func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String
    /// - Returns: one of the options.
    func choose(_ select: SelectRequirement) async throws(PromptError) -> String
    /// Shows what to do elsewhere, and returns as soon as it is shown.
    ///
    /// - Parameter decline: ends the waiting for it. May be called at any time, also never.
    func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError)
    /// It is done, or was given up.
    func hide(_ notice: SignInNotice) async
}

extension Prompter {
    /// For those who can only ask.
    package func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError) {
        throw PromptError("a sign-in for \(notice.server) is needed, and it can't be shown here")
    }

    package func hide(_ notice: SignInNotice) async {}
}

/// Why there is no answer: nobody is there, or they declined.
package struct PromptError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
