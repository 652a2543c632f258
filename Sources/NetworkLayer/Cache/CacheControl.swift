import HTTPTypes

/// The directives of `Cache-Control` (RFC 9111, section 5.2). Their names are compared in any case; of two directives with the same name
/// the first one counts.
struct CacheControl: Sendable, Hashable {
    private var directives: [String: String] = [:]

    init(_ headers: HTTPFields) {
        for field in headers[values: .cacheControl] {
            for piece in FieldSyntax.pieces(of: field, separatedBy: ",") {
                let halves = piece.halves(at: "=")
                let name = FieldSyntax.trimmed(halves?.before ?? piece).lowercased()
                guard !name.isEmpty, directives[name] == nil else { continue }
                directives[name] = halves.map { FieldSyntax.unquoted(FieldSyntax.trimmed($0.behind)) } ?? ""
            }
        }
    }

    /// Whether the directive is there, with an argument or without.
    func contains(_ name: String) -> Bool { directives[name] != nil }

    /// Seconds. One that isn't a number is taken for 0, which is the careful way (section 4.2.1).
    func seconds(_ name: String) -> Double? {
        directives[name].map { Self.seconds(in: $0[...]) ?? 0 }
    }

    /// The longest time that a field can express, in seconds (section 1.2.2).
    static let mostSeconds = 2_147_483_648.0

    /// - Returns: `nil` for anything but digits.
    static func seconds(in text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Double(text) ?? 0, mostSeconds)
    }

    /// `max-stale` without a number: any age.
    func isBare(_ name: String) -> Bool { directives[name] == "" }
}
