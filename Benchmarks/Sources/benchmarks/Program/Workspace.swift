import Foundation
import Glibc

/// A temporary directory with the collections that are measured.
struct Workspace {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "turnstone-workspace-\(getpid())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: directory)
    }

    func makeFloodCollection(port: UInt16) throws -> String {
        let path = directory.appending(path: "flood.yaml")
        try """
        turnstone: 1
        name: Benchmark
        defaults:
          timeouts: { idle: never, attempt: never, operation: never }
        requests:
          flood: { name: Flood, get: "http://127.0.0.1:\(port)/" }

        """.write(to: path, atomically: true, encoding: .utf8)
        return path.path
    }

    /// One file with as many requests of the same URL.
    func makeFlatCollection(url: String, count: Int) throws -> String {
        let path = directory.appending(path: "flat.yaml")
        let requests = (0..<count).map { "  r\($0): { get: \"\(url)?\($0)\" }\n" }.joined()
        try "turnstone: 1\nname: Flat\nrequests:\n\(requests)".write(to: path, atomically: true, encoding: .utf8)
        return path.path
    }

    /// The same URLs for `curl --config`.
    func makeCurlList(url: String, count: Int) throws -> String {
        let path = directory.appending(path: "curl.list")
        try (0..<count).map { "url = \"\(url)?\($0)\"\noutput = /dev/null\n" }.joined().write(
            to: path, atomically: true, encoding: .utf8)
        return path.path
    }

    /// 100 folders of 100 requests, one file each.
    func makeLargeCollection() throws -> String {
        let root = directory.appending(path: "large")
        for folder in 100..<200 {
            let inner = root.appending(path: "folder-\(folder)")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            for request in 100..<200 {
                try """
                name: Request \(folder) \(request)
                description: One of many.
                post: "{{host}}/items/\(request)"
                headers:
                  accept: application/json
                  x-number: "\(request)"
                query: { page: 1, size: 20 }
                body:
                  json: { name: item, number: \(request) }

                """.write(to: inner.appending(path: "request-\(request).yaml"), atomically: false, encoding: .utf8)
            }
        }
        try "turnstone: 1\nname: Ten thousand\nvariables: { host: \"http://127.0.0.1:1\" }\n"
            .write(to: root.appending(path: "_collection.yaml"), atomically: true, encoding: .utf8)
        return root.path
    }
}
