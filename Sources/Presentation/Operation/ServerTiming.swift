import HTTPTypes
package import NetworkLayer

/// What a server says of its own time (W3C Server Timing, section 3): `db;dur=53.2;desc="two queries", cache;desc=hit`.
package struct ServerTiming: Sendable, Hashable {
    package var name: String
    package var duration: Duration?
    package var details: String?

    /// `db`, or `cache hit`.
    package var label: String { details.map { "\(name) \($0)" } ?? name }

    package static func metrics(_ head: ResponseHead?) -> [ServerTiming] {
        guard let head, let name = HTTPField.Name("Server-Timing") else { return [] }
        return head.headers[values: name].flatMap(parse)
    }

    package static func parse(_ value: String) -> [ServerTiming] {
        FieldSyntax.pieces(of: value, separatedBy: ",").compactMap { item in
            let parts = FieldSyntax.pieces(of: item, separatedBy: ";").map(FieldSyntax.trimmed)
            guard let name = parts.first, !name.isEmpty else { return nil }
            var metric = ServerTiming(name: SafeText.line(String(name)))
            for part in parts.dropFirst() {
                guard let halves = part.halves(at: "=") else { continue }
                let value = FieldSyntax.unquoted(FieldSyntax.trimmed(halves.behind))
                switch FieldSyntax.trimmed(halves.before).lowercased() {
                case "dur":
                    // Nobody serves for a year; what isn't a sensible number is no duration.
                    if let milliseconds = Double(value), milliseconds >= 0, milliseconds < 3e10 {
                        metric.duration = .nanoseconds(Int64(milliseconds * 1e6))
                    }
                case "desc": metric.details = SafeText.line(value)
                default: break
                }
            }
            return metric
        }
    }
}
