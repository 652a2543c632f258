import NetworkLayer
import Threads

/// Before more of a body than that goes into a file, the person at the terminal is asked.
extension SendRun {
    /// `nil` where nobody can be asked, or nothing has to be.
    var lengthQuestion: LengthQuestion? {
        guard context.standardInput.isTerminal, context.standardError.isTerminal, !arguments.isSilent, arguments.maximumSize == nil,
            arguments.unaskedSize > 0, writesFile
        else { return nil }
        return LengthQuestion(limit: Int64(arguments.unaskedSize))
    }

    private var writesFile: Bool {
        arguments.bodyModes.map { $0.contains(.file) } ?? (names.file(for: plan.request.url, nil) != nil)
    }

    /// Meanwhile nothing is read from the server, which waits.
    ///
    /// - Returns: `nil` when the operation has failed first, such as by Ctrl-C.
    func confirms(_ question: String, of operation: RequestOperation, unless interruption: Interruption) async -> Bool? {
        let (answers, continuation) = AsyncStream<Bool?>.makeStream()
        // This task is never cancelled, since that would cancel the operation, too.
        Task {
            if await operation.response.error != nil { continuation.yield(nil) }
        }
        // All of the body may have come already: then there is nothing to cancel, and Ctrl-C means no.
        let registration = interruption.add {
            Task { continuation.yield(await operation.response.error == nil ? false : nil) }
        }
        defer { withExtendedLifetime(registration) {} }
        SystemThread.run { [context] in
            continuation.yield(["y", "yes"].contains(context.askLine(question)?.lowercased()))
        }
        for await answer in answers { return answer }
        return nil
    }
}
