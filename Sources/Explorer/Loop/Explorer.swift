package import NetworkLayer
import Presentation
package import TerminalUI

/// The explorer, running: events in, effects performed, frames out.
///
///     Terminal ──────> events ─┐                       ┌─> EffectPerformer ─┬─> terminal, $EDITOR
///                              ├─> ExplorerState ──────┤                    ├─> queue ──> observer ─┐
///     Mailbox <──────> mail ───┘        │              └─ answers           └─> files, bodies ──────┤
///        ▲                              └─> ExplorerView ─> Frame ─> Terminal                       │
///        └──────────────────────────────────────────────────────────────────────────────────────────┘
///
/// It owns the main thread: it waits for the terminal there, and everything that takes time happens elsewhere and comes
/// back as mail. Each turn takes all that waits, and draws at most once; at rest there are no turns.
@MainActor
package final class Explorer {
    private(set) var state: ExplorerState
    private let terminal: any Terminal
    private let time: any TimeSource
    private let themes: ThemeLibrary
    private let mailbox: Mailbox
    private let performer: EffectPerformer
    private var pacer = FramePacer()
    private var mail: ArraySlice<Mailbox.Message> = []
    private var theme: Theme
    private var exit: Exit?
    private let sizes: SizeStore?
    private let environments: EnvironmentStore?
    /// As they were at the start.
    private let usualSizes: Layout.AdjustmentBook

    /// How the explorer was left.
    package enum Exit: Hashable, Sendable {
        case quit
        /// The demo is wanted next.
        case demo
        /// A signal ended it, after everything that must survive was written.
        case signal(Int32)

        /// For the shell: 128 and the signal's number, as shells count.
        package var status: Int32 {
            switch self {
            case .quit, .demo: 0
            case .signal(let number): 128 + number
            }
        }
    }

    package init(terminal: any Terminal, services: ExplorerServices, opening: ExplorerOpening) throws(NetworkError) {
        self.terminal = terminal
        time = services.client.time
        themes = services.themes
        mailbox = Mailbox(waker: terminal.waker)
        performer = try EffectPerformer(terminal: terminal, services: services, mailbox: mailbox)
        let names = services.themes.themes.map(\.name)
        let name =
            [opening.theme, opening.usualTheme, Theme.builtin.name].compactMap(\.self).first { names.contains($0) } ?? names[0]
        if let wanted = opening.theme, wanted != name {
            let known = names.joined(separator: ", ")
            mailbox.post(.notice(Notice(.warning, "there is no theme \(wanted); there are: \(known)")))
        }
        let sizes = SizeStore(stateDirectory: services.stateDirectory)
        let state = Explorer.firstState(
            ExplorerState(size: terminal.size, theme: name, themes: names, keymap: services.keymap), services, opening,
            sizes: sizes?.load() ?? .init(),
            showsImages: terminal.showsImages)
        self.sizes = sizes
        environments = EnvironmentStore(stateDirectory: services.stateDirectory)
        usualSizes = state.screen.adjustments
        self.state = state
        theme = Explorer.theme(name, in: services.themes, on: terminal)
        if let uses = performer.uses?.load(), !uses.isEmpty { mailbox.post(.usesCounted(uses)) }
        for notice in services.startNotices { mailbox.post(.notice(notice)) }
        perform(opening.collections.map { .loadCollection(path: $0) })
        pacer.changed(isUrgent: false)
    }

    /// Not in the initializer, which throws: Swift 6.3.1 crashes when it optimizes changes of the state there.
    private static func firstState(
        _ empty: ExplorerState, _ services: ExplorerServices, _ opening: ExplorerOpening, sizes: Layout.AdjustmentBook,
        showsImages: Bool
    ) -> ExplorerState {
        var state = empty
        state.screen.adjustments = sizes
        state.screen.followsGround = opening.followsGround && opening.theme == nil
        state.workspace.preferredEnvironment = opening.environment
        let usual = EnvironmentStore(stateDirectory: services.stateDirectory)?.load() ?? [:]
        for path in opening.collections { state.workspace.usualEnvironments[path] = usual[EffectPerformer.absolute(path)] }
        state.workspace.variables = opening.variables
        state.screen.holdsStill = opening.holdsStill
        if opening.isDemo { state.workspace.demo = opening.collections.first }
        state.awaited = opening.collections.count
        if let path = opening.newCollection { _ = state.beginCollection(at: path) }
        if opening.newCollection != nil || opening.offersDemo {
            state.overlay = .start(StartLine(found: opening.found, offersDemo: opening.offersDemo))
        }
        if let tour = opening.tour { state.begin(tour) }
        state.pastRuns.isKept = services.history != nil
        state.screen.showsImages = showsImages
        state.transport.userAgent = services.userAgent
        state.transport.contentCodings = services.contentCodings
        state.transport.usesMocks = services.mocks != nil
        return state
    }

    /// Runs until it is left.
    package func run() -> Exit {
        // What is on the disk is usually there before anybody sees an empty screen.
        turn(waitingAtMost: Explorer.patience)
        while exit == nil { turn() }
        performer.stop()
        if state.screen.adjustments != usualSizes { sizes?.write(state.screen.adjustments) }
        keepEnvironments()
        return exit ?? .quit
    }

    /// The demo's folder is another one each time.
    private func keepEnvironments() {
        var names = environments?.load() ?? [:]
        let known = names
        for path in state.collectionPaths where path != state.workspace.demo {
            names[EffectPerformer.absolute(path)] = state.workspace.environments[path]
        }
        if names != known { environments?.write(names) }
    }

    /// How long the first frame may wait for a collection.
    private static let patience: Duration = .milliseconds(30)
    /// How long mail may keep a key waiting.
    private static let slice: Duration = .milliseconds(4)

    private func turn(waitingAtMost patience: Duration? = nil) {
        let wait = patience ?? delay()
        let hasMail = mailbox.prepareToWait(isQuiet: patience == nil && pacer.delay(at: time.now) != nil) || !mail.isEmpty
        let isAwaitingFrame = patience == nil && pacer.delay(at: time.now).map { $0 > .zero } ?? false
        let timeout: Duration? = hasMail && !isAwaitingFrame ? .zero : wait
        let events = terminal.waitForEvents(timeout: timeout)

        handle(.tick(time.now))
        // What has happened before the key was pressed is known when it is handled: `x` finds the operation it is meant for.
        drainMail()
        for event in events {
            handle(.terminal(event))
            if case .terminate(let signal) = event { exit = .signal(signal) }
        }
        if !events.isEmpty { pacer.changed(isUrgent: true) }
        performer.findWants(of: state)
        if exit == nil { drawIfDue() }
    }

    /// How long nothing has to be done without an event: until the next frame, or until the screen changes with time.
    private func delay() -> Duration? {
        let now = time.now
        let tick = state.nextTick.map { max(.zero, $0 - now) }
        return [pacer.delay(at: now), tick].compactMap { $0 }.min()
    }

    private func drainMail() {
        mail += mailbox.drain()
        guard !mail.isEmpty else { return }
        pacer.changed(isUrgent: false)
        let start = time.now
        var count = 0
        while let message = mail.popFirst() {
            switch message {
            case .event(let event): handle(event)
            case .effect(let effect): perform([effect])
            }
            count += 1
            if count % 64 == 0, time.now - start > Explorer.slice { return }
        }
        mail = []
    }

    private func handle(_ event: ExplorerEvent) {
        if case .tick = event, state.nextTick != nil { pacer.changed(isUrgent: false) }
        perform(state.handle(event))
    }

    private func perform(_ effects: [ExplorerEffect]) {
        for effect in effects {
            switch effect {
            case .quit: exit = exit ?? .quit
            case .openDemo: exit = exit ?? .demo
            case .setTheme(let name):
                theme = Explorer.theme(name, in: themes, on: terminal)
                handle(.themeChanged(name))
            default:
                for answer in performer.perform(effect, in: state) { handle(answer) }
            }
        }
    }

    private func drawIfDue() {
        let now = time.now
        guard let delay = pacer.delay(at: now), delay <= .zero else { return }
        terminal.draw(ExplorerView.frame(for: state, theme: theme))
        pacer.drew(at: now)
    }

    private static func theme(_ name: String, in themes: ThemeLibrary, on terminal: any Terminal) -> Theme {
        (themes.theme(named: name) ?? themes.themes[0]).adapted(to: terminal.colorDepth)
    }
}

