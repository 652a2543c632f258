import DemoServer
import Explorer
import ExplorerModel
import FoundationEssentials
import Glibc
import NcursesTerminal
import NetworkLayer
import Presentation
import RequestCollections

/// The explorer on the real terminal, over a transport, with the files of the machine.
struct ExplorerProgram {
    var transport: any Transport
    var time: any TimeSource = SystemTimeSource()
    /// The process's.
    var environment: [String: String]
    /// Where `Collections/demo` and `Themes` lie; `nil`: this program came without them.
    var shareDirectory: String?

    /// Returns when the user has left it.
    ///
    /// - Parameters:
    ///   - paths: collections, or folders of them; empty: the nearest `Collections`, else the demo.
    ///   - isDemo: the demo collection, with its server inside.
    ///   - collectionEnvironment: chosen in every collection that has it.
    /// - Returns: the exit status.
    func run(paths: [String], isDemo: Bool = false, collectionEnvironment: String? = nil, theme: String? = nil) async -> Int32 {
        do {
            var opening = ExplorerOpening(collections: [], environment: collectionEnvironment, theme: theme)
            if !isDemo {
                opening.collections =
                    paths.isEmpty
                    ? CollectionSearch.nearest(to: FileManager.default.currentDirectoryPath)
                    : try paths.flatMap { try RequestCollection.collections(at: $0) }
            }
            if opening.collections.isEmpty, !paths.isEmpty {
                throw Failure(
                    description: "there is no collection in \(paths.joined(separator: ", ")); "
                        + "it takes a YAML file or a directory with _collection.yaml, and `turnstone demo` shows one")
            }
            var server: DemoServer?
            if opening.collections.isEmpty {
                guard let shareDirectory else {
                    throw Failure(
                        description: "the demo collection is missing; install it beside the program, or name a collection")
                }
                let demo = try await DemoServer()
                opening.collections = ["\(shareDirectory)/Collections/demo"]
                opening.variables = ["host": demo.baseURL, "other": demo.secondURL]
                server = demo
            }
            let status = try await open(opening)
            await server?.stop()
            return status
        } catch {
            let message = "turnstone: \(error)\n"
            write(STDERR_FILENO, message, message.utf8.count)
            return 2
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    @MainActor
    private func open(_ opening: ExplorerOpening) throws -> Int32 {
        var opening = opening
        // A path has a slash or an ending; the name of a theme has neither.
        let file = opening.theme.flatMap { $0.contains("/") || $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") ? $0 : nil }
        let themes = ThemeLibrary.load(searchPaths: themeFolders, chosen: file)
        if let file {
            guard let name = themes.chosen else { throw Failure(description: "the theme \(file) can't be read") }
            opening.theme = name
        }
        let services = ExplorerServices(
            client: NetworkClient(transport: transport, time: time), editor: SystemEditor(environment: environment),
            themes: themes, drafts: DraftStore(environment: environment),
            startNotices: themes.problems.prefix(1).map { Notice(.warning, "theme: \($0)") })
        let terminal = try NcursesTerminal(environment: environment)
        defer { terminal.close() }
        return try Explorer(terminal: terminal, services: services, opening: opening).run().status
    }

    /// The user's own hide those that came with the program.
    private var themeFolders: [String] {
        var folders: [String] = []
        if let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map({ "\($0)/.config" }) {
            folders.append("\(home)/turnstone/themes")
        }
        if let shareDirectory { folders.append("\(shareDirectory)/Themes") }
        return folders
    }
}
