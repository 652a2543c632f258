import Foundation

/// `openssl s_server` on loopback: a TLS server that ends every connection whose client shows no certificate of the test authority.
///
/// Its answer is a page with status 200.
package final class DemandingServer: Sendable {
    package let port: UInt16
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// - Parameter options: more of `s_server`'s, such as `-tls1_2`.
    package init(_ certificates: TestCertificates, _ options: [String] = []) throws {
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        directory = try TemporaryDirectory()
        let log = directory.file("log")
        var last: (any Error)?
        for _ in 1...3 {
            let port = try ListeningSocket.freePort()
            let process = try ChildProcess(
                openssl,
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", certificates.good.certificate,
                    "-key", certificates.good.key, "-CAfile", certificates.authority, "-Verify", "1", "-verify_return_error",
                ] + options, directory: directory, log: log)
            do {
                try Readiness.wait(for: [port], program: "openssl s_server", log: log)
                self.port = port
                self.process = process
                return
            } catch {
                process.stop()
                last = error
            }
        }
        throw last ?? ServerError("openssl s_server did not start")
    }

    deinit {
        process.stop()
    }
}
