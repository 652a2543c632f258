/// The name of an environment variable, as every shell takes it behind a `$` (POSIX, section 8.1). Any other one can't be set there, and
/// would say something else to a shell that finds it in a command.
package enum EnvironmentVariableName {
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }

    /// What a name must be, for a sentence.
    package static let rule = "letters, digits and `_`, and no digit first"

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }
}