/// When to draw: at once after a key, and at most once in 16 ms for everything else. A value: times in, decisions out.
///
/// At rest it asks for no wake-up, so that the loop sleeps until something happens.
struct FramePacer: Hashable, Sendable {
    static let interval: Duration = .milliseconds(16)

    private var lastFrame: MonotonicTime?
    private var isDue = false
    private var isUrgent = false

    init() {}

    /// - Parameter isUrgent: a user waits for it: after a key, a click or a change of the size.
    mutating func changed(isUrgent: Bool) {
        isDue = true
        if isUrgent { self.isUrgent = true }
    }

    /// How long until the next frame; `nil`: there is nothing to draw.
    func delay(at now: MonotonicTime) -> Duration? {
        guard isDue else { return nil }
        guard !isUrgent, let lastFrame else { return .zero }
        return max(.zero, lastFrame + FramePacer.interval - now)
    }

    mutating func drew(at time: MonotonicTime) {
        lastFrame = time
        isDue = false
        isUrgent = false
    }
}

/// What the explorer begins with.
package struct ExplorerOpening: Hashable, Sendable {
    /// Paths of files or directories, each one collection.
    package var collections: [String]
    /// Chosen in every collection that has it.
    package var environment: String?
    /// `nil`, or a name that no theme has, means the usual one.
    package var theme: String?
    /// The theme that fits the terminal's background.
    package var usualTheme: String?
    /// The terminal's background isn't known yet: the terminal was asked, and may say it.
    package var followsGround = false
    /// Override all variables of the files: for instance, where the demo's server listens.
    package var variables: [String: String]

    /// The only collection is the demo, whose files are thrown away.
    package var isDemo = false
    /// The path of a collection that isn't there yet, and that saving makes.
    package var newCollection: String?
    /// There is no collection: what else there is to begin with.
    package var found: [FoundFile] = []
    package var offersDemo = false

    /// The panes keep their sizes.
    package var holdsStill: Bool
    /// The guided demo.
    package var tour: Tour?

    package init(
        collections: [String], environment: String? = nil, theme: String? = nil, variables: [String: String] = [:],
        holdsStill: Bool = false
    ) {
        self.collections = collections
        self.environment = environment
        self.theme = theme
        self.variables = variables
        self.holdsStill = holdsStill
    }
}
