import ArgumentParser
import Base
import CollectionRunner
import NetworkLayer
import RequestCollections

/// `--shard I/N`.
struct Shard: Hashable, Sendable, ExpressibleByArgument {
    /// From 1.
    var number: Int
    var count: Int

    init?(argument: String) {
        let parts = argument.split(separator: "/").map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1, (1...count).contains(number) else {
            return nil
        }
        self.number = number
        self.count = count
    }

    init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// Whether the item at this place, from 0, is in it. Neighbours go to different shards, so that slow folders are spread.
    func includes(_ index: Int) -> Bool { index % count == number - 1 }
}

extension SendArguments.EventFormat: ExpressibleByArgument {}

/// `--filter-timeout DURATION`.
struct FilterTimeout: Hashable, Sendable, ExpressibleByArgument {
    var duration: Duration

    init(duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = DurationText.parse(argument), duration > .zero else { return nil }
        self.duration = duration
    }

    var defaultValueDescription: String { DurationText.format(duration) }
}

/// `--body-limit SIZE`.
struct BodyLimit: Hashable, Sendable, ExpressibleByArgument {
    var bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        guard let bytes = ByteCountText.parse(argument), bytes > 0 else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String { ByteCountText.format(bytes) }
}

/// `--report FORMAT=FILE`.
struct ReportRequest: Hashable, Sendable, ExpressibleByArgument {
    var format: ReportFormat
    var path: String
    /// Whether the report is appended to what is in the file.
    var appends = false

    /// What GitHub shows of a step below its job.
    init(stepSummary path: String) {
        format = .markdown
        self.path = path
        appends = true
    }

    /// The report goes where messages go.
    init(_ format: ReportFormat) {
        self.format = format
        path = "-"
    }

    /// Whether standard output is for it alone.
    var takesOutput: Bool { path == "-" && format != .github }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let format = ReportFormat(rawValue: parts[0]) else { return nil }
        self.format = format
        path = parts.count > 1 ? parts[1] : format == .github ? "-" : ""
        if path.isEmpty { return nil }
    }

    /// `nil`: it goes to standard output.
    func open() throws(OutputFailure) -> ReplacedFile? {
        // Only its owner may read the file, since a HAR contains bodies.
        path == "-" ? nil : try ReplacedFile(path: path, isPrivate: format == .har)
    }
}

/// `--data FILE`: rows, for each of which everything is sent once.
struct DataFile: Hashable, Sendable, ExpressibleByArgument {
    var path: String

    init(argument: String) { path = argument }

    /// - Throws: a ``CommandFailure``, with the line that is wrong; also for a file without rows.
    func rows(for collections: [RequestCollection]) throws -> [RunIteration] {
        let bytes = try FileInput(path: path).readToEnd()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.file, "\(path) isn't text in UTF-8. Save it as “CSV UTF-8”, or turn it into that with iconv.")
        }
        let data: DataRows
        do throws(DataRows.Problem) {
            data = try DataRows(text, DataRows.Format(path: path, text: text))
        } catch {
            throw CommandFailure(.usage, "\(path):\(error.line): \(error.message).")
        }
        guard !data.rows.isEmpty else { throw CommandFailure(.usage, "\(path) has no row, so there is nothing to send.") }
        return RunIteration.iterations(
            of: data, hiding: collections.reduce(into: Set()) { $0.formUnion($1.secretNames) })
    }

    /// Columns that nothing uses, when nothing uses any: then they are for another collection, or misspelled.
    func complaint(about rows: [RunIteration], in choice: CollectionChoice) -> [String] {
        let names = Set(rows.flatMap(\.variables.keys)).sorted()
        let complaints = choice.complaints(aboutVariables: names)
        return complaints.count == names.count ? complaints : []
    }
}

/// `--env-file FILE`: environment variables from a file of lines such as `API_KEY=s3cret`.
///
/// `export` may stand before a name, and a line that begins with `#` says nothing. In double quotes `\n`, `\t`, `\"` and `\\` are what they
/// are in a shell's `$'…'`; in single quotes everything is itself. Without quotes a value ends at ` #`, and blanks around it are left out.
struct EnvironmentFile: Hashable, Sendable, ExpressibleByArgument {
    var path: String

    init(argument: String) { path = argument }

    /// - Throws: a ``CommandFailure``, with the line that is none.
    func values() throws -> [String: String] {
        guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.file, "--env-file \(path) can't be read as text in UTF-8.")
        }
        return try Self.values(text, path: path)
    }

    static func values(_ text: String, path: String) throws -> [String: String] {
        var values: [String: String] = [:]
        // A byte order mark is no part of the first name.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        for (number, line) in text.lines.enumerated() {
            let line = trimmed(line.utf8)
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            guard let (name, value) = pair(line) else {
                throw CommandFailure(
                    .usage,
                    "\(path):\(number + 1): this isn't NAME=VALUE, with a name of \(EnvironmentVariableName.rule), "
                        + "and with both quotes or none.")
            }
            values[name] = value
        }
        return values
    }

    private typealias Bytes = Substring.UTF8View

    private static func pair(_ line: Bytes) -> (name: String, value: String)? {
        var line = line
        let export = "export ".utf8
        if line.starts(with: export) { line = trimmed(line.dropFirst(export.count)) }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(trimmed(line[..<equals])) ?? ""
        guard EnvironmentVariableName.isValid(name) else { return nil }
        return value(trimmed(line[line.index(after: equals)...])).map { (name, $0) }
    }

    private static func value(_ bytes: Bytes) -> String? {
        switch bytes.first {
        case UInt8(ascii: "'"):
            let inside = bytes.dropFirst()
            guard let end = inside.firstIndex(of: UInt8(ascii: "'")), isRest(inside[inside.index(after: end)...]) else {
                return nil
            }
            return String(inside[..<end])
        case UInt8(ascii: "\""): return quoted(bytes.dropFirst())
        default:
            var previous: UInt8?
            let end = bytes.indices.first { index in
                defer { previous = bytes[index] }
                return bytes[index] == UInt8(ascii: "#") && previous.map(isBlank) ?? true
            }
            return String(trimmed(bytes[..<(end ?? bytes.endIndex)]))
        }
    }

    private static func quoted(_ bytes: Bytes) -> String? {
        var value: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            if byte == UInt8(ascii: "\"") { return isRest(bytes[index...]) ? String(decoding: value, as: UTF8.self) : nil }
            guard byte == UInt8(ascii: "\\"), index < bytes.endIndex else {
                value.append(byte)
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: "n"): value.append(0x0A)
            case UInt8(ascii: "t"): value.append(0x09)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): value.append(bytes[index])
            default: value += [byte, bytes[index]]
            }
            index = bytes.index(after: index)
        }
        return nil
    }

    /// Whether nothing but a comment follows.
    private static func isRest(_ bytes: Bytes) -> Bool { trimmed(bytes).first.map { $0 == UInt8(ascii: "#") } ?? true }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map(bytes.index(after:)) ?? start
        return bytes[start..<end]
    }
}
