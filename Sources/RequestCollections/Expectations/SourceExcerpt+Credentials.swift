import NetworkLayer

extension SourceExcerpt {
    /// The text with its literal credentials masked: values of keys with such names, and passwords in addresses.
    ///
    /// What is wrong with a line may be the reason why nothing else knows of its secrets.
    var maskedCredentials: String {
        let scalars = Array(text.unicodeScalars)
        var masked = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            masked.append(scalars[index])
            index += 1
            guard scalars[index - 1] == ":" else { continue }
            let gap = scalars[index...].prefix { $0 == " " || $0 == "\t" }
            // A key in quotes needs no blank behind its colon, as in JSON.
            guard !gap.isEmpty || index > 1 && "\"'".unicodeScalars.contains(scalars[index - 2]),
                Self.isCredential(Self.key(before: scalars[..<(index - 1)]))
            else { continue }
            let rest = scalars[gap.endIndex...]
            let entry = rest.prefix(Self.count(ofEntry: rest))
            let blanks = entry.reversed().prefix { $0 == " " }.count
            let value = entry.dropLast(blanks)
            guard Self.mayBeSecret(value) else { continue }
            if !gap.isEmpty { masked.append(" ") }
            masked.append(contentsOf: Redactor.mask.unicodeScalars)
            index = value.endIndex
        }
        return Redaction.standard.url(String(masked)).map(\.text).joined()
    }

    private static func key(before scalars: ArraySlice<Unicode.Scalar>) -> String {
        // The quotes of JSON have backslashes in a text that has quotes itself.
        let quotes = "\"'\\".unicodeScalars
        let end = scalars.dropLast(scalars.reversed().prefix(while: quotes.contains).count)
        return String(String.UnicodeScalarView(end.suffix(while: { !" \t{[,\"'\\".unicodeScalars.contains($0) })))
    }

    /// `.token` is a filter of an answer.
    private static func isCredential(_ name: String) -> Bool {
        !name.hasPrefix(".") && (Redaction.standard.redacts(name) || Redaction.standard.redacts(parameter: name))
    }

    /// Not where a value comes from: a secret's `{ env: … }`, a template, and what a capture takes of an answer.
    private static func mayBeSecret(_ value: ArraySlice<Unicode.Scalar>) -> Bool {
        let text = String(String.UnicodeScalarView(value))
        if text.isEmpty || text.contains("{{") || ["true", "false", "null", "~", "none"].contains(text) { return false }
        if let first = value.first, "{|>&*".unicodeScalars.contains(first) { return false }
        if text.hasPrefix("[") { return true }
        let plain = text.filter { $0 != "\"" && $0 != "'" }
        guard let source = CaptureSource(plain) else { return true }
        if case .filter = source { return !plain.hasPrefix(".") }
        return false
    }
}

extension ArraySlice {
    /// The longest run of elements at the end for which this holds.
    fileprivate func suffix(while isSo: (Element) -> Bool) -> ArraySlice {
        var start = endIndex
        while start > startIndex, isSo(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
