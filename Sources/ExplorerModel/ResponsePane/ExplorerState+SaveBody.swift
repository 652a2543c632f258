import FoundationEssentials
import NetworkLayer
package import Presentation
import TerminalUI

extension ExplorerState {
    mutating func openSavePrompt() {
        guard let subject = responseSubject(for: .body), let info = subject.entry.response?.info, info.body.count > 0 else {
            notice = Notice(.info, "there is no body to save")
            return
        }
        panes.response.savePrompt = LineEditor(Self.fileName(for: info, kind: wholeBodyKind))
    }

    /// A key while the path is typed.
    mutating func savePrompt(key: KeyPress) -> [ExplorerEffect] {
        guard var prompt = panes.response.savePrompt else { return [] }
        switch key.key {
        case .escape:
            panes.response.savePrompt = nil
        case .enter:
            panes.response.savePrompt = nil
            guard !prompt.isEmpty, let entry = responseSubject(for: .body)?.entry else { return [] }
            return [.saveBody(entry.id, to: prompt.text)]
        default:
            _ = prompt.handle(key, clipboard: &clipboard)
            panes.response.savePrompt = prompt
        }
        return []
    }

    /// The kind of the body on the screen, whatever a filter makes of it; `nil`: it isn't known yet.
    package var wholeBodyKind: BodyKind? {
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
