package import Foundation

/// `openssl s_server` on loopback, which sends what a test says as records of TLS, one for each time. It serves one connection after
/// the other.
package final class TLSRecordServer: Sendable {
    package let port: UInt16
    private let directory: TemporaryDirectory
    private let process: ChildProcess
    private let input: FileHandle

    package init(_ certificates: TestCertificates, _ options: [String] = []) throws {
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        directory = try TemporaryDirectory()
        let pipe = directory.file("input")
        guard mkfifo(pipe, 0o600) == 0 else { throw ServerError("no pipe: \(String(cString: strerror(errno)))") }
        var started: (UInt16, ChildProcess)?
        for isLast in [false, false, true] where started == nil {
            let port = try ListeningSocket.freePort()
            let log = directory.file("log")
            let command =
                [
                    openssl, "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", certificates.good.certificate,
                    "-key", certificates.good.key,
                ] + options
            // Opened for both directions, the pipe has no end.
            let process = try ChildProcess("/bin/sh", ["-c", #"exec "$@" <>"$0""#, pipe] + command, directory: directory, log: log)
            do {
                try Readiness.wait(for: [port], program: "openssl s_server", log: log)
                started = (port, process)
            } catch {
                process.stop()
                if isLast { throw error }
            }
        }
        guard let (port, process) = started, let input = FileHandle(forWritingAtPath: pipe) else {
            throw ServerError("openssl s_server did not start")
        }
        self.port = port
        self.process = process
        self.input = input
    }

    deinit {
        process.stop()
    }

    /// Ends the connections, too.
    package func stop() {
        process.stop()
    }

    /// Sends it to whoever is connected, or is the next to be.
    package func send(_ text: String) throws {
        try send(Data(text.utf8))
    }

    package func send(_ bytes: Data) throws {
        try input.write(contentsOf: bytes)
    }
}

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
        (port, process) = try Readiness.start("openssl s_server", log: log) { [directory] port in
            try ChildProcess(
                openssl,
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", certificates.good.certificate,
                    "-key", certificates.good.key, "-CAfile", certificates.authority, "-Verify", "1", "-verify_return_error",
                ] + options, directory: directory, log: log)
        }
    }

    deinit {
        process.stop()
    }
}
