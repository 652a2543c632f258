import Foundation
import Glibc

/// A real server on loopback with three files: an empty one, 1 KiB and 100 MB.
final class Nginx {
    static let smallSize = 1 << 10
    static let largeSize = 100_000_000

    let port: UInt16
    private let process = Process()
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "turnstone-benchmarks-\(getpid())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(repeating: UInt8(ascii: "x"), count: Self.smallSize).write(to: directory.appending(path: "small"))
        try Data(repeating: UInt8(ascii: "x"), count: Self.largeSize).write(to: directory.appending(path: "large"))
        port = try freePort()
        // A worker that isn't root can't read a private temporary directory.
        let user = getuid() == 0 ? "user root;" : ""
        try """
        \(user)
        worker_processes 1;
        daemon off;
        pid \(directory.path)/pid;
        error_log \(directory.path)/errors;
        events { worker_connections 1024; }
        http {
            types { application/json json; }
            access_log off;
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000000;
            client_body_temp_path \(directory.path)/body;
            proxy_temp_path \(directory.path)/proxy;
            fastcgi_temp_path \(directory.path)/fastcgi;
            uwsgi_temp_path \(directory.path)/uwsgi;
            scgi_temp_path \(directory.path)/scgi;
            open_file_cache max=10;
            server {
                listen 127.0.0.1:\(port) backlog=1024;
                root \(directory.path);
            }
        }
        """.write(to: directory.appending(path: "conf"), atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.environment = ProcessInfo.processInfo.environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { old, new in
            old + ":" + new
        }
        process.arguments = ["nginx", "-p", directory.path, "-e", "\(directory.path)/errors", "-c", "\(directory.path)/conf"]
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            try waitUntilListening()
        } catch {
            stop()
            throw error
        }
    }

    var smallURL: String { url("small") }

    func url(_ file: String) -> String { "http://127.0.0.1:\(port)/\(file)" }

    /// Puts another file beside the three.
    func add(_ file: String, _ fill: ((String) throws -> Void) throws -> Void) throws {
        let path = directory.appending(path: file).path
        guard let stream = fopen(path, "w") else { throw BenchmarkError("\(path): \(String(cString: strerror(errno)))") }
        defer { fclose(stream) }
        try fill { fputs($0, stream) }
    }

    var largeURL: String { "http://127.0.0.1:\(port)/large" }

    func stop() {
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: directory)
    }

    private func waitUntilListening() throws {
        for _ in 0..<500 {
            if isListening(port) { return }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        let errors = try? String(contentsOf: directory.appending(path: "errors"), encoding: .utf8)
        throw BenchmarkError("nginx doesn't start; install it with `make deps`. \(errors ?? "")")
    }
}
