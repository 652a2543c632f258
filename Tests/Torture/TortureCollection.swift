import Foundation
import NetworkLayerTesting
import ServerTesting

/// A collection of requests to the server, as a directory, whose files are its own: nobody has to be asked whether it may read them.
struct TortureCollection {
    var folder: TemporaryDirectory
    var path: String
    /// The numbers of its requests, in the file's order, with their methods.
    var requests: [(id: Int, method: String)]

    init(ids: Range<Int>, server: TortureServer, random: inout SeededGenerator) throws {
        folder = try TemporaryDirectory()
        path = folder.file("torture")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try folder.write("torture/ca.pem", try String(contentsOfFile: server.authority, encoding: .utf8))
        try folder.write(
            "torture/_collection.yaml",
            "turnstone: 1\nname: Torture\ndefaults: { tls: { ca: ca.pem }, redirects: { max: 8 } }\n")
        requests = []
        for id in ids {
            let way = TortureProtocol.allCases.randomElement(using: &random)!
            let method = ["get", "get", "get", "head", "post", "put", "delete"].randomElement(using: &random)!
            var parts = ["\(method): \"\(server.url(id, over: way))\"", "http: \"\(Self.version(way))\"", "retry: none"]
            if method == "post" || method == "put" {
                parts.append("body: { text: \"\(String(repeating: "b", count: Int.random(in: 0...4000, using: &random)))\" }")
            }
            parts.append("compression: \(Bool.random(using: &random))")
            parts.append("response: { keep: \(["memory", "file"].randomElement(using: &random)!) }")
            parts.append(
                id % 10 == 0
                    ? "timeouts: { idle: 300ms, attempt: 2s, operation: 5s }"
                    : "timeouts: { connect: 60s, idle: 60s, attempt: 100s, operation: 150s }")
            parts.append("capture: { id\(id): { from: \"header:x-id\", default: none } }")
            try folder.write("torture/r\(id).yaml", "{ \(parts.joined(separator: ", ")) }\n")
            requests.append((id, method.uppercased()))
        }
    }

    private static func version(_ way: TortureProtocol) -> String {
        switch way {
        case .http1, .tlsHTTP1: "1.1"
        case .http2: "2-prior-knowledge"
        case .tls: "auto"
        }
    }
}
