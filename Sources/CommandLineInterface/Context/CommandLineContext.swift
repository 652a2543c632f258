package import NetworkLayer
package import TerminalUI

/// Everything a command touches besides its arguments, so that a test can stand in for all of it.
package struct CommandLineContext: Sendable {
    package var standardInput: any ByteInput
    package var standardOutput: any ByteOutput
    package var standardError: any ByteOutput
    package var environment: [String: String]
    /// More variables of the environment, for secrets and `env()` alone: where this program keeps its files, whom it trusts and what its
    /// commands get is none of their business.
    package var givenEnvironment: [String: String] = [:]
    package var transport: any Transport
    package var time: any TimeSource
    /// What is known of the machine's network; `nil`: nothing.
    package var conditions: (any NetworkConditionsSource)?
    /// Where the demo collection and the themes lie; `nil`: this program came without them.
    package var shareDirectory: String?
    /// This program, for another process of it; `nil`: there is none.
    package var program: String?
    /// Opens the explorer and returns when it was left. The explorer lies on a higher floor.
    package var explore: @Sendable (ExplorerLaunch) async -> ExitStatus
    /// The keys of the explorer, as a keymap file. It lies on a higher floor, too.
    package var keys: @Sendable (_ set: String?) -> ExplorerKeys?
    /// The sets of keys that there are.
    package var keySets: [String]
    /// Asks for a secret at the terminal, without showing what is typed; `nil`: nobody can be asked, or nobody answered.
    package var askSecret: @Sendable (_ question: String) throws -> String?
    /// Asks at the terminal, and gives the line that is typed after the question was shown; `nil`: nobody can be asked, or answered.
    package var askLine: @Sendable (_ question: String) -> String?
    /// Calls the handler once for each SIGINT or SIGTERM while the returned value lives, and for a SIGHUP if it wasn't called before.
    package var onInterrupt: @Sendable (@escaping @Sendable () -> Void) -> any Sendable

    /// Calls the handler with its path whenever one of these collections or files changes, while the returned value lives. Who watches
    /// lies on a higher floor.
    package var onChange: @Sendable ([String], @escaping @Sendable (String) -> Void) -> any Sendable

    package init(
        standardInput: any ByteInput, standardOutput: any ByteOutput, standardError: any ByteOutput, environment: [String: String],
        transport: any Transport, time: any TimeSource, conditions: (any NetworkConditionsSource)? = nil,
        shareDirectory: String? = nil, program: String? = nil,
        explore: @escaping @Sendable (ExplorerLaunch) async -> ExitStatus,
        keys: @escaping @Sendable (_ set: String?) -> ExplorerKeys? = { _ in nil }, keySets: [String] = [],
        askSecret: @escaping @Sendable (_ question: String) throws -> String? = { _ in nil },
        askLine: @escaping @Sendable (_ question: String) -> String? = { _ in nil },
        onInterrupt: @escaping @Sendable (@escaping @Sendable () -> Void) -> any Sendable,
        onChange: @escaping @Sendable ([String], @escaping @Sendable (String) -> Void) -> any Sendable = { _, _ in () }
    ) {
        self.standardInput = standardInput
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.environment = environment
        self.transport = transport
        self.time = time
        self.conditions = conditions
        self.shareDirectory = shareDirectory
        self.program = program
        self.explore = explore
        self.keys = keys
        self.keySets = keySets
        self.askSecret = askSecret
        self.askLine = askLine
        self.onInterrupt = onInterrupt
        self.onChange = onChange
    }
}

/// All keys of the explorer.
package struct ExplorerKeys: Hashable, Sendable {
    /// A keymap file that says the same.
    package var text: String
    /// What is wrong with the user's own, one a line.
    package var problems: [String]

    package init(text: String, problems: [String] = []) {
        self.text = text
        self.problems = problems
    }
}

/// What the explorer is to be opened on.
package struct ExplorerLaunch: Hashable, Sendable {
    /// Files or directories; empty: `./Collections`, else the nearest one above, else the demo.
    package var collections: [String]
    /// Starts the demo server inside, and opens its collection.
    package var isDemo: Bool
    /// The demo is a guided one.
    package var isTour = false
    package var environment: String?
    package var theme: String?
    package var keepsHistory: Bool
    /// Requests that have a mock are answered by it.
    package var usesMocks: Bool
    /// What collections want is allowed for as long as it is open.
    package var trustsAll: Bool
    /// The panes keep their sizes.
    package var holdsStill: Bool
    /// How pictures are shown.
    package var pictures = PictureMode.auto

    package init(
        collections: [String] = [], isDemo: Bool = false, environment: String? = nil, theme: String? = nil,
        keepsHistory: Bool = true,
        usesMocks: Bool = false, trustsAll: Bool = false, holdsStill: Bool = false
    ) {
        self.collections = collections
        self.isDemo = isDemo
        self.environment = environment
        self.theme = theme
        self.keepsHistory = keepsHistory
        self.usesMocks = usesMocks
        self.trustsAll = trustsAll
        self.holdsStill = holdsStill
    }
}
