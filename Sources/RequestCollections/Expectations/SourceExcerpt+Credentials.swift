import NetworkLayer

extension SourceExcerpt {
    /// The text with its literal credentials masked: values of keys with such names, and passwords in addresses.
    ///
    /// What is wrong with a line may be the reason why nothing else knows of its secrets.
    var maskedCredentials: String { Self.maskingCredentials(in: text) }

    /// The same for any text of a file, such as one that a message quotes.
    static func maskingCredentials(in text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var masked = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            masked.append(scalars[index])
            index += 1
            if scalars[index - 1] == "=" {
                let value = formValue(in: scalars, at: index)
                if !value.isEmpty { masked.append(contentsOf: Redactor.mask.unicodeScalars) }
                index = value.endIndex
                continue
            }
            guard scalars[index - 1] == ":" else { continue }
            let gap = scalars[index...].prefix { $0 == " " || $0 == "\t" }
            // A key in quotes needs no blank behind its colon, as in JSON, and may have some before it.
            let before = scalars[..<(index - 1)].dropLast(while: { $0 == " " || $0 == "\t" })
            guard !gap.isEmpty || before.last.map("\"'".unicodeScalars.contains) == true,
                Self.isCredential(Self.key(before: before))
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

    /// What stands behind the `=` of a form, such as `password=x`; nothing where it is no credential.
    private static func formValue(in scalars: [Unicode.Scalar], at index: Int) -> ArraySlice<Unicode.Scalar> {
        let name = scalars[..<(index - 1)].suffix(while: {
            $0.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains($0)
        })
        let value = scalars[index...].prefix { !" \t&;,#\"'})]".unicodeScalars.contains($0) }
        guard value.first != "=", isCredential(String(String.UnicodeScalarView(name))), mayBeSecret(value) else {
            return scalars[index..<index]
        }
        return value
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

    fileprivate func dropLast(while isSo: (Element) -> Bool) -> ArraySlice { self[..<suffix(while: isSo).startIndex] }
}
