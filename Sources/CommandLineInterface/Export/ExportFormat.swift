import ArgumentParser
import Interchange

/// What can be written.
enum ExportFormat: String, CaseIterable, Sendable {
    case curl, locust, hurl, http, har, opencollection

    /// As a sentence names it.
    var title: String {
        switch self {
        case .curl: "curl"
        case .locust: "Locust"
        case .hurl: "Hurl"
        case .http: "a .http file"
        case .har: "an HTTP Archive"
        case .opencollection: "Bruno"
        }
    }

    /// Names and texts stand in it as they are; a shell and Python have them in quotes.
    var isText: Bool { self != .curl && self != .locust }

    /// For sentences: "curl, locust or hurl".
    static var list: String {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}

extension HTTPFileExport.Dialect: ExpressibleByArgument {}
