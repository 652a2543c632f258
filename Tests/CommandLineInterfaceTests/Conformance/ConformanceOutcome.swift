import CommandLineInterface
import Foundation
import ServerTesting

/// What one program made of a row, without what differs between two runs of one program: ports, directories, boundaries, nonces.
struct ConformanceOutcome: Equatable {
    var sent: [String]
    var out: String
    var files: [String: String]
    /// Each status that the program's own stands for.
    var status: Set<ExitStatus>

    /// The aspects in which two outcomes differ.
    func differences(from other: Self) -> Set<ConformanceTable.Aspect> {
        var differences: Set<ConformanceTable.Aspect> = []
        if sent != other.sent { differences.insert(.sent) }
        if out != other.out { differences.insert(.out) }
        if files != other.files { differences.insert(.files) }
        if status.isDisjoint(with: other.status) { differences.insert(.status) }
        return differences
    }

    func text(of aspect: ConformanceTable.Aspect) -> String {
        switch aspect {
        case .sent: sent.joined(separator: "\n---\n")
        case .out: out
        case .files: files.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        case .status: status.map { "\($0)" }.sorted().joined(separator: ", ")
        }
    }

    /// What curl's status means here; several where curl says less.
    static func meaning(ofCurl status: Int32) -> Set<ExitStatus> {
        switch status {
        case 0: [.success]
        case 22: [.expectationFailed]
        // A protocol that it doesn't speak, and HTTP 0.9.
        case 1: [.usage, .protocolBroken]
        case 2, 3: [.usage]
        case 5, 6, 7: [.connection]
        case 23, 26, 37: [.file]
        case 28: [.timeout]
        case 35, 58, 59, 60, 77, 82: [.tls]
        case 52, 55: [.connection]
        // A connection that breaks, and chunks that can't be read.
        case 56: [.connection, .protocolBroken]
        case 18: [.connection]
        case 8, 16, 33, 47, 61, 63, 65, 92: [.protocolBroken]
        default: []
        }
    }
}

/// A program with a server and a directory of its own.
struct ConformanceRun {
    let server: AnsweringServer
    let directory: TemporaryDirectory
    let words: [String]
    /// The files that the row names, as they were written.
    private let given: [String: Data]

    init(_ row: ConformanceTable.Row, of table: ConformanceTable) throws {
        let directory = try TemporaryDirectory()
        let server = try AnsweringServer { port in row.answers.map { Self.filled(table.answers[$0] ?? Data(), port) } }
        given = table.files.filter { name, _ in row.words.contains { $0.contains("DIR/\(name)") } }
            .mapValues { Self.filled($0, server.port) }
        for (name, content) in given {
            let path = try directory.write(name, content)
            // Both programs tell the server when their file was changed.
            try FileManager.default.setAttributes([.modificationDate: Self.changed], ofItemAtPath: path)
        }
        let url = "http://127.0.0.1:\(server.port)"
        let words = row.words.map {
            $0.replacing("URL", with: url).replacing("HOST", with: "127.0.0.1:\(server.port)")
                .replacing("DIR", with: directory.path).replacing("PORT", with: "\(server.port)")
        }
        self.server = server
        self.directory = directory
        self.words = Self.hasURL(row.words) ? words : words + [url + "/path/to?x=1"]
    }

    private static let changed = Date(timeIntervalSince1970: 1_700_000_000)

    private static func filled(_ data: Data, _ port: UInt16) -> Data {
        // What is long has none, and looking for it takes long.
        guard data.count < 10_000 else { return data }
        var data = data
        while let range = data.firstRange(of: Data("PORT".utf8)) { data.replaceSubrange(range, with: Data("\(port)".utf8)) }
        return data
    }

    /// What stands behind these is no URL to go to.
    private static let optionsWithURLs: Set = ["-e", "--referer", "-x", "--proxy", "-H", "-d"]

    private static func hasURL(_ words: [String]) -> Bool {
        words.indices.contains { index in
            words[index].contains("URL")
                || words[index].contains("://")
                    && !(index > 0 && optionsWithURLs.contains(words[index - 1]))
        }
    }

    func outcome(output: Data, status: Set<ExitStatus>) throws -> ConformanceOutcome {
        server.stop()
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            let path = directory.file(name)
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else { continue }
            let content = try Data(contentsOf: URL(filePath: path))
            guard content != given[name] else { continue }
            files[name] = Self.withoutNotes(plain(content))
        }
        return ConformanceOutcome(sent: server.requests.map(text), out: plain(output), files: files, status: status)
    }

    /// The comments and the order of a cookie jar say nothing.
    private static func withoutNotes(_ text: String) -> String {
        guard text.hasPrefix("# Netscape") else { return text }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly") }.sorted().joined(
            separator: "\n")
    }

    /// Bytes as text, one scalar each.
    private func plain(_ data: Data) -> String {
        String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) })).replacing("\(server.port)", with: "PORT")
            .replacing(directory.path, with: "DIR")
    }

    /// The order of fields says nothing, nor does the case of the digits of `%2f`, nor do blanks around a value.
    private func text(_ request: AnsweringServer.Request) -> String {
        var head = plain(request.head)
        var body = request.body.count < 10_000 ? plain(request.body) : "\(request.body.count) bytes"
        if let boundary = head.firstMatch(of: /boundary=([^\r\n;]+)/)?.1 {
            body = body.replacing(boundary, with: "BOUNDARY")
            head = head.replacing(boundary, with: "BOUNDARY").replacing(/Content-Length: [0-9]+\r\n/, with: "")
        }
        // Those of parts with parts.
        for boundary in body.matches(of: /boundary=([^\r\n;]+)/).map(\.1) where boundary != "BOUNDARY" {
            body = body.replacing(boundary, with: "INNER")
        }
        head = head.replacing(/%[0-9a-fA-F]{2}/) { String($0.0).uppercased() }
        var lines = head.components(separatedBy: "\r\n").filter { !$0.isEmpty && !$0.contains(/^User-Agent: (curl|turnstone)\//) }
        let first = lines.removeFirst()
        let fields = lines.map { line in
            let line = line.replacing(/[ \t]+$/, with: "").replacing(/^([^:]+):[ \t]*/) { "\($0.1): " }
            guard let digest = line.prefixMatch(of: /(Proxy-)?Authorization: Digest[ ]/) else { return line }
            let parts = line[digest.range.upperBound...].replacing(/(cnonce|response)="[^"]*"/) { String($0.1) }
            return digest.0 + parts.components(separatedBy: ", ").sorted().joined(separator: ", ")
        }
        return ([first] + fields.sorted() + ["", body]).joined(separator: "\n")
    }
}
