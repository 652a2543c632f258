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
        var last: (any Error)?
        for _ in 1...3 {
            let port = try ListeningSocket.freePort()
            var arguments = ["-a", "127.0.0.1", "-d", directory.path, "--verbose"]
            if let certificate {
                arguments += [String(port), certificate.key, certificate.certificate]
            } else {
                arguments += ["--no-tls", String(port)]
            }
            let process = try ChildProcess(program, arguments, directory: directory, log: log)
            do {
                try Readiness.wait(for: [port], program: "nghttpd", log: log)
                self.port = port
                self.process = process
                return
            } catch {
                process.stop()
                last = error
            }
        }
        throw last ?? ServerError("nghttpd did not start")
    }

    /// The frames that went to and fro, so far.
    package var frames: String { (try? String(contentsOfFile: directory.file("nghttpd.log"), encoding: .utf8)) ?? "" }

    deinit {
        process.stop()
    }
}

/// Waits until a server takes connections.
enum Readiness {
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
