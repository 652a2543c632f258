import ArgumentParser
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import Presentation

/// `turnstone send`: one request, like curl.
struct Send: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send one request, and print the body of its response.",
        discussion: """
            The body goes to standard output, everything else to standard error. On a terminal, control characters in the \
            body are shown instead of obeyed; into a pipe or a file it goes as it is.

            Examples:
              turnstone send http://127.0.0.1:8080/anything
              turnstone send -v -L http://127.0.0.1:8080/redirect/3
              turnstone send -d @order.json -H 'content-type: application/json' https://example.org/orders
              turnstone send --events jsonl http://127.0.0.1:8080/ | jq .event

            Exit status: 0 done; 1 with --fail and a status of 400 or more; 2 usage; 20 timeout; 21 DNS or connection; \
            22 TLS; 23 authentication; 25 a file; 26 the server broke the protocol; 130 cancelled.
            """)

    @OptionGroup var options: SendOptions

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let request = try options.request(reading: context.standardInput)
        var configuration = try options.configuration
        if options.events != nil, options.output == nil { configuration.consumption = .none }
        let queue = try RequestOperationQueue(
            identifier: "turnstone.send", client: NetworkClient(transport: context.transport, time: context.time))
        let operation = RequestOperation(request, configuration: configuration)
        let interrupts = context.onInterrupt { operation.cancel("Ctrl-C") }
        defer { withExtendedLifetime(interrupts) {} }
        queue.enqueue(operation)

        let telling = Task { try await tell(operation, to: context) }
        do {
            try await deliver(operation, to: context)
            try await telling.value
        } catch {
            operation.cancel("the output could not be written")
            telling.cancel()
            throw error
        }
        return try finish(await operation.response, in: context)
    }

    /// Everything but the body, while it happens.
    private func tell(_ operation: RequestOperation, to context: CommandLineContext) async throws {
        var transcript = SendTranscript()
        var json = EventJSON()
        let talk = Talk(context)
        for await event in operation.events {
            if options.events != nil { try context.standardOutput.print(json.line(event)) }
            if options.isVerbose { try talk.say(transcript.lines(for: event)) }
        }
    }

    private func deliver(_ operation: RequestOperation, to context: CommandLineContext) async throws {
        if options.events != nil, options.output == nil { return }
        var destination = BodyDestination(path: options.output, standardOutput: context.standardOutput)
        var isHeadPrinted = false
        func printHeads() throws {
            guard !isHeadPrinted, options.includesHead || options.head else { return }
            isHeadPrinted = true
            for head in operation.metrics.attempts.compactMap(\.head) {
                try context.standardOutput.write(head.raw)
            }
        }
        do {
            for try await chunk in operation.body {
                try printHeads()
                try destination.write(chunk)
            }
        } catch is NetworkError {
            // The response carries it, and `finish` says it once.
        }
        _ = await operation.response
        try printHeads()
        try destination.finish()
    }

    private func finish(_ response: Response, in context: CommandLineContext) throws -> ExitStatus {
        if options.timing {
            let talk = Talk(context)
            let waterfall = Waterfall(response.metrics, now: context.time.now)
            try talk.say(waterfall.lines(width: context.standardError.columns ?? 100))
        }
        if let error = response.error {
            if !options.isSilent { try context.standardError.print("turnstone: \(error.message)") }
            return ExitStatus(error)
        }
        if options.fails, let status = response.info?.head.status, status.code >= 400 {
            if !options.isSilent { try context.standardError.print("turnstone: the server answered \(StatusText.text(status))") }
            return .expectationFailed
        }
        return .success
    }
}
