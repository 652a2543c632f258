import Base
package import RequestCollections

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
