import Foundation
import ServerTesting
import Synchronization

/// The server of `Server/`, as a program of its own: a crash of ours doesn't take it along.
final class TortureServer: Sendable {
    let ports: Ports
    /// Trusts its certificate.
    let authority: String
    private let certificates: TestCertificates
    private let isVerbose: Bool
    private let process: Process
    private let input: FileHandle
    private let output: Mutex<LineReader>

    struct Ports: Decodable {
        var http1: Int
        var http2: Int
        var tls: Int
    }

    /// What came of the requests since the last page.
    struct Page: Decodable {
        var answers: [Answer]
        var brokenRules: [String]

        /// By the number of their request, in the order in which they came.
        var byID: [Int: [Answer]] { Dictionary(grouping: answers, by: \.id) }
    }

    /// One request that the server has seen, and how it was answered.
    struct Answer: Decodable, CustomStringConvertible {
        var id: Int
        var hop: Int
        var method: String
        var connection: Int
        /// Valid, and nothing else on its connection was wrong.
        var whole: Bool
        /// Of the body, decoded.
        var length: Int
        var redirect: Bool
        /// What is in it may belong to anybody.
        var scrambled: Bool
        var refused: Bool
        /// The names of what was done.
        var story: String

        var description: String { "\(method) \(id) hop \(hop) on connection \(connection): \(story)\(whole ? ", whole" : "")" }
    }

    /// - Parameters:
    ///   - without: `leftovers`, for answers behind which no bytes follow that belong to nobody.
    ///   - isVerbose: says all that came of the requests.
    init(seed: UInt64, without: [String] = [], isVerbose: Bool) throws {
        self.isVerbose = isVerbose
        certificates = try TestCertificates.shared()
        authority = certificates.authority
        // Debian's own, which has Debian's libraries.
        let python =
            access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : try ChildProcess.find("python3", package: "python3")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Server")
        process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-B", folder.path, String(seed), certificates.good.certificate, certificates.good.key] + without
        process.environment = ["PATH": "/usr/bin:/bin"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        var reader = LineReader(handle: output.fileHandleForReading)
        guard let line = reader.next() else {
            throw ServerError("the server of the torture didn't start: it needs python3-hpack; see make deps")
        }
        ports = try JSONDecoder().decode(Ports.self, from: line)
        self.output = Mutex(reader)
    }

    deinit {
        try? input.close()
        process.waitUntilExit()
    }

    func turnPage() throws -> Page {
        try input.write(contentsOf: Data("\n".utf8))
        guard let line = output.withLock({ $0.next() }) else { throw ServerError("the server of the torture has ended") }
        let page = try JSONDecoder().decode(Page.self, from: line)
        if isVerbose {
            for answer in page.answers { say("    \(answer)") }
        }
        return page
    }

    func url(_ id: Int, over protocol: TortureProtocol) -> String {
        switch `protocol` {
        case .http1: "http://127.0.0.1:\(ports.http1)/\(id)"
        case .http2: "http://127.0.0.1:\(ports.http2)/\(id)"
        case .tls, .tlsHTTP1: "https://127.0.0.1:\(ports.tls)/\(id)"
        }
    }
}

/// How a request travels.
enum TortureProtocol: CaseIterable {
    case http1, http2, tls, tlsHTTP1
}

/// A pipe, by lines.
struct LineReader {
    var handle: FileHandle
    private var data = Data()

    init(handle: FileHandle) { self.handle = handle }

    /// Without its end; `nil` when the pipe has ended.
    mutating func next() -> Data? {
        while true {
            if let end = data.firstIndex(of: 0x0A) {
                defer { data = Data(data[(end + 1)...]) }
                return Data(data[..<end])
            }
            let piece = handle.availableData
            guard !piece.isEmpty else { return nil }
            data += piece
        }
    }
}
