import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation

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
