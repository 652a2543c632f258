import CommandLineInterface
import CurlTransport
import Foundation
import NetworkLayer
import Synchronization

/// One run of the command line with every stream caught.
struct CommandLineRun {
    var status: ExitStatus
    var output: String
    var errors: String

    /// As ``run(_:input:isTerminal:errorsAreSeen:outputError:transport:time:launches:interrupts:environment:conditions:askSecret:)``, with streams
    /// that a test looks at, and feeds, while it runs.
    static func run(_ arguments: [String], into output: WatchedOutput) async -> ExitStatus {
        await run(arguments, GivenInput(bytes: Data()), output, environment: [:]).status
    }

    static func run(_ arguments: [String], input: FedInput) async -> CommandLineRun {
        let output = CaughtOutput(isTerminal: false)
        let (status, errors) = await run(arguments, input, output, environment: [:])
        return CommandLineRun(status: status, output: output.text, errors: errors)
    }

    static func run(
        _ arguments: [String], _ input: any ByteInput, _ output: any ByteOutput, environment: [String: String]
    ) async -> (status: ExitStatus, errors: String) {
        let errors = CaughtOutput(isTerminal: false)
        let context = CommandLineContext(
            standardInput: input, standardOutput: output, standardError: errors, environment: environment,
            transport: CurlTransport(), time: SystemTimeSource(), explore: { _ in .success },
            onInterrupt: { _ in Interrupts() })
        return (await CommandLineInterface.main(arguments, in: context), errors.text)
    }

    /// - Parameters:
    ///   - input: what standard input gives.
    ///   - isTerminal: whether standard output is one.
    ///   - errorsAreSeen: whether standard error is one.
    ///   - outputError: what every write to it ends with.
    static func run(
        _ arguments: [String], input: String = "", isTerminal: Bool = false, errorsAreSeen: Bool = false, outputError: Int32? = nil,
        transport: any Transport = CurlTransport(),
        time: any TimeSource = SystemTimeSource(), launches: Launches = Launches(), interrupts: Interrupts = Interrupts(),
        environment: [String: String] = [:], conditions: NetworkConditions? = nil,
        askSecret: @escaping @Sendable (String) throws -> String? = { _ in nil },
        onChange: @escaping @Sendable ([String], @escaping @Sendable (String) -> Void) -> any Sendable = { _, _ in () }
    ) async -> CommandLineRun {
        let output = CaughtOutput(isTerminal: isTerminal, error: outputError)
        let errors = CaughtOutput(isTerminal: errorsAreSeen)
        var context = CommandLineContext(
            standardInput: GivenInput(bytes: Data(input.utf8)), standardOutput: output, standardError: errors,
            environment: environment,
            transport: transport, time: time,
            explore: { launch in
                launches.all.withLock { $0.append(launch) }
                return .success
            },
            onInterrupt: { handler in
                interrupts.handler.withLock { $0 = handler }
                interrupts.listens.withLock { $0 }?()
                return interrupts
            })
        context.conditions = conditions.map { FixedConditions(current: $0) }
        context.keys = { set in
            if set == "nano" { return nil }
            return ExplorerKeys(text: "set: \(set ?? "mine")\n", problems: set == nil ? ["keys.yaml:3: wrong"] : [])
        }
        context.keySets = ["default", "vim", "emacs"]
        context.askSecret = askSecret
        context.onChange = onChange
        let status = await CommandLineInterface.main(arguments, in: context)
        return CommandLineRun(status: status, output: output.text, errors: errors.text)
    }
}

/// How often, and on what, the explorer was opened.
final class Launches: Sendable {
    let all = Mutex<[ExplorerLaunch]>([])
}

/// A Ctrl-C at hand.
final class Interrupts: Sendable {
    let handler = Mutex<(@Sendable () -> Void)?>(nil)
    /// Called whenever somebody begins to listen.
    let listens = Mutex<(@Sendable () -> Void)?>(nil)

    func interrupt() { handler.withLock { $0 }?() }
}

final class CaughtOutput: ByteOutput {
    let isTerminal: Bool
    private let error: Int32?
    private let bytes = Mutex(Data())

    init(isTerminal: Bool, error: Int32? = nil) {
        self.isTerminal = isTerminal
        self.error = error
    }

    var columns: Int? { isTerminal ? 80 : nil }
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func write(_ more: Data) throws(OutputFailure) {
        if let error { throw OutputFailure(name: "standard output", errno: error) }
        bytes.withLock { $0.append(more) }
    }
}

/// Output of any bytes.
final class CaughtBytes: ByteOutput {
    private let caught = Mutex(Data())

    var isTerminal: Bool { false }
    var columns: Int? { nil }
    var bytes: Data { caught.withLock { $0 } }

    func write(_ more: Data) { caught.withLock { $0 += more } }
}

/// Output that a test waits for.
final class WatchedOutput: ByteOutput {
    private let state = Mutex((bytes: Data(), waiting: [(text: String, continuation: CheckedContinuation<Void, Never>)]()))

    var isTerminal: Bool { false }
    var columns: Int? { nil }
    var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    func write(_ more: Data) {
        let ready = state.withLock { state in
            state.bytes += more
            let text = String(decoding: state.bytes, as: UTF8.self)
            defer { state.waiting.removeAll { text.hasPrefix($0.text) } }
            return state.waiting.filter { text.hasPrefix($0.text) }.map(\.continuation)
        }
        for waiter in ready { waiter.resume() }
    }

    /// Returns when what was written begins so.
    func has(_ text: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if String(decoding: state.bytes, as: UTF8.self).hasPrefix(text) { return true }
                state.waiting.append((text, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// Input that a test feeds, piece by piece; an empty one is the end.
final class FedInput: ByteInput {
    private let condition = NSCondition()
    nonisolated(unsafe) private var pieces: [Data] = []

    var isTerminal: Bool { false }

    func feed(_ text: String) {
        condition.withLock {
            pieces.append(Data(text.utf8))
            condition.signal()
        }
    }

    func read(atMost limit: Int) -> Data {
        condition.withLock {
            while pieces.isEmpty { condition.wait() }
            return pieces.removeFirst()
        }
    }
}

final class GivenInput: ByteInput {
    private let rest: Mutex<Data>

    init(bytes: Data) {
        rest = Mutex(bytes)
    }

    var isTerminal: Bool { false }

    func read(atMost limit: Int) -> Data {
        rest.withLock { rest in
            let piece = rest.prefix(limit)
            rest = rest.dropFirst(limit)
            return piece
        }
    }
}

/// A network that stays as it is.
struct FixedConditions: NetworkConditionsSource {
    var current: NetworkConditions

    var changes: AsyncStream<NetworkConditions> { AsyncStream { $0.yield(current) } }
}
