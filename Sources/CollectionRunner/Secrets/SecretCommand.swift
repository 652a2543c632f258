import Base
import RequestCollections

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

    func run(_ permit: Permit) async throws(SecretError) -> String {
        let line = try await output(permit).prefix { $0 != 0x0A }
        let secret = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        guard !secret.isEmpty else { throw SecretError("\(name) printed nothing") }
        return secret
    }

    private func output(_ permit: Permit) async throws(SecretError) -> Data {
        do throws(CommandError) {
            return try await command.run(permit)
        } catch {
            throw SecretError("\(name) \(error.predicate)")
        }
    }

    private var name: String { "the command `\(command.words.joined(separator: " "))`" }
}
