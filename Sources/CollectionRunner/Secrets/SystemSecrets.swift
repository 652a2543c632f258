import Foundation
package import RequestCollections

/// Secrets from this process's environment, from files, and from commands.
package struct SystemSecrets: SecretSource {
    private let environment: [String: String]
    private let commandTimeout: Duration

    /// - Parameter commandTimeout: how long a command may take; some ask for a password in a window of their own.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment, commandTimeout: Duration = .seconds(60)
    ) {
        self.environment = environment
        self.commandTimeout = commandTimeout
    }

    package func read(_ reference: SecretReference, from directory: String) async throws(SecretError) -> String {
        switch reference {
        case .environment(let name):
            guard let value = environment[name] else {
                throw SecretError("the environment variable `\(name)` isn't set; set it, and start again")
            }
            return value
        case .file(let path):
            let isRelative = !path.hasPrefix("/") && !directory.isEmpty
            return try Self.read(URL(filePath: isRelative ? "\(directory)/\(path)" : path))
        case .prompt(let message):
            throw SecretError("nobody can be asked `\(message)` here")
        case .command(let words):
            return try await SecretCommand(words, directory: directory, environment: environment, timeout: commandTimeout).run()
        }
    }

    private static func read(_ file: URL) throws(SecretError) -> String {
        guard access(file.path, R_OK) == 0, let data = try? Data(contentsOf: file) else {
            throw SecretError("the secret's file \(file.path) can't be read: \(String(cString: strerror(errno)).lowercased())")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw SecretError("the secret's file \(file.path) isn't UTF-8 text")
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { return String(text.dropLast()) }
        return text
    }
}
