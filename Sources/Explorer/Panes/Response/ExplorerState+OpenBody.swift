import NetworkLayer
import Presentation

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
