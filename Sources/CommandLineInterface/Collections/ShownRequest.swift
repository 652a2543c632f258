import FoundationEssentials
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// A resolved request, as text without its secrets.
struct ShownRequest {
    private let resolved: ResolvedRequest
    private let redactor: Redactor

    init(_ resolved: ResolvedRequest) {
        self.resolved = resolved
        redactor = resolved.redactor
    }

    private var request: Request { resolved.request }

    /// As it would go over the wire, but for what the transport adds.
    var lines: [String] {
        var lines = ["\(request.method.rawValue) \(url)"]
        lines += request.headers.map { "\(shown($0.name.rawName)): \(value(of: $0))" }
        if let body { lines += ["", body] }
        return lines
    }

    /// `what = value`, then where it comes from, one value a line, in columns.
    var explanation: [String] {
        let rows = explained
        let names = rows.map(\.subject.count).max() ?? 0
        let values = min(60, rows.map(\.value.count).max() ?? 0)
        let head = "\(request.method.rawValue) \(url)"
        return [head]
            + rows.map { row in
                let columns = "  \(Self.padded(row.subject, names))  \(Self.padded(row.value, values))  \(row.source)"
                guard let path = row.path else { return columns }
                return "\(columns)  \(path):\(row.line ?? 1)"
            }
    }

    /// For a POSIX shell.
    var curl: String {
        var masked = request
        for field in request.headers where Redaction.standard.redacts(field.name.rawName) {
            masked.headers[field.name] = Redaction.standard.masked(field.value, of: field.name.rawName)
        }
        return mask(CurlCommand.text(for: masked))
    }

    func json(explained isExplained: Bool) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let shown = Shown(
            id: resolved.id.rawValue, method: request.method.rawValue, url: url,
            headers: request.headers.map { [$0.name.rawName, value(of: $0)] }, body: body,
            explanation: isExplained ? explained : nil)
        return String(decoding: try encoder.encode(shown), as: UTF8.self)
    }

    private struct Shown: Encodable {
        var id: String
        var method: String
        var url: String
        /// Pairs, because names repeat and their order matters.
        var headers: [[String]]
        var body: String?
        var explanation: [Row]?
    }

    struct Row: Encodable, Hashable {
        /// `header accept`, `query page`, `setting timeouts.idle`, `variable host` …
        var subject: String
        var value: String
        /// `request`, `defaults`, `defaults of orders`, `environment staging` …
        var source: String
        var path: String?
        var line: Int?
    }

    // MARK: Parts

    private var url: String { mask(URLText.line(request.url.absoluteString).text) }

    private func value(of field: HTTPField) -> String {
        shown(mask(Redaction.standard.masked(field.value, of: field.name.rawName)))
    }

    private func shown(_ text: String) -> String { SafeText.line(text) }

    private func mask(_ text: String) -> String { redactor.text(text) }

    private var body: String? {
        switch request.body {
        case .none: return nil
        case .data(let data):
            guard let text = String(validating: data, as: UTF8.self) else { return "(\(data.count) bytes that aren't text)" }
            return mask(text).split(separator: "\n", omittingEmptySubsequences: false).map { SafeText.line(String($0)) }
                .joined(separator: "\n")
        case .file(let path): return "(the file \(shown(path)))"
        case .stream(let stream): return stream.length.map { "(a stream of \($0) bytes)" } ?? "(a stream)"
        }
    }

    private var explained: [Row] {
        var seen: Set<String> = []
        return resolved.origins.compactMap { origin in
            let subject = Self.name(of: origin.subject)
            guard seen.insert("\(subject) \(origin.location?.description ?? "")").inserted else { return nil }
            return Row(
                subject: shown(subject), value: shown(text(of: origin.subject)), source: Self.name(of: origin.source),
                path: origin.location.map { shown($0.path) }, line: origin.location?.line)
        }
    }

    private static func name(of subject: ValueOrigin.Subject) -> String {
        switch subject {
        case .url: "url"
        case .path(let name): "path \(name)"
        case .query(let name): "query \(name)"
        case .header(let name): "header \(name)"
        case .cookie(let name): "cookie \(name)"
        case .auth: "auth"
        case .body: "body"
        case .setting(let name): "setting \(name)"
        case .variable(let name): "variable \(name)"
        }
    }

    private static func name(of source: ValueOrigin.Source) -> String {
        switch source {
        case .request: "request"
        case .defaults(nil): "defaults"
        case .defaults(let folder?): "defaults of \(folder)"
        case .environment(let name): "environment \(name)"
        case .variables: "variables"
        case .given: "--var"
        case .captured(let request): "captured from \(request)"
        case .derived: "derived"
        case .library: "library"
        }
    }

    /// The effective value, as far as the request has it.
    private func text(of subject: ValueOrigin.Subject) -> String {
        switch subject {
        case .url: return url
        case .query(let name):
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            return mask(items.filter { $0.name == name }.map { $0.value ?? "" }.joined(separator: ", "))
        case .header(let name):
            guard let name = HTTPField.Name(name) else { return "" }
            return request.headers[fields: name].map(value(of:)).joined(separator: ", ")
        case .cookie: return Redactor.mask
        case .auth: return request.headers[.authorization].map { mask(Redaction.standard.masked($0, of: "authorization")) } ?? ""
        case .body: return request.body.length.map { Figures.bytes($0) } ?? "file or stream"
        case .setting(let name): return SettingText.value(name, resolved.configuration, resolved.priority)
        case .path, .variable: return ""
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// Effective settings, by the format's key paths.
enum SettingText {
    static func value(_ keyPath: String, _ configuration: RequestConfiguration, _ priority: Priority) -> String {
        func duration(_ duration: Duration?) -> String { duration.map(Figures.duration) ?? "never" }
        let transport = configuration.transport
        switch keyPath {
        case "timeouts.connect": return duration(configuration.timeouts.connect)
        case "timeouts.idle": return duration(configuration.timeouts.idle)
        case "timeouts.attempt": return duration(configuration.timeouts.attempt)
        case "timeouts.operation": return duration(configuration.timeouts.operation)
        case "redirects.follow": return configuration.redirects.policy.rawValue
        case "redirects.max": return String(configuration.redirects.limit)
        case "redirects.keep-auth": return configuration.redirects.keepCredentials.rawValue
        case "tls.verify": return String(transport.tls.verifies)
        case "tls.ca": return transport.tls.authorities ?? ""
        case "tls.certificate": return transport.tls.certificate ?? ""
        case "tls.key": return transport.tls.key ?? ""
        case "tls.pins": return transport.tls.pins.joined(separator: ", ")
        case "tls.min-version": return transport.tls.minimumVersion?.rawValue ?? ""
        case "http": return transport.httpVersion.rawValue
        case "compression": return String(transport.acceptsCompression)
        case "proxy": return URLText.line(transport.proxy ?? "").text
        case "resolve": return transport.resolve.joined(separator: ", ")
        case "unix-socket": return transport.unixSocket ?? ""
        case "expect-continue": return String(transport.expectsContinue)
        case "response.limit": return configuration.limits.bodyBytes.map { Figures.bytes($0) } ?? ""
        case "priority": return "\(priority)"
        default: return ""
        }
    }
}
