import Base
import NetworkLayer
import RequestCollections

/// One editor that talks to `turnstone lsp`: its messages in, effects out. The Language Server Protocol 3.17, of which this is the part
/// that says what is wrong while somebody types.
struct LanguageSession {
    enum Effect: Hashable {
        case send(JSONValue)
        /// Something has changed in this document, or in the files around it.
        case check(document: String)
        case exit(ExitStatus)
    }

    /// What an editor holds.
    struct Document: Hashable {
        /// The URI as the editor writes it, since the editor compares it letter by letter.
        var uri: String
        var version: JSONValue?
        var text: String
    }

    /// The exit status when the editor has gone without `shutdown`; the protocol requires 1.
    static let brokenOff = ExitStatus(rawValue: 1)

    /// The open documents, by absolute path.
    private(set) var documents: [String: Document] = [:]
    private var isInitialized = false
    private var isShutDown = false
    /// The files about which something is said, by collection.
    private var marked: [String: Set<String>] = [:]

    // MARK: From the editor

    mutating func receive(_ message: JSONRPC.Message) -> [Effect] {
        switch message {
        case .request(let method, let params, let id): [.send(reply(to: method, params, id))]
        case .notification(let method, let params): receive(notification: method, params)
        case .reply: []
        case .malformed(let error): [.send(error)]
        }
    }

    private mutating func reply(to method: String, _ params: JSONValue?, _ id: JSONValue) -> JSONValue {
        switch method {
        case "initialize" where !isInitialized:
            isInitialized = true
            // Whole texts: a collection is small. What another program writes is seen at the next change or save.
            let capabilities: JSONValue = [
                "positionEncoding": "utf-16",
                "textDocumentSync": [
                    "openClose": .boolean(true), "change": .number("1"), "save": ["includeText": .boolean(false)],
                ],
            ]
            return JSONRPC.result(
                id, ["capabilities": capabilities, "serverInfo": ["name": "turnstone", "version": .string(Version.text)]])
        case "initialize": return JSONRPC.failure(id, .invalidRequest, "This server has been initialized before.")
        case _ where !isInitialized: return JSONRPC.failure(id, .notInitialized, "The first request is initialize.")
        case _ where isShutDown: return JSONRPC.failure(id, .invalidRequest, "This server has been shut down.")
        case "shutdown":
            isShutDown = true
            return JSONRPC.result(id, .null)
        default: return JSONRPC.failure(id, .methodNotFound, "There is no method \(method) here.")
        }
    }

    private mutating func receive(notification method: String, _ params: JSONValue?) -> [Effect] {
        if method == "exit" { return [.exit(isShutDown ? .success : Self.brokenOff)] }
        guard isInitialized, !isShutDown, let document = params?["textDocument"], let uri = document["uri"]?.string,
            let path = Self.path(of: uri)
        else { return [] }
        switch method {
        case "textDocument/didOpen":
            documents[path] = Document(uri: uri, version: document["version"], text: document["text"]?.string ?? "")
        case "textDocument/didChange":
            guard let text = params?["contentChanges"]?.items.last?["text"]?.string else { return [] }
            documents[path] = Document(uri: uri, version: document["version"], text: text)
        case "textDocument/didClose": documents[path] = nil
        case "textDocument/didSave": break
        default: return []
        }
        return [.check(document: path)]
    }

    // MARK: To the editor

    /// Says what was found in a collection, and takes back what no longer holds.
    ///
    /// - Parameters:
    ///   - found: by absolute path.
    ///   - checked: what the editor held when the check began; since then, a document may have changed: it is checked again.
    ///   - text: of a file that the editor doesn't hold; `nil` if it can't be read.
    mutating func publish(
        _ found: [String: [CheckFindings.Finding]], in collection: String, checked: [String: Document],
        text: (String) -> String?
    ) -> [Effect] {
        let gone = (marked[collection] ?? []).subtracting(found.keys)
        marked[collection] = Set(found.keys)
        return (found.keys.sorted() + gone.sorted()).compactMap { path in
            let document = checked[path]
            guard document == documents[path] else { return nil }
            let findings = found[path] ?? []
            let lines = findings.isEmpty ? [] : (document?.text ?? text(path) ?? "").pieces(at: "\n")
            var params: [JSONValue.Member] = [
                .init(name: "uri", value: .string(document?.uri ?? Self.uri(of: path))),
                .init(name: "diagnostics", value: .array(findings.map { Self.diagnostic($0, lines) })),
            ]
            if let version = document?.version { params.append(.init(name: "version", value: version)) }
            return .send(JSONRPC.notification("textDocument/publishDiagnostics", .object(params)))
        }
    }

    /// Marks the key or value at the place; positions count lines from 0 and UTF-16 code units.
    private static func diagnostic(_ finding: CheckFindings.Finding, _ lines: [Substring]) -> JSONValue {
        let row = max((finding.line ?? 1) - 1, 0)
        var line = lines.indices.contains(row) ? lines[row] : ""
        while let last = line.unicodeScalars.last, last.properties.isWhitespace { line.unicodeScalars.removeLast() }
        let scalars = Array(line.unicodeScalars)
        let column = min(max((finding.column ?? 1) - 1, 0), scalars.count)
        let start = scalars[..<column].reduce(0) { $0 + UTF16.width($1) }
        let end = scalars[column...].prefix(SourceExcerpt.length(of: scalars[column...])).reduce(start) { $0 + UTF16.width($1) }
        func position(_ column: Int) -> JSONValue { ["line": .number("\(row)"), "character": .number("\(column)")] }
        return [
            "range": ["start": position(start), "end": position(end)],
            "severity": .number(finding.severity == .error ? "1" : "2"), "source": "turnstone",
            "message": .string(finding.message),
        ]
    }

    // MARK: Names of files

    /// - Returns: `nil` for what isn't on this machine: `untitled:Untitled-1`.
    static func path(of uri: String) -> String? {
        guard let url = URL(string: uri), url.scheme?.lowercased() == "file", ["", "localhost"].contains(url.host() ?? "") else {
            return nil
        }
        let path = url.path(percentEncoded: false)
        return path.hasPrefix("/") ? path : nil
    }

    static func uri(of path: String) -> String { URL(filePath: path, directoryHint: .notDirectory).absoluteString }
}
