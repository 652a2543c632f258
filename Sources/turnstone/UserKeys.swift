import CommandLineInterface
import Explorer
import RequestCollections

/// The explorer's keys as the user wants them: `turnstone/keys.yaml` in the directory for configuration.
struct UserKeys {
    /// `nil` without a home.
    var path: String?
    /// The path with `~` for the home directory.
    private var shownPath: String? {
        guard let path, let home, path.hasPrefix("\(home)/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
    private let home: String?

    static let sets = KeySet.allCases.map(\.rawValue)

    init(environment: [String: String]) {
        home = environment["HOME"]
        path = UserDirectories(environment).keys
    }

    /// `nil`: there is no file.
    var file: KeymapFile? { path.flatMap { KeymapFile.load(path: $0, named: shownPath) } }

    /// - Parameter set: `nil`: the keys as they are now.
    /// - Returns: `nil`: there is no such set.
    func printed(set name: String?) -> ExplorerKeys? {
        guard let name else {
            let file = self.file
            let heading = file == nil ? "The keys as they are. To change some:" : "The keys as they are, with those of"
            return ExplorerKeys(
                text: KeymapText.file(
                    file?.keymap ?? Keymap(set: .default), set: file?.set ?? .default,
                    heading: [heading, shownPath ?? "(there is no home)"]),
                problems: file?.problems.map(\.description) ?? [])
        }
        guard let set = KeySet(rawValue: name) else { return nil }
        return ExplorerKeys(
            text: KeymapText.file(Keymap(set: set), set: set, heading: ["The set \(name). \(set.help)"]))
    }
}
