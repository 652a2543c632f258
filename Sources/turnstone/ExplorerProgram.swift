import Base
import CollectionRunner
import CommandLineInterface
import CurlTransport
import DemoServer
import Explorer
import History
import MockTransport
import NcursesTerminal
import NetworkLayer
import Presentation
import RequestCollections

/// The explorer on the real terminal, over a transport, with the files of the machine.
struct ExplorerProgram {
    var transport: any Transport
    var time: any TimeSource = SystemTimeSource()
    var conditions: any NetworkConditionsSource
    /// The process's.
    var environment: [String: String]
    /// This program, for another process of it.
    var program: String?

    /// Returns when the user has left it.
    ///
    /// - Returns: the exit status.
    func run(_ launch: ExplorerLaunch) async -> Int32 {
        let paths = launch.collections
        do {
            var opening = ExplorerOpening(
                collections: [], environment: launch.environment, theme: launch.theme, holdsStill: launch.holdsStill)
            var notices: [Notice] = []
            if paths.count == 1, Self.isNewFile(paths[0]) {
                opening.newCollection = paths[0]
            } else if !launch.isDemo {
                let owners = FileOwners(environment: environment)
                if paths.isEmpty {
                    let found = CollectionSearch.nearest(
                        to: FileManager.default.currentDirectoryPath, home: environment["HOME"], owners: owners)
                    opening.collections = found.collections
                    notices = found.refused.map { [Notice(.warning, SafeText.line($0.refusal(by: "turnstone")))] } ?? []
                } else {
                    opening.collections = try paths.flatMap {
                        FoundFile.isForeign(directory: $0) ? [$0] : try RequestCollection.collections(at: $0)
                    }
                    notices = opening.collections.compactMap { owners.stranger($0) }.map {
                        Notice(.warning, SafeText.line($0.warning))
                    }
                }
            }
            if opening.collections.isEmpty, !paths.isEmpty, opening.newCollection == nil {
                throw Failure(
                    description: "there is no collection in \(paths.joined(separator: ", ")); "
                        + "it takes a YAML file or a directory with _collection.yaml, and `turnstone demo` shows one")
            }
            var server: DemoServer?
            var copy: DemoCopy?
            defer { copy?.remove() }
            var builtIn = launch.trustsAll ? Trust.everything : .nothing
            if opening.collections.isEmpty, opening.newCollection == nil, !launch.isDemo {
                opening.offersDemo = true
                opening.found = FoundFile.search(FileManager.default.currentDirectoryPath)
            }
            if launch.isDemo {
                let demo = try await DemoServer()
                let files = try DemoCopy()
                copy = files
                opening.collections = [files.path]
                opening.isDemo = true
                opening.variables = demo.variables
                if !launch.trustsAll {
                    builtIn = DemoTrust.trust(servers: Array(demo.variables.values))
                }
                if launch.isTour { opening.tour = .beginning }
                server = demo
            }
            let exit = try await open(opening, launch, builtIn, notices)
            await server?.stop()
            guard exit == .demo else { return exit.status }
            var demo = launch
            demo.isDemo = true
            return await run(demo)
        } catch {
            let message = "turnstone: \(SafeText.line("\(error)"))\n"
            write(STDERR_FILENO, message, message.utf8.count)
            return 2
        }
    }

    /// A file that an editor would make: its name says that it is a collection, and nothing is there yet.
    private static func isNewFile(_ path: String) -> Bool {
        (path.hasSuffix(".yaml") || path.hasSuffix(".yml")) && !FileManager.default.fileExists(atPath: path)
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    @MainActor
    private func open(_ opening: ExplorerOpening, _ launch: ExplorerLaunch, _ builtIn: Trust, _ notices: [Notice]) throws
        -> Explorer.Exit
    {
        var opening = opening
        // A path has a slash or an ending; the name of a theme has neither.
        let file = opening.theme.flatMap { $0.contains("/") || $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") ? $0 : nil }
        let themes = ThemeLibrary.load(
            searchPaths: [UserDirectories(environment).themes].compactMap(\.self), shipped: EmbeddedFiles.themes, chosen: file)
        if let file {
            guard let name = themes.chosen else { throw Failure(description: "the theme \(file) can't be read") }
            opening.theme = name
        }
        let mocks = launch.usesMocks ? MockTransport(time: time, fallback: transport) : nil
        let files = UserDirectories(environment)
        let history = launch.keepsHistory ? files.history.map { LazyHistory(path: $0) } : nil
        let keys = UserKeys(environment: environment).file
        opening.followsGround = opening.theme == nil && opening.usualTheme == nil
        if opening.usualTheme == nil { opening.usualTheme = NcursesTerminal.hasLightGround(environment) ? "light" : "dark" }
        let services = ExplorerServices(
            client: NetworkClient(
                transport: mocks ?? transport, time: time, cookies: CookieJars(directory: files.cookies), conditions: conditions),
            userAgent: Turnstone.userAgent, contentCodings: CurlTransport.contentCodings,
            grants: TrustStore(environment: environment), builtIn: builtIn, editor: SystemEditor(environment: environment),
            themes: themes, keymap: keys?.keymap ?? Keymap(set: .default), program: program, stateDirectory: files.state,
            cacheDirectory: files.cache,
            drafts: DraftStore(stateDirectory: files.state),
            history: history,
            mocks: mocks,
            importer: { try ForeignFiles.collection(at: $0, keepsSecrets: $1) },
            sharer: { title, response, expectations, isPage in
                let run = SharedRun(title, response, expectations, today: Date())
                return isPage ? run.page : run.markdown
            },
            startNotices: themes.problems.prefix(1).map { Notice(.warning, "theme: \($0)") } + notices + keyNotices(keys)
                + stateNotices(files, launch))
        let terminal = try NcursesTerminal(
            environment: environment, pictures: launch.pictures, asksGround: opening.followsGround)
        defer { terminal.close() }
        return try Explorer(terminal: terminal, services: services, opening: opening).run()
    }

    private func stateNotices(_ files: UserDirectories, _ launch: ExplorerLaunch) -> [Notice] {
        guard files.state == nil else { return [] }
        let what = launch.keepsHistory ? "Neither runs nor unsaved edits are kept" : "Unsaved edits aren't kept"
        return [Notice(.warning, "\(what): neither HOME nor XDG_STATE_HOME is an absolute path.")]
    }

    private func keyNotices(_ keys: KeymapFile?) -> [Notice] {
        guard let problems = keys?.problems, let first = problems.first else { return [] }
        let more = problems.count > 1 ? "; `turnstone keys` tells all \(problems.count)" : ""
        return [Notice(.warning, SafeText.line("\(first)\(more)"))]
    }
}

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
