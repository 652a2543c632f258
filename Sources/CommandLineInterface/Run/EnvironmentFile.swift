import ArgumentParser
import Base
import NetworkLayer
import RequestCollections

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
            throw CommandFailure(status: .file, message: "--env-file \(path) can't be read as text in UTF-8.")
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
                    status: .usage,
                    message: "\(path):\(number + 1): this isn't NAME=VALUE, with a name of \(EnvironmentVariableName.rule), "
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
