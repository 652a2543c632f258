import Presentation
import RequestCollections
import TerminalUI

extension Run {
    /// Whether it is to run again whenever a file changes: for a person at a terminal, where what is read is a file.
    func waitsForChanges(in context: CommandLineContext) -> Bool {
        let output = wantsOutput ? context.standardError : context.standardOutput
        return watch && !plan && !dryRun && output.isTerminal && !words.contains("-")
    }

    /// Until Ctrl-C. A file that can't be read, as it may be while somebody edits it, is said, and waited for.
    ///
    /// - Returns: the status of the last run.
    func runAtChanges(
        in context: CommandLineContext, _ run: () async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let collections = try CollectionChoice(words, environment: context.environment, input: context.standardInput).collections
        let paths = collections.map(\.path) + data.map(\.path) + envFile.map(\.path)
        let printer = LinePrinter(context, to: wantsOutput ? context.standardError : context.standardOutput)
        while true {
            // What changes while it runs counts, too.
            let (signals, signal) = AsyncStream.makeStream(of: Signal.self)
            let watching = context.onChange(paths) { signal.yield(.change($0)) }
            defer { withExtendedLifetime(watching) {} }
            let status: ExitStatus
            do { status = try await run() } catch { status = CommandLineInterface.report(error, in: context) }
            if status == .cancelled { return status }
            try printer.print([StyledLine(), StyledLine("waiting for a change; Ctrl-C ends", .dim)])
            let interrupts = context.onInterrupt { signal.yield(.interrupt) }
            defer { withExtendedLifetime(interrupts) {} }
            guard case .change(let path)? = await signals.first(where: { _ in true }) else { return status }
            try printer.print([StyledLine("\(SafeText.line(path)) has changed", .dim), StyledLine()])
        }
    }

    private enum Signal: Sendable {
        case change(String)
        case interrupt
    }
}
