import Foundation

/// A real HTTP/2 server, `nghttpd`, on loopback, that serves `/hello.txt`, and `/large` of 8 MiB.
package final class NghttpdServer: LocalServer, Sendable {
    package static let text = "hello over HTTP/2\n"

    package let port: UInt16
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// - Parameter certificate: `nil` for HTTP/2 in the clear, which a client must know of before.
    package init(certificate: TestCertificates.Pair? = nil) throws {
        let program = try ChildProcess.find("nghttpd", package: "nghttp2-server")
        directory = try TemporaryDirectory()
        try directory.write("hello.txt", Self.text)
        try directory.write("large", Data(count: 8 << 20))
        let log = directory.file("nghttpd.log")
        let arguments = ["-a", "127.0.0.1", "-d", directory.path, "--verbose"]
        (port, process) = try Readiness.start("nghttpd", log: log) { [directory] port in
            let rest = certificate.map { [String(port), $0.key, $0.certificate] } ?? ["--no-tls", String(port)]
            return try ChildProcess(program, arguments + rest, directory: directory, log: log)
        }
    }

    /// The frames that went to and fro, so far.
    package var frames: String { (try? String(contentsOfFile: directory.file("nghttpd.log"), encoding: .utf8)) ?? "" }

    deinit {
        process.stop()
    }
}

/// Waits until a server takes connections.
enum Readiness {
    /// Starts a server on a free port, which another program may take in the meantime: then on another one.
    static func start(
        _ program: String, log: String, _ launch: (UInt16) throws -> ChildProcess
    ) throws -> (port: UInt16, process: ChildProcess) {
        var tries = 0
        while true {
            let port = try ListeningSocket.freePort()
            let process = try launch(port)
            do {
                try wait(for: [port], program: program, log: log)
                return (port, process)
            } catch {
                process.stop()
                tries += 1
                if tries == 3 { throw error }
            }
        }
    }

    static func wait(for ports: [UInt16], program: String, log: String) throws {
        let limit = Date(timeIntervalSinceNow: 10)
        for port in ports {
            while !ListeningSocket.answers(port: port) {
                guard Date() < limit else {
                    let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                    throw ServerError("\(program) does not answer on port \(port). It said: \(said)")
                }
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
    }
}
