import Foundation

/// A real nginx over TLS with HTTP/2 that ends each connection after so many requests, with a GOAWAY, and answers every request
/// before it has read its body. It counts what it gets.
package final class EndingConnectionsServer: Sendable {
    package let url: String
    package let certificates: TestCertificates
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    package init(requestsPerConnection: Int) throws {
        let program = try ChildProcess.find("nginx", package: "nginx-light")
        certificates = try .shared()
        directory = try TemporaryDirectory()
        (url, process) = try Self.start(program, directory, certificates.good, requestsPerConnection)
    }

    deinit {
        process.stop()
    }

    /// How often each path was asked for.
    package func counts() throws -> [String: Int] {
        let log = try String(contentsOfFile: directory.file("access.log"), encoding: .utf8)
        return log.split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    /// Another program may take a port between our choice and nginx's; then we choose again.
    private static func start(
        _ program: String, _ directory: TemporaryDirectory, _ pair: TestCertificates.Pair, _ requests: Int
    ) throws -> (String, ChildProcess) {
        for isLast in [false, false, true] {
            let port = try ListeningSocket.freePort()
            let configuration = try directory.write("nginx.conf", configuration(port, directory, pair, requests))
            let log = directory.file("nginx.log")
            let process = try ChildProcess(program, ["-p", directory.path, "-c", configuration], directory: directory, log: log)
            do {
                try Readiness.wait(for: [port], program: "nginx", log: log)
                return ("https://127.0.0.1:\(port)", process)
            } catch {
                process.stop()
                if isLast { throw error }
            }
        }
        throw ServerError("nginx did not start")
    }

    private static func configuration(
        _ port: UInt16, _ directory: TemporaryDirectory, _ pair: TestCertificates.Pair, _ requests: Int
    ) -> String {
        """
        daemon off;
        master_process off;
        worker_processes 1;
        error_log stderr;
        pid \(directory.path)/nginx.pid;
        events { worker_connections 1024; }
        http {
            # Nothing but a request or its answer ends a silence.
            client_header_timeout 1h;
            client_body_timeout 1h;
            send_timeout 1h;
            log_format path '$request_uri';
            access_log \(directory.path)/access.log path;
            client_body_temp_path \(directory.path)/body;
            proxy_temp_path \(directory.path)/proxy;
            fastcgi_temp_path \(directory.path)/fastcgi;
            uwsgi_temp_path \(directory.path)/uwsgi;
            scgi_temp_path \(directory.path)/scgi;
            keepalive_timeout 1h;
            keepalive_requests \(requests);
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(pair.certificate);
                ssl_certificate_key \(pair.key);
                location / { return 200 "$request_method $request_uri"; }
            }
        }
        """
    }
}
