package import NetworkLayer
import Presentation
import RequestCollections
import Synchronization
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
    /// This program, for another process of it; `nil`: there is none.
    package var program: String?
    /// Opens the explorer and returns when it was left. The explorer lies on a higher floor.
    package var explore: @Sendable (ExplorerLaunch) async -> ExitStatus
    /// The keys of the explorer, as a keymap file. It lies on a higher floor, too.
    package var keys: @Sendable (_ set: String?) -> ExplorerKeys? = { _ in nil }
    /// The sets of keys that there are.
    package var keySets: [String] = []
    /// Asks for a secret at the terminal, without showing what is typed; `nil`: nobody can be asked, or nobody answered.
    package var askSecret: @Sendable (_ question: String) throws -> String? = { _ in nil }
    /// Asks at the terminal, and gives the line that is typed after the question was shown; `nil`: nobody can be asked, or answered.
    package var askLine: @Sendable (_ question: String) -> String? = { _ in nil }
    /// Calls the handler once for each SIGINT or SIGTERM while the returned value lives, and for a SIGHUP if it wasn't called before.
    package var onInterrupt: @Sendable (@escaping @Sendable () -> Void) -> any Sendable

    /// Calls the handler with its path whenever one of these collections or files changes, while the returned value lives. Who watches
    /// lies on a higher floor.
    package var onChange: @Sendable ([String], @escaping @Sendable (String) -> Void) -> any Sendable = { _, _ in () }

    package init(
        standardInput: any ByteInput, standardOutput: any ByteOutput, standardError: any ByteOutput, environment: [String: String],
        transport: any Transport, time: any TimeSource, explore: @escaping @Sendable (ExplorerLaunch) async -> ExitStatus,
        onInterrupt: @escaping @Sendable (@escaping @Sendable () -> Void) -> any Sendable
    ) {
        self.standardInput = standardInput
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.environment = environment
        self.transport = transport
        self.time = time
        self.explore = explore
        self.onInterrupt = onInterrupt
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
    /// Files or directories; empty: `./Collections`, else the nearest one above, else none.
    package var collections: [String] = []
    /// Starts the demo server inside, and opens its collection.
    package var isDemo = false
    package var environment: String?
    package var theme: String?
    package var keepsHistory = true
    /// Requests that have a mock are answered by it.
    package var usesMocks = false
    /// What collections want is allowed for as long as it is open.
    package var trustsAll = false
    /// The panes keep their sizes.
    package var holdsStill = false
    /// The demo is a guided one.
    package var isTour = false
    /// How pictures are shown.
    package var pictures = PictureMode.auto
}

extension CommandLineContext {
    /// A client over this machine: its transport, its clock, its network's conditions.
    ///
    /// - Parameters:
    ///   - transport: in place of the context's, mocks say.
    ///   - cache: none by default: the user of a command wants the server's own answer.
    func client(
        over transport: (any Transport)? = nil, settings: NetworkClient.Settings = .init(), cookies: CookieJars? = nil,
        cache: ResponseCache? = nil
    ) -> NetworkClient {
        NetworkClient(
            transport: transport ?? self.transport, time: time, settings: settings,
            cookies: cookies ?? CookieJars(directory: UserDirectories(environment).cookies), cache: cache, conditions: conditions)
    }

    /// Says a sentence on standard error. It may quote what strangers have written.
    func note(_ sentence: some CustomStringConvertible) throws(OutputFailure) {
        try standardError.print("turnstone: \(SafeText.line("\(sentence)"))")
    }

    /// - Returns: whether nobody has interrupted it.
    func pause(_ duration: Duration) async -> Bool {
        let (stream, continuation) = AsyncStream<Bool>.makeStream()
        let alarm = time.schedule(at: time.now + duration) { continuation.yield(true) }
        let interrupts = onInterrupt { continuation.yield(false) }
        defer {
            alarm.cancel()
            withExtendedLifetime(interrupts) {}
        }
        for await isOver in stream { return isOver }
        return false
    }

    /// Saves the jars before the program ends. If a jar can't be written, the requests haven't failed.
    func save(_ cookies: CookieJars) {
        do throws(NetworkError) {
            try cookies.save()
        } catch {
            try? note(error.message)
        }
    }
}

/// An interrupt that several wait for, or that comes from elsewhere than the terminal.
final class Interruption: Sendable {
    private let state = Mutex(State())

    private struct State {
        var handlers: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var hasHappened = false
    }

    /// - Returns: while it lives, the handler is called.
    func add(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
        let (number, hasHappened) = state.withLock { state in
            state.last += 1
            state.handlers[state.last] = handler
            return (state.last, state.hasHappened)
        }
        if hasHappened { handler() }
        return Registration { [weak self] in self?.state.withLock { $0.handlers[number] = nil } }
    }

    func happen() {
        let handlers = state.withLock { state in
            state.hasHappened = true
            return state.handlers.values
        }
        for handler in handlers { handler() }
    }

    private final class Registration: Sendable {
        private let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }
}
