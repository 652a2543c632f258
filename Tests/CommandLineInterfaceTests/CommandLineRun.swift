import CommandLineInterface
import CurlTransport
import FoundationEssentials
import NetworkLayer
import Synchronization

/// One run of the command line with every stream caught.
struct CommandLineRun {
    var status: ExitStatus
    var output: String
    var errors: String

    /// - Parameters:
    ///   - input: what standard input gives.
    ///   - isTerminal: whether standard output is one.
    ///   - outputError: what every write to it ends with.
    static func run(
        _ arguments: [String], input: String = "", isTerminal: Bool = false, outputError: Int32? = nil,
        transport: any Transport = CurlTransport(),
        time: any TimeSource = SystemTimeSource(), launches: Launches = Launches(), interrupts: Interrupts = Interrupts(),
        environment: [String: String] = [:], conditions: NetworkConditions? = nil,
        askSecret: @escaping @Sendable (String) throws -> String? = { _ in nil }
    ) async -> CommandLineRun {
        let output = CaughtOutput(isTerminal: isTerminal, error: outputError)
        let errors = CaughtOutput(isTerminal: false)
        let context = CommandLineContext(
            standardInput: GivenInput(bytes: Data(input.utf8)), standardOutput: output, standardError: errors,
            environment: environment,
            transport: transport, time: time, conditions: conditions.map { FixedConditions(current: $0) },
            explore: { launch in
                launches.all.withLock { $0.append(launch) }
                return .success
            },
            askSecret: askSecret,
            onInterrupt: { handler in
                interrupts.handler.withLock { $0 = handler }
                return interrupts
            })
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

struct GivenInput: ByteInput {
    var bytes: Data
    var isTerminal: Bool { false }

    func readToEnd() -> Data { bytes }
}

/// A network that stays as it is.
struct FixedConditions: NetworkConditionsSource {
    var current: NetworkConditions

    var changes: AsyncStream<NetworkConditions> { AsyncStream { $0.yield(current) } }
}
