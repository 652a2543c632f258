import Base
import HTTPTypes
import NetworkLayer
import Synchronization

/// Heads and body of a `send`, in the order in which the server sent them: `-i`, `-I`, `-D`, `-o`, `-O` and standard output.
///
/// A head goes out as soon as it is there, the interim ones (1xx) too, and trailers behind the body. Only into the body's own file heads
/// go together with the body: its name may depend on the last one, and a retry begins it anew.
final class SendOutput: Sendable {
    private let state: Mutex<State>
    private let includesHeads: Bool
    /// Whether the body goes to standard output alone.
    private let isLive: Bool
    private let standardOutput: any ByteOutput
    private let makeFiles: @Sendable (ResponseHead?) throws -> [OutputFile?]

    private struct State {
        /// The next event to look at.
        var next = 0
        var dump: (any ByteOutput)?
        /// What the body's place is still to get, before the body.
        var heads: [Data] = []
        /// What follows the body.
        var trailers: [Data] = []
        var head: ResponseHead?
        var bodyHasBegun = false
        var destinations: [BodyDestination]?
    }

    /// - Parameters:
    ///   - dump: of `-D`.
    ///   - files: where the body goes, as the last head may say; `nil` is standard output.
    init(
        dump: (any ByteOutput)?, includesHeads: Bool, isLive: Bool, standardOutput: any ByteOutput,
        files: @escaping @Sendable (ResponseHead?) throws -> [OutputFile?]
    ) throws {
        self.includesHeads = includesHeads
        self.isLive = isLive
        self.standardOutput = standardOutput
        makeFiles = files
        state = Mutex(State(dump: dump))
    }

    /// Whether heads go out before the body.
    var followsEvents: Bool { state.withLock { $0.dump != nil } || includesHeads && isLive }

    /// Writes the heads that have come since the last time.
    func follow(_ operation: RequestOperation) throws {
        try state.withLock { state in
            for event in operation.events(from: state.next) {
                state.next += 1
                try handle(event, &state)
            }
        }
    }

    /// Writes a piece of the body, and before it the heads that came before it.
    func write(_ chunk: Data, of operation: RequestOperation) throws {
        try follow(operation)
        try state.withLock { state in
            var destinations = try open(&state)
            let contentType = state.head?.headers[.contentType]
            for index in destinations.indices { try destinations[index].write(body: chunk, contentType: contentType) }
            state.destinations = destinations
        }
    }

    /// The body is over, also when there was none.
    ///
    /// - Parameter makesFile: whether an empty body is a file, too.
    /// - Returns: the file that was written.
    func finish(_ operation: RequestOperation, makesFile: Bool) throws -> String? {
        try follow(operation)
        return try state.withLock { state in
            var destinations = makesFile ? try open(&state) : state.destinations ?? []
            for trailer in state.trailers {
                try state.dump?.write(trailer)
                guard includesHeads else { continue }
                for index in destinations.indices { try destinations[index].write(trailer) }
            }
            var name: String?
            for index in destinations.indices {
                try destinations[index].finish()
                name = name ?? destinations[index].path
            }
            state.destinations = nil
            return name
        }
    }

    // MARK: Heads

    private func handle(_ event: NetworkEvent, _ state: inout State) throws {
        switch event.kind {
        case .attemptStarted(let kind, _):
            if kind == .retry { state.heads = [] }
            // The trailers of an answer whose body went nowhere.
            for trailer in state.trailers { try state.dump?.write(trailer) }
            state.trailers = []
        case .informational(let head), .authenticationStep(let head), .head(let head):
            state.head = head
            try write(head, &state)
        case .downloadProgress:
            // Bodies of redirects, and of failures that are tried again, go nowhere.
            if let status = state.head?.status, status.kind == .successful { state.bodyHasBegun = true }
        case .attemptEnded(let attempt):
            state.trailers = attempt.trailers.map { Data("\($0.name): \($0.value)\r\n".utf8) }
        default: break
        }
    }

    private func write(_ head: ResponseHead, _ state: inout State) throws {
        let includes = includesHeads && !state.bodyHasBegun
        // Line by line, as curl does where both go to one place.
        for line in Self.lines(of: head.raw) {
            try state.dump?.write(line)
            guard includes else { continue }
            if isLive {
                var destinations = try open(&state)
                for index in destinations.indices { try destinations[index].write(line) }
                state.destinations = destinations
            } else {
                state.heads.append(line)
            }
        }
    }

    /// Each with its end.
    private static func lines(of head: Data) -> [Data] {
        var lines: [Data] = []
        var rest = head
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest[...end])
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    private func open(_ state: inout State) throws -> [BodyDestination] {
        if let open = state.destinations { return open }
        return try makeFiles(state.head).map { file in
            var destination = BodyDestination(file, standardOutput: standardOutput)
            for head in state.heads { try destination.write(head) }
            return destination
        }
    }
}
