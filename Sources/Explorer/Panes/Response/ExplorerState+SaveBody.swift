import Base
import NetworkLayer
import Presentation
import TerminalUI

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
