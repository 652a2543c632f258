package import Foundation
import Synchronization

/// A real nginx on loopback.
///
/// | path        | answer                                                              |
/// |-------------|---------------------------------------------------------------------|
/// | `/`         | `hello`, with the method in `X-Method`                              |
/// | `/small`    | 1 KiB                                                               |
/// | `/large`    | ``largeSize`` bytes, byte i is i % 251                              |
/// | `/text.txt` | ``textSize`` letters a, gzipped for who accepts it                  |
/// | `/slow`     | as `/large`, 200 KiB a second after the first 64 KiB                |
/// | `/upload`   | takes any body and says `hello`                                     |
package final class NginxServer: Sendable {
    package static let largeSize = 8 << 20
    package static let textSize = 1 << 20
    package static let large: Data = {
        let period = Data((0..<251).map { UInt8($0) })
        var data = Data(capacity: largeSize + period.count)
        while data.count < largeSize { data += period }
        return data.prefix(largeSize)
    }()

    /// Plain HTTP.
    package let port: UInt16
    /// TLS with HTTP/2 and HTTP/1.1, one for each certificate. ``good`` and ``selfSigned`` speak HTTP/3, too, where nginx has it.
    package let good, expired, wrongHost, selfSigned: UInt16
    /// TLS that asks for a client certificate.
    package let mutual: UInt16
    /// The path of a Unix socket.
    package let unixSocket: String
    package let certificates: TestCertificates
    package let directory: TemporaryDirectory
    private let process: ChildProcess

    package var url: String { "http://127.0.0.1:\(port)" }

    private struct Shared: ~Copyable {
        weak var value: NginxServer?
    }

    private static let current = Mutex(Shared())

    /// Debian's nginx does from 13 on.
    package static let speaksHTTP3: Bool = {
        guard let program = try? ChildProcess.find("nginx", package: "nginx-light") else { return false }
        return (try? ChildProcess.run("/bin/sh", ["-c", #""$0" -V 2>&1"#, program]).contains("http_v3_module")) ?? false
    }()

    /// One for all tests that run at the same time.
    package static func shared() throws -> NginxServer {
        try current.withLock { current in
            if let value = current.value { return value }
            let value = try NginxServer()
            current.value = value
            return value
        }
    }

    private init() throws {
        let program = try ChildProcess.find("nginx", package: "nginx-light")
        certificates = try .shared()
        let directory = try TemporaryDirectory()
        self.directory = directory
        unixSocket = directory.file("nginx.sock")
        try directory.write("small", String(repeating: "x", count: 1024))
        try directory.write("large", Self.large)
        try directory.write("text.txt", String(repeating: "a", count: Self.textSize))
        (ports, process) = try Self.start(program, directory, certificates)
        (port, good, expired, wrongHost, selfSigned, mutual) = (ports[0], ports[1], ports[2], ports[3], ports[4], ports[5])
    }

    private let ports: [UInt16]

    deinit {
        process.stop()
    }

    /// Another program may take a port between our choice and nginx's; then we choose again.
    private static func start(
        _ program: String, _ directory: TemporaryDirectory, _ certificates: TestCertificates
    ) throws -> ([UInt16], ChildProcess) {
        for isLast in [false, false, true] {
            let ports = try (0..<6).map { _ in try ListeningSocket.freePort() }
            let configuration = try directory.write("nginx.conf", try Self.configuration(ports, directory, certificates))
            let log = directory.file("nginx.log")
            let process = try ChildProcess(program, ["-p", directory.path, "-c", configuration], directory: directory, log: log)
            do {
                try Readiness.wait(for: ports, program: "nginx", log: log)
                return (ports, process)
            } catch {
                process.stop()
                if isLast { throw error }
            }
        }
        throw ServerError("nginx did not start")
    }

    private static func configuration(_ ports: [UInt16], _ directory: TemporaryDirectory, _ certificates: TestCertificates) throws
        -> String
    {
        let hasQUIC = speaksHTTP3
        func secure(_ port: UInt16, _ pair: TestCertificates.Pair, quic: Bool = false, _ more: String = "") -> String {
            """
            server {
                listen 127.0.0.1:\(port) ssl http2;
                \(quic && hasQUIC ? "listen 127.0.0.1:\(port) quic;" : "")
                ssl_certificate \(pair.certificate);
                ssl_certificate_key \(pair.key);
                ssl_protocols TLSv1.2 TLSv1.3;
                \(more)
                include locations;
            }

            """
        }
        let locations = """
            root \(directory.path);
            default_type application/octet-stream;
            location = / { add_header X-Method $request_method always; return 200 "hello"; }
            location = /upload { client_max_body_size 0; proxy_request_buffering on; proxy_pass http://unix:\(directory.path)/nginx.sock:/; }
            location ~ ^/behind/([0-9]+)$ { client_max_body_size 0; proxy_pass http://127.0.0.1:$1/; }
            location = /slow { limit_rate_after 64k; limit_rate 200k; alias \(directory.path)/large; }
            location = /text.txt { types { text/plain txt; } gzip on; gzip_http_version 1.0; gzip_types text/plain; }
            """
        try directory.write("locations", locations)
        return """
            daemon off;
            master_process off;
            worker_processes 1;
            error_log stderr;
            pid \(directory.path)/nginx.pid;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path \(directory.path)/body;
                proxy_temp_path \(directory.path)/proxy;
                fastcgi_temp_path \(directory.path)/fastcgi;
                uwsgi_temp_path \(directory.path)/uwsgi;
                scgi_temp_path \(directory.path)/scgi;
                sendfile on;
                tcp_nodelay on;
                keepalive_timeout 60s;
                keepalive_requests 1000000;
                server { listen 127.0.0.1:\(ports[0]); include locations; }
                server { listen unix:\(directory.path)/nginx.sock; client_max_body_size 0; include locations; }
                \(secure(ports[1], certificates.good, quic: true))
                \(secure(ports[2], certificates.expired))
                \(secure(ports[3], certificates.wrongHost))
                \(secure(ports[4], certificates.selfSigned, quic: true))
                \(secure(ports[5], certificates.good, "ssl_client_certificate \(certificates.authority); ssl_verify_client on;"))
            }
            """
    }
}
