import Base
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// A request as text without its secrets, unless somebody wants them.
struct ShownRequest {
    private let request: Request
    private var resolved: ResolvedRequest?
    private let redactor: Redactor
    private let reveals: Bool

    init(_ resolved: ResolvedRequest, reveals: Bool = false) {
        self.init(resolved.request, hiding: resolved.redactor, reveals: reveals)
        self.resolved = resolved
    }

    /// A request of the command line: of its body, each member is masked whose name says that it is secret.
    init(_ request: Request, hiding redactor: Redactor, reveals: Bool) {
        self.request = request
        self.reveals = reveals
        self.redactor = reveals ? Redactor() : redactor
    }

    /// The request as it would go over the wire, without what the transport adds.
    var lines: [String] {
        var lines = ["\(method) \(url)"]
        lines += request.headers.map { "\(shown(mask($0.name.rawName))): \(value(of: $0))" }
        if let body { lines += ["", body] }
        return lines
    }

    /// For `--json`.
    var json: ShownJSON {
        ShownJSON(
            id: resolved?.id.rawValue ?? "", method: method, url: url,
            headers: request.headers.map { [shown($0.name.rawName), value(of: $0)] }, body: body)
    }

    // MARK: Parts

    private var method: String {
        resolved?.session == nil ? request.method.rawValue : RequestDefinition.webSocketMethod
    }

    /// A placeholder in it is one for people, too.
    private var url: String {
        if let address = resolved?.unknownAddress {
            let rest = Self.readable(request.url.absoluteString).dropFirst("http://unknown".count)
            return mask(shown(address) + (rest == "/" ? "" : URLText.line(String(rest), reveals: reveals).text))
        }
        let written = resolved?.session == nil ? request.url.absoluteString : request.url.writtenForWebSocket
        return mask(URLText.line(Self.readable(written), reveals: reveals).text)
    }

    private static func readable(_ encoded: String) -> String {
        encoded.replacing(/%E2%80%B9.*?%E2%80%BA|(%E2%80%A2)+/) { URLCoding.percentDecoded($0.output.0) }
    }

    private func value(of field: HTTPField) -> String {
        shown(reveals ? field.value : mask(Redaction.standard.masked(field.value, of: field.name.rawName)))
    }

    private func shown(_ text: String) -> String { SafeText.line(text) }

    /// A part as `name: text`: its boundary is another one each time.
    private func text(_ part: MultipartBody.Part) -> String {
        var notes = [part.fileName.map { "as \($0)" }, part.contentType].compactMap(\.self)
        var content: String
        switch part.content {
        case .data(let data):
            let masked = redactor.bytes(data, contentType: part.contentType)
            content = String(validating: masked, as: UTF8.self) ?? "(\(data.count) bytes that aren't text)"
        case .file(let file, let count):
            // Nothing is found out about a file that isn't the collection's own, not even its length.
            let length =
                resolved?.wants.contains { $0.want == .read(path: RealPath.of(file.path)) } == true ? nil : "\(count) bytes"
            content = "(\((["the file \(file.path)", length].compactMap(\.self) + notes).joined(separator: ", ")))"
            notes = []
        }
        if !notes.isEmpty { content += " (\(notes.joined(separator: ", ")))" }
        return shown(mask("\(part.name): \(content)"))
    }

    private func mask(_ text: String) -> String { redactor.text(text) }

    private var body: String? {
        if let session = resolved?.session {
            let steps = session.steps.map { shown(mask($0.description)) }
            return steps.isEmpty ? nil : steps.joined(separator: "\n")
        }
        if let multipart = resolved?.multipart { return multipart.parts.map(text).joined(separator: "\n") }
        switch request.body {
        case .none: return nil
        case .data(let data):
            let type = request.headers[.contentType]
            let isForm = !reveals && type?.contains("form-urlencoded") == true
            let hidesMembers = isForm || !reveals && resolved == nil
            let masked = redactor.bytes(data, contentType: type, hiding: hidesMembers ? .standard : .none)
            guard let text = String(validating: masked, as: UTF8.self) else { return "(\(data.count) bytes that aren't text)" }
            return mask(isForm ? Self.readable(text) : text).lines.map { SafeText.line(String($0)) }
                .joined(separator: "\n")
        case .file(let file): return "(the file \(shown(mask(file.path))))"
        case .stream(let stream): return stream.length.map { "(a stream of \($0) bytes)" } ?? "(a stream)"
        }
    }
}

