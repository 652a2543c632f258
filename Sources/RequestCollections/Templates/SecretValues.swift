/// The secrets that are known when a request is resolved.
///
/// Resolving never reads them itself: a command may take its time, or ask for a password. ``ResolutionError/missingSecret`` names
/// the one to read next.
package enum SecretValues: Sendable {
    case known([SecretReference: String])
    /// Dots instead of each: for showing what would be sent.
    case masked

    subscript(_ reference: SecretReference) -> String? {
        switch self {
        case .known(let values): values[reference]
        case .masked: "••••••"
        }
    }
}

extension SecretReference: CustomStringConvertible {
    package var description: String {
        switch self {
        case .environment(let name): "the environment variable `\(name)`"
        case .command(let words): "the command `\(words.joined(separator: " "))`"
        case .file(let path): "the file \(path)"
        }
    }
}
