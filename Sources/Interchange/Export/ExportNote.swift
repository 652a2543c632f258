package import RequestCollections

/// Something in a collection that the export leaves out, or expresses differently.
package struct ExportNote: Hashable, Sendable, CustomStringConvertible {
    /// `nil`: it is about the whole.
    package var request: RequestID?
    package var text: String

    package var description: String { request.map { "\($0): \(text)" } ?? text }
}

/// A collection in another program's language.
package struct ExportedCollection: Hashable, Sendable {
    /// In one file.
    package var text: String
    /// The same, or more of it, as the files of a directory; empty: there is one file only.
    package var files: [File] = []
    /// In the order of the requests.
    package var notes: [ExportNote] = []
    package var requestCount = 0

    package struct File: Hashable, Sendable {
        /// Inside of the directory.
        package var path: String
        package var text: String
    }
}

/// Collects notes, each once.
struct ExportNotes {
    private(set) var all: [ExportNote] = []
    private var said: Set<ExportNote> = []
    /// Whom the next ones are about.
    var request: RequestID?

    mutating func add(_ text: String) { add(ExportNote(request: request, text: text)) }

    mutating func addOfAll(_ text: String) { add(ExportNote(text: text)) }

    private mutating func add(_ note: ExportNote) { if said.insert(note).inserted { all.append(note) } }
}

extension ExportNote {
    init(text: String) { self.init(request: nil, text: text) }
}
