import NetworkLayer

/// What a variable may be called.
enum TemplateName {
    static func isValid(_ name: some StringProtocol) -> Bool {
        guard let first = name.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy(isPart)
    }

    static func isPart(_ byte: UInt8) -> Bool {
        isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    /// The same for a character: everything beyond ASCII may be in a name.
    static func isPart(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII ? isPart(UInt8(scalar.value)) : true }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte >= 0x80
    }
}

extension Redaction {
    /// Whether a variable is a credential by its name: of a member such as `user.password`, by that of the member.
    package func redacts(variable name: String) -> Bool { redacts(parameter: name.pieces(at: ".").last.map(String.init) ?? name) }
}
