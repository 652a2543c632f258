import TerminalUI

/// The guided demo: what it points at now. It waits for what happens, never for a time, and a key that isn't its own ends it.
package struct Tour: Hashable, Sendable {
    var cue = Cue.opening
    /// Below the status line.
    var rows = 0
    /// What led on last.
    var lastKey: KeyPress?

    package static let beginning = Tour()

    /// How many steps there are.
    static let steps = 5

    enum Cue: Hashable, Sendable, CaseIterable {
        /// The collection is being read.
        case opening
        case redirect, dropped
        case unavailable, waiting, recovered
        case expired, refused, card, trusting, trusted
        case large, arriving, arrived, typing, found
        case repeated, asked, measuring, measured
        case end

        /// From 1; `nil` before the first and behind the last.
        var step: Int? {
            switch self {
            case .opening, .end: nil
            case .redirect, .dropped: 1
            case .unavailable, .waiting, .recovered: 2
            case .expired, .refused, .card, .trusting, .trusted: 3
            case .large, .arriving, .arrived, .typing, .found: 4
            case .repeated, .asked, .measuring, .measured: 5
            }
        }

        /// Fits into a line of 80 columns.
        var text: String {
            switch self {
            case .opening: "The demo is being read."
            case .redirect: "A token goes to a server, which redirects to another one."
            case .dropped: "The token doesn't go to another origin: the hop says so in yellow."
            case .unavailable: "This server is busy at first, and says when to come again."
            case .waiting: "It waits as long as it was asked to, and shows until when."
            case .recovered: "Two attempts on one connection: the second one has no tcp to wait for."
            case .expired: "A server whose certificate has expired."
            case .refused: "It was refused before anything was sent."
            case .card: "What is wrong, what shows it, and the keys that mend it."
            case .trusting: "It is sent again."
            case .trusted: "This request takes that one certificate now, and no other request does."
            case .large: "100 MB of JSON."
            case .arriving: "What has come can be read while the rest arrives."
            case .arrived: "All of it is here, and can be searched."
            case .typing: "Type 500000: it is found while you type."
            case .found: "That was all of the 100 MB. n and N go on to other matches."
            case .repeated: "One time is no figure: the lab sends a request a hundred times."
            case .asked: "A hundred times, four at once, over four connections."
            case .measuring: "Each phase has a row, from its median to its maximum."
            case .measured: "What made its connection, and what found one, are told apart."
            case .end: "That was the tour. `turnstone init` begins a collection of your own."
            }
        }

        /// What begins the step: the demo's request.
        var request: String? {
            switch self {
            case .redirect: "redirects/across-origins"
            case .unavailable: "trouble/unavailable-retried"
            case .expired: "transport/tls/expired"
            case .large: "receiving/json-100mb"
            case .repeated: "basics/a-first-request"
            default: nil
            }
        }

        /// What the tour asks for, or waits with; each other key ends it.
        var commands: [Command.ID] {
            switch self {
            case .redirect, .unavailable, .expired, .large: [.send]
            case .waiting: [.retryNow]
            case .refused: [.why]
            case .arrived: [.search]
            case .found: [.nextMatch, .previousMatch]
            case .repeated: [.lab]
            default: []
            }
        }

        /// Where Enter leads; `nil` when another key leads on.
        var afterEnter: Cue? {
            switch self {
            case .dropped: .unavailable
            case .recovered: .expired
            case .trusted: .large
            case .found: .repeated
            default: nil
            }
        }
    }
}
