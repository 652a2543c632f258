import Interchange
import Presentation
import RequestCollections

/// What people are told about an import.
struct ImportReport: Hashable {
    private(set) var lines: [String]
    let hasLosses: Bool

    /// - Parameter file: the one with the collection's variables; `nil`: standard output.
    init(_ assembled: AssembledImport, kinds: [ImportKind], file: String?) {
        let losses = assembled.notes.filter(\.isLoss)
        let remarks = assembled.notes.filter { !$0.isLoss }
        hasLosses = !losses.isEmpty
        var first = "Imported \(Figures.count(assembled.requestCount, "request"))"
        if assembled.folderCount > 0 { first += " in \(Figures.count(assembled.folderCount, "folder"))" }
        let environments = assembled.collection.environmentNames.count
        if environments > 0 { first += ", \(Figures.count(environments, "environment"))" }
        first += " from \(kinds.map(\.title).joined(separator: " and "))"
        if losses.isEmpty {
            lines = [first + "."]
        } else {
            lines = [first + "; \(losses.count == 1 ? "1 thing was" : "\(Figures.count(losses.count, "thing")) were") left out:"]
            lines += Self.lines(losses)
        }
        if !assembled.secrets.isEmpty {
            lines.append("Secrets are not copied. Set these environment variables:")
            let width = assembled.secrets.map(\.variable.count).max() ?? 0
            lines += assembled.secrets.map { secret in
                let name = secret.variable + String(repeating: " ", count: width - secret.variable.count)
                let more =
                    secret.uses.count > 2
                    ? " and \(secret.uses.count - 1) more" : secret.uses.dropFirst().map { ", \($0)" }.joined()
                return "  \(name)  \(secret.uses.first ?? "")\(more)"
            }
        }
        let place = "`variables`" + (file.map { " in \($0)" } ?? "")
        lines += Self.unset(
            assembled.unset.filter(\.isMadeUp), "These variables have values made up by their types. Set your own under \(place):")
        lines += Self.unset(
            assembled.unset.filter { !$0.isMadeUp },
            "These variables have no value, and are asked for when they are needed. Set them under \(place):")
        if !remarks.isEmpty {
            lines.append("To look at:")
            lines += Self.lines(remarks)
        }
    }

    private static func unset(_ variables: [UnsetVariable], _ title: String) -> [String] {
        variables.isEmpty ? [] : [title, "  " + variables.map(\.name).joined(separator: ", ")]
    }

    /// What is the same in many places is said once, with all of them.
    static func lines(_ notes: [ImportNote]) -> [String] {
        let places = Dictionary(grouping: notes, by: \.text)
        var said: Set<String> = []
        return notes.flatMap { note -> [String] in
            guard let same = places[note.text], same.count > 2 else {
                return [note.place.isEmpty ? "  \(note.text)" : "  \(note.place): \(note.text)"]
            }
            guard said.insert(note.text).inserted else { return [] }
            // In a large import a reason has hundreds of places: the first ones show which they are.
            let shown = same.count > 30 ? same.prefix(10) : same[...]
            return ["  \(note.text):"] + shown.map { "    \($0.place)" }
                + (shown.count < same.count ? ["    and \(same.count - shown.count) more"] : [])
        }
    }
}
