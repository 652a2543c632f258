/// URLs of a command line, as curl reads them.
enum CurlURL {
    /// URLs of one pattern that become requests; more than that are refused as too many to be meant.
    static let limit = 50

    /// What `{a,b}`, `[1-3]`, `[a-c]` and `[01-10:3]` stand for, in curl's order: the last changes fastest (curl's manual page,
    /// "Globbing"). `nil` for more than ``limit``.
    ///
    /// `{id}` alone is what pages write for something to fill in; it becomes the template of a variable.
    static func expanded(_ url: String) -> [String]? {
        var urls = [""]
        var rest = Substring(url)
        while let character = rest.first {
            if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
                let end = rest.hasPrefix("{{") ? rest.firstRange(of: "}}")?.upperBound : nil
                let piece = rest[..<(end ?? rest.index(rest.startIndex, offsetBy: 2))]
                urls = urls.map { $0 + piece }
                rest = rest[piece.endIndex...]
                continue
            }
            var values = [String(character)]
            var length = 1
            if character == "\\", let next = rest.dropFirst().first, "{}[]".contains(next) {
                values = [String(next)]
                length = 2
            } else if let match = rest.prefixMatch(of: /\{([^{}]*)\}/) {
                values = alternatives(match.1)
                length = match.0.count
            } else if let match = rest.prefixMatch(of: /\[([^\[\]]*)\]/), let range = range(match.1) {
                values = range
                length = match.0.count
            }
            guard urls.count * values.count <= limit else { return nil }
            urls = urls.flatMap { url in values.map { url + $0 } }
            rest = rest.dropFirst(length)
        }
        return urls
    }

    private static func alternatives(_ inside: Substring) -> [String] {
        if inside.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.-]*/) != nil { return ["{{\(inside)}}"] }
        return inside.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func range(_ inside: Substring) -> [String]? {
        if let match = inside.wholeMatch(of: /(\d+)-(\d+)(?::(\d+))?/), let low = Int(match.1), let high = Int(match.2),
            let step = Int(match.3 ?? "1"), low <= high, step > 0
        {
            // Zeros in front are a width.
            return stride(from: low, through: high, by: step).prefix(limit + 1).map { number in
                let digits = String(number)
                return String(repeating: "0", count: match.1.hasPrefix("0") ? max(0, match.1.count - digits.count) : 0) + digits
            }
        }
        guard let match = inside.wholeMatch(of: /([a-z])-([a-z])(?::(\d+))?|([A-Z])-([A-Z])(?::(\d+))?/),
            let low = (match.1 ?? match.4)?.unicodeScalars.first?.value,
            let high = (match.2 ?? match.5)?.unicodeScalars.first?.value,
            let step = UInt32((match.3 ?? match.6) ?? "1"), low <= high, step > 0
        else { return nil }
        return stride(from: low, through: high, by: UInt32.Stride(step)).compactMap {
            Unicode.Scalar($0).map { String(Character($0)) }
        }
    }

    /// Without `.` and `..` in the path (RFC 3986, section 5.2.4), as curl sends it unless told otherwise.
    static func withoutDotSegments(_ url: String) -> String {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        guard let slash = url[start...].firstIndex(of: "/") else { return url }
        let path = url[slash...].prefix { $0 != "?" && $0 != "#" }
        guard path.contains("/."), !path.contains("{{") else { return url }
        var segments: [Substring] = []
        let given = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in given.enumerated() {
            let isLast = index == given.count - 1
            if segment == "." || segment == ".." {
                if segment == "..", !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            } else {
                segments.append(segment)
            }
        }
        return url[..<slash] + "/" + segments.joined(separator: "/") + url[path.endIndex...]
    }
}
