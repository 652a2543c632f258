import ArgumentParser
import DemoServer

/// `turnstone demo-server`.
struct DemoServerCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-server",
        abstract: "Run the demo server on loopback until it is interrupted.",
        discussion: """
            It answers on 127.0.0.1 only. Its page at / lists everything it can do: echo, statuses, redirects, delays,
            large bodies, authentication, cookies, failures of many kinds. The next port is another origin with the same pages, and the
            six behind it have them by TLS: with a certificate that has expired, a good one, a self-signed one, one of another host, with
            TLS 1.2 at most, and for clients that have a certificate.

            Example:
              turnstone demo-server --port 8080
            """)

    @Option(help: "The port to listen on; 0 for any that is free.")
    var port: UInt16 = 8080

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let server: DemoServer
        do {
            server = try await DemoServer(port: port)
        } catch {
            throw CommandFailure(
                status: .connection, message: "\(error)")
        }
        let (interrupts, interrupted) = AsyncStream<Void>.makeStream()
        let registration = context.onInterrupt { interrupted.finish() }
        try context.standardOutput.print(server.baseURL)
        for await _ in interrupts {}
        withExtendedLifetime(registration) {}
        await server.stop()
        return .success
    }
}