/// What `show --json` prints.
struct ShownJSON: Encodable, Hashable {
    var id: String
    /// This and the rest are absent when something can't be filled in.
    var method: String?
    var url: String?
    /// Pairs, because names repeat and their order matters.
    var headers: [[String]]?
    var body: String?
    /// With `--explain`.
    var explanation: [ShownExplanation.Row]?
    /// What sending it wants of this machine; absent for one that wants nothing.
    var wants: [Want]?

    struct Want: Encodable, Hashable {
        var kind: String
        var subject: String
        var purpose: String
        var allowed: Bool
        var path: String?
        var line: Int?

        static func all(of review: TrustReview) -> [Want]? {
            guard !review.isEmpty else { return nil }
            return review.rows.map { row in
                Want(
                    kind: row.noted.want.kind, subject: row.noted.want.subject, purpose: row.noted.purpose,
                    allowed: row.state == .allowed, path: row.noted.location?.path, line: row.noted.location?.line)
            }
        }
    }
}

/// An explanation as text: what is in force, where it comes from, and what it won over.
///
///     headers
///       accept      text/csv          this request               shop.yaml:24:17
///         instead of  application/json  the collection's defaults  shop.yaml:10:14
struct ShownExplanation {
    private let explanation: Explanation

    init(_ explanation: Explanation) {
        self.explanation = explanation
    }

    /// Why something can't be filled in, each with its place.
    var problems: [String] {
        explanation.rows.compactMap { row in
            row.problem.map { SafeText.line("\(row.origin.location.map { "\($0): " } ?? "")\($0)") }
        }
    }

    /// A heading for each group, and a line for each value, in columns.
    var lines: [String] {
        var lines: [Line] = []
        var group: Explanation.Group?
        for row in explanation.rows.map(Row.init) {
            if row.group != group?.rawValue { lines.append(.heading(row.group)) }
            group = Explanation.Group(rawValue: row.group)
            lines.append(.value(["  \(row.name)", row.isRemoved ? "(removed)" : row.value, row.source, row.place]))
            for other in row.overrode { lines.append(.value(["    instead of", other.value, other.source, other.place])) }
            if let problem = row.problem { lines.append(.heading("    \(problem)")) }
        }
        let limits = [32, 60, 32]
        let widths = limits.indices.map { column in
            min(limits[column], lines.compactMap { $0.columns?[column].count }.max() ?? 0)
        }
        return lines.map { line in
            switch line {
            case .heading(let text): return text
            case .value(let columns):
                let padded = columns.enumerated().map { index, text in
                    index < widths.count ? text + String(repeating: " ", count: max(0, widths[index] - text.count)) : text
                }
                return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// For `--json`.
    var rows: [Row] { explanation.rows.map(Row.init) }

    private enum Line {
        case heading(String)
        case value([String])

        var columns: [String]? {
            if case .value(let columns) = self { columns } else { nil }
        }
    }

    struct Row: Encodable, Hashable {
        var group: String
        var name: String
        var value: String
        var source: String
        var path: String?
        var line: Int?
        var column: Int?
        /// What would hold without it, the nearest first.
        var overrode: [Overridden]
        /// Whether the row removes what an outer level gave.
        var isRemoved: Bool
        var problem: String?

        struct Overridden: Encodable, Hashable {
            var value: String
            var source: String
            var path: String?
            var line: Int?
            var column: Int?
        }

        private enum CodingKeys: String, CodingKey {
            case group, name, value, source, path, line, column, overrode, problem
            case isRemoved = "removed"
        }
    }
}

extension ShownExplanation.Row {
    init(_ row: Explanation.Row) {
        func shown(_ value: String) -> String { SafeText.line(value) }
        self.init(
            group: row.group.rawValue, name: SafeText.line(row.name), value: shown(row.value), source: Self.text(row.origin.source),
            path: row.origin.location.map { SafeText.line($0.path) }, line: row.origin.location?.line,
            column: row.origin.location?.column,
            overrode: row.overrode.map { other in
                Overridden(
                    value: shown(other.value), source: Self.text(other.origin.source),
                    path: other.origin.location.map { SafeText.line($0.path) }, line: other.origin.location?.line,
                    column: other.origin.location?.column)
            }, isRemoved: row.isRemoved, problem: row.problem.map { SafeText.line($0) })
    }

    private static func text(_ source: ValueOrigin.Source) -> String {
        source == .given ? "--var" : SafeText.line("\(source)")
    }

    fileprivate var place: String { Self.place(path, line, column) }

    fileprivate static func place(_ path: String?, _ line: Int?, _ column: Int?) -> String {
        guard let path, let line, let column else { return "" }
        return "\(path):\(line):\(column)"
    }
}

extension ShownExplanation.Row.Overridden {
    fileprivate var place: String { ShownExplanation.Row.place(path, line, column) }
}
