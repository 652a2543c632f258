import OrderedCollections
import RequestCollections
import TerminalUI

/// What Tab makes of the beginning of something known: the name of a header, a content type, a variable or a function in `{{`.
extension ExplorerState {
    /// Completes a line that is edited, as far as all that begin so go on alike.
    ///
    /// - Returns: `false`: there is nothing to complete, and Tab goes on to the next field.
    mutating func complete(_ line: LineEditor, of field: RequestField) -> Bool {
        let text = line.text
        guard !field.isSecret, line.cursor == text.utf8.count else { return false }
        var start = text.startIndex
        let open = Self.openTemplate(in: text)
        let isTemplate = open != nil
        if let open { start = open }
        let candidates = isTemplate ? templateNames : Self.names(for: field, in: shownDefinition)
        let typed = String(text[start...])
        let found = candidates.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
        guard !typed.isEmpty, let first = found.first, !found.contains(where: { $0.lowercased() == typed.lowercased() }) else {
            return false
        }
        let common = found.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let isWhole = found.count == 1
        if isWhole || common.count > typed.count {
            var line = line
            line.setText(String(text[..<start]) + common + (isWhole && isTemplate && !common.hasSuffix("(") ? "}}" : ""))
            panes.request.editing = .line(field, line)
        }
        if !isWhole { notice = Notice(.info, found.prefix(12).joined(separator: "  ") + (found.count > 12 ? "  …" : "")) }
        return true
    }

    /// Behind `{{` and blanks, when it isn't closed yet and only a name has begun.
    private static func openTemplate(in text: String) -> String.Index? {
        var open: String.Index?
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix("{{") { open = text.index(index, offsetBy: 2) }
            if text[index...].hasPrefix("}}") { open = nil }
            index = text.index(after: index)
        }
        guard let open else { return nil }
        let start = text[open...].firstIndex { $0 != " " } ?? text.endIndex
        return text[start...].allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) } ? start : nil
    }

    /// Variables and functions, in alphabetical order.
    private var templateNames: [String] {
        guard let path = selectedRequest?.collection else { return [] }
        let functions = TemplateFunction.allCases.filter { $0 != .default }.map { function in
            // Functions without required arguments are complete.
            [.uuid, .now, .timestamp, .random].contains(function) ? "\(function.rawValue)()" : "\(function.rawValue)("
        }
        return knownNames(in: path).union(functions).sorted()
    }

    /// What variables there are called, whoever gives them their values.
    func knownNames(in path: String) -> Set<String> {
        var names = Set(workspace.sessionVariables[path].keys).union(workspace.variables.keys)
        guard let collection = workspace[path] else { return names }
        names.formUnion(collection.variables.map(\.name))
        for environment in collection.environments.values { names.formUnion(environment.variables.map(\.name)) }
        for request in collection.requests { names.formUnion(request.allCaptures.map(\.name)) }
        return names
    }

    private static func names(for field: RequestField, in definition: RequestDefinition?) -> [String] {
        switch field {
        case .name(.headers, _): return headers
        case .value(.headers, let index):
            guard let rows = definition?[.headers], rows.indices.contains(index) else { return [] }
            switch rows[index].name.lowercased() {
            case "accept", "content-type": return types
            case "accept-encoding", "content-encoding": return ["br", "deflate", "gzip", "identity", "zstd"]
            case "cache-control": return ["max-age=0", "no-cache", "no-store", "only-if-cached"]
            case "authorization": return ["Basic ", "Bearer ", "Digest "]
            default: return []
            }
        default: return []
        }
    }

    /// The registered header fields of requests that people write themselves (RFC 9110, 9111, 6265, 7239).
    private static let headers = [
        "accept", "accept-encoding", "accept-language", "authorization", "cache-control", "content-disposition", "content-encoding",
        "content-language", "content-type", "cookie", "date", "expect", "forwarded", "from", "host", "idempotency-key", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "max-forwards", "origin", "pragma", "prefer",
        "priority", "proxy-authorization", "range", "referer", "te", "traceparent", "tracestate", "upgrade", "user-agent", "via",
    ]

    private static let types = [
        "application/graphql-response+json", "application/json", "application/merge-patch+json", "application/octet-stream",
        "application/pdf", "application/problem+json", "application/x-ndjson", "application/x-www-form-urlencoded",
        "application/xml", "application/yaml", "image/jpeg", "image/png", "image/svg+xml", "multipart/form-data", "text/csv",
        "text/event-stream", "text/html", "text/plain", "text/xml",
    ]
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
