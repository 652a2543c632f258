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
        let path = directory.appending(path: "flat-\(count).yaml")
        let requests = (0..<count).map { "  r\($0): { get: \"\(url)?\($0)\" }\n" }.joined()
        try "turnstone: 1\nname: Flat\nrequests:\n\(requests)".write(to: path, atomically: true, encoding: .utf8)
        return path.path
    }

    /// The same URLs for `curl --config`.
    func makeCurlList(url: String, count: Int) throws -> String {
        let path = directory.appending(path: "curl-\(count).list")
        try (0..<count).map { "url = \"\(url)?\($0)\"\noutput = /dev/null\n" }.joined().write(
            to: path, atomically: true, encoding: .utf8)
        return path.path
    }

    /// A list of 113 MB in JSON, whose items have 16 lines each, and a collection with the request for it.
    func makeFoldCollection(_ nginx: Nginx) throws -> String {
        try nginx.add("fold.json") { write in
            try write("[")
            for item in 0..<660_000 {
                try write(
                    (item == 0 ? "" : ",") + "{\"id\":\(item),\"name\":\"item \(item)\",\"tags\":[\"a\",\"b\",\"c\"],"
                        + "\"owner\":{\"name\":\"someone\",\"mail\":\"x@example.com\","
                        + "\"address\":{\"street\":\"Longer Street\",\"number\":\(100 + item % 100)}}}")
            }
            try write("]")
        }
        let path = directory.appending(path: "fold.yaml")
        try "turnstone: 1\nname: Folding\nrequests:\n  fold: { name: Fold, get: \"\(nginx.url("fold.json"))\" }\n"
            .write(to: path, atomically: true, encoding: .utf8)
        return path.path
    }

    /// Folders of 100 requests, one file each.
    func makeLargeCollection(folders: Int = 100) throws -> String {
        let root = directory.appending(path: "large-\(folders)")
        for folder in 100..<100 + folders {
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
        try "turnstone: 1\nname: Many thousands\nvariables: { host: \"http://127.0.0.1:1\" }\n"
            .write(to: root.appending(path: "_collection.yaml"), atomically: true, encoding: .utf8)
        return root.path
    }
}
