import Base
import HTTPTypes
import NetworkLayer
import Synchronization

/// Hosts that speak HTTPS alone (RFC 6797): the list of `--hsts`, in curl's form.
///
///     # a comment
///     .example.com "20271231 10:00:00"
///     one.example "unlimited"
final class StrictHosts: RedirectDecider {
    private let entries: Mutex<[String: Entry]>

    private struct Entry {
        /// `nil`: forever.
        var expires: Date?
        var includesSubdomains: Bool
    }

    init(_ text: String) {
        var entries: [String: Entry] = [:]
        for line in text.lines where !line.hasPrefix("#") {
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let name = parts[0].filter { $0 != " " && $0 != "\t" }.lowercased()
            let host = name.hasPrefix(".") ? String(name.dropFirst()) : name
            let date = parts[1] == "unlimited" ? nil : Self.date(String(parts[1]))
            guard !host.isEmpty, parts[1] == "unlimited" || date != nil else { continue }
            entries[host] = Entry(expires: date, includesSubdomains: name.hasPrefix("."))
        }
        self.entries = Mutex(entries)
    }

    /// The text of the file, sorted by name.
    var text: String {
        let lines = entries.withLock { entries in
            entries.sorted { $0.key < $1.key }.map { host, entry in
                "\(entry.includesSubdomains ? "." : "")\(host) \"\(entry.expires.map(Self.stamp) ?? "unlimited")\"\n"
            }
        }
        return "# Hosts that speak HTTPS alone, as curl's --hsts lists them.\n" + lines.joined()
    }

    /// By HTTPS where the host wants that; port 80 becomes 443, and any other stays (RFC 6797, section 8.3).
    func strict(_ url: URL, at date: Date) -> URL {
        guard url.scheme?.lowercased() == "http", let host = url.host(percentEncoded: false)?.lowercased(), covers(host, at: date),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return url }
        components.scheme = "https"
        if components.port == 80 { components.port = nil }
        return components.url ?? url
    }

    private func covers(_ host: String, at date: Date) -> Bool {
        entries.withLock { entries in
            var name = host.hasSuffix(".") ? host.dropLast() : host[...]
            var isExact = true
            while true {
                if let entry = entries[String(name)], isExact || entry.includesSubdomains, entry.expires.map({ $0 > date }) ?? true
                {
                    return true
                }
                guard let dot = name.firstIndex(of: ".") else { return false }
                name = name[name.index(after: dot)...]
                isExact = false
            }
        }
    }

    func redirect(to proposed: Request, after response: ResponseHead, from request: Request) async -> Request? {
        var request = proposed
        request.url = strict(proposed.url, at: Date())
        return request
    }

    /// Takes what answers over HTTPS say; an address is no host that could say it.
    func receive(_ metrics: OperationMetrics, at date: Date) {
        for attempt in metrics.attempts {
            guard attempt.request.url.scheme?.lowercased() == "https", attempt.tls?.verifyResult == 0,
                let host = attempt.request.url.host(percentEncoded: false)?.lowercased(), !host.contains(":"),
                host.contains(where: { $0.isLetter }),
                let value = attempt.head?.headers.first(where: { $0.name.canonicalName == "strict-transport-security" })?.value
            else { continue }
            let words = value.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
            guard let age = words.first(where: { $0.hasPrefix("max-age=") }).flatMap({ Int($0.dropFirst(8)) }), age >= 0 else {
                continue
            }
            let entry = Entry(
                expires: date.addingTimeInterval(Double(min(age, 10_000_000_000))),
                includesSubdomains: words.contains("includesubdomains"))
            entries.withLock { $0[host] = age == 0 ? nil : entry }
        }
    }

    // MARK: Dates, as `20271231 10:00:00` in GMT

    private static func date(_ text: String) -> Date? {
        guard let match = text.wholeMatch(of: /([0-9]{4})([0-9]{2})([0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2})/) else { return nil }
        return try? Date("\(match.1)-\(match.2)-\(match.3)T\(match.4)Z", strategy: .iso8601)
    }

    private static func stamp(_ date: Date) -> String {
        let text = date.formatted(.iso8601)
        return text.replacing(scalars: "-", with: "").replacing(scalars: "T", with: " ").replacing(scalars: "Z", with: "")
    }
}
