import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// A body whose server says the wrong type, or none: how it is to be read instead.
struct BodyReading: Hashable, Sendable {
    /// `nil`: as declared.
    var mediaType: String?
    var charset: String?

    /// The value of the header field that it is read by.
    func contentType(declared: String?) -> String? {
        guard mediaType != nil || charset != nil else { return declared }
        let media = declared.map { ContentType($0) }
        let type = mediaType ?? media?.essence ?? "text/plain"
        return (charset ?? media?.charset).map { "\(type); charset=\($0)" } ?? type
    }

    static let choices: [(title: String, detail: String, change: @Sendable (inout BodyReading) -> Void)] = [
        ("as declared", "type and charset", { $0 = BodyReading() }),
        ("JSON", "", { $0.mediaType = "application/json" }), ("JSON lines", "a table", { $0.mediaType = "application/x-ndjson" }),
        ("events", "a table", { $0.mediaType = "text/event-stream" }), ("XML", "", { $0.mediaType = "application/xml" }),
        ("HTML", "", { $0.mediaType = "text/html" }), ("YAML", "", { $0.mediaType = "application/yaml" }),
        ("CSS", "", { $0.mediaType = "text/css" }), ("JavaScript", "", { $0.mediaType = "text/javascript" }),
        ("text", "", { $0.mediaType = "text/plain" }), ("UTF-8", "charset", { $0.charset = "utf-8" }),
        ("ISO 8859-1", "charset, Windows-1252", { $0.charset = "iso-8859-1" }),
        ("UTF-16LE", "charset", { $0.charset = "utf-16le" }), ("UTF-16BE", "charset", { $0.charset = "utf-16be" }),
    ]
}

extension OperationEntry {
    /// What its body is read as.
    var contentType: String? {
        reading.contentType(
            declared: response?.info?.head.headers[.contentType] ?? metrics.attempts.last?.head?.headers[.contentType])
    }
}

extension ExplorerState {
    var readingChooser: Opening {
        guard let entry = responseSubject(for: .body)?.entry, entry.state.isFinal, entry.response?.info?.body.count ?? 0 > 0 else {
            return .notice("there is no body to read as something else")
        }
        return .chooser(
            Chooser(
                "Read the body as", BodyReading.choices.map { Chooser.Item($0.title, detail: $0.detail) },
                purpose: .reading(entry.id)))
    }

    mutating func read(_ id: OperationID, as choice: Int) -> [ExplorerEffect] {
        guard operations[id]?.isReleased == false else { return [] }
        let before = operations[id]?.reading
        operations[id]?.reading.apply(choice)
        guard operations[id]?.reading != before else { return [] }
        panes.response.show(.body)
        panes.response.body.reset()
        operations[id]?.body = .preparing
        operations[id]?.filtered = nil
        operations[id]?.stream = nil
        operations[id]?.picture = nil
        return [.prepareBody(id, panes.response.body.mode)]
    }
}

extension BodyReading {
    fileprivate mutating func apply(_ choice: Int) { Self.choices[choice].change(&self) }
}

extension ExplorerState {
    mutating func openBodyElsewhere() -> [ExplorerEffect] {
        guard let entry = responseSubject(for: .body)?.entry, case .ready(let document) = entry.body else {
            return say("there is no body to open")
        }
        return [.openBody(entry.id, fileExtension: document.fileExtension, isText: document.kind != .binary)]
    }
}

extension BodyDocument {
    /// Tells other programs what it is.
    fileprivate var fileExtension: String {
        switch kind {
        case .json: "json"
        case .jsonLines, .jsonValues: "jsonl"
        case .xml: "xml"
        case .html: "html"
        case .eventStream, .text: "txt"
        case .yaml: "yaml"
        case .css: "css"
        case .javaScript: "js"
        case .binary: imageHeader?.fileExtension ?? "bin"
        }
    }
}

extension ImageHeader {
    fileprivate var fileExtension: String { format == "JPEG" ? "jpg" : format.lowercased() }
}

extension ExplorerState {
    /// Where the body on the screen could be saved; `nil`: there is none.
    var proposedPath: String? {
        guard let info = responseSubject(for: .body)?.entry.response?.info, info.body.count > 0 else { return nil }
        return Self.fileName(for: info, kind: wholeBodyKind)
    }

    func saving(to path: String) -> [ExplorerEffect] {
        responseSubject(for: .body).map { [.saveBody($0.entry.id, to: path)] } ?? []
    }

    /// The kind of the body on the screen, whatever a filter makes of it; `nil`: it isn't known yet.
    var wholeBodyKind: BodyKind? {
        guard case .ready(let document)? = responseSubject(for: .body)?.entry.body else { return nil }
        return document.kind
    }

    /// The last part of the URL's path, with an ending that fits the kind.
    private static func fileName(for info: ResponseInfo, kind: BodyKind?) -> String {
        // No part of a name that a server chose may leave the directory or hide the file.
        let part = info.finalRequest.url.lastPathComponent
        let name = SafeText.line(part).filter { $0 != "/" }.drop { $0 == "." }
        let base = name.isEmpty ? "response" : String(name.prefix(80))
        if base.contains(".") { return base }
        switch kind {
        case .json, .jsonValues: return base + ".json"
        case .jsonLines: return base + ".jsonl"
        case .xml: return base + ".xml"
        case .html: return base + ".html"
        case .eventStream, .text: return base + ".txt"
        case .yaml: return base + ".yaml"
        case .css: return base + ".css"
        case .javaScript: return base + ".js"
        case .binary, nil: return base + ".bin"
        }
    }
}
