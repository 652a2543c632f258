public import HTTPTypes

/// What the values of many fields are made of (RFC 9110, section 5.6).
package enum FieldSyntax {
    /// What stands between separators; one inside of a quoted string separates nothing. Empty pieces count, white space stays.
    package static func pieces(of value: some StringProtocol, separatedBy separator: Unicode.Scalar) -> [Substring] {
        let value = Substring(value).unicodeScalars
        var pieces: [Substring] = []
        var start = value.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in value.indices {
            switch value[index] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case separator where !isQuoted:
                pieces.append(Substring(value[start..<index]))
                start = value.index(after: index)
            default: break
            }
        }
        pieces.append(Substring(value[start...]))
        return pieces
    }

    /// Without the spaces and tabs around it (section 5.6.3).
    package static func trimmed(_ value: Substring) -> Substring {
        var value = value.unicodeScalars.drop { $0 == " " || $0 == "\t" }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        return Substring(value)
    }

    /// A quoted string without its quotes and backslashes (section 5.6.4); anything else as it is.
    package static func unquoted(_ value: Substring) -> String {
        let scalars = value.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return String(value) }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in scalars.dropFirst().dropLast() {
            isEscaped = scalar == "\\" && !isEscaped
            if !isEscaped { text.append(scalar) }
        }
        return String(text)
    }
}

extension HTTPFields {
    /// The most fields that are taken from outside, as curl takes them. `HTTPFields` itself ends the process when there are 65,535.
    package static let limit = 5000

    /// The first ``limit`` of them.
    package init(limited fields: some Sequence<HTTPField>) {
        self.init(fields.prefix(Self.limit))
    }
}

extension HTTPRequest.Method {
    /// Whether sending it twice has the effect of sending it once (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }
}

extension HTTPResponse.Status {
    /// Whether the answer is all there will be: 2xx but for those that promise more or speak of a part.
    ///
    /// 202 Accepted, 203 Non-Authoritative Information, 207 Multi-Status, 208 Already Reported and 226 IM Used are none. What is
    /// definitively done needs no retry (REQ-9).
    package var isDefinitiveSuccess: Bool {
        switch code {
        case 202, 203, 207, 208, 226: false
        default: kind == .successful
        }
    }

    /// 2xx.
    public var isSuccess: Bool { kind == .successful }
}
