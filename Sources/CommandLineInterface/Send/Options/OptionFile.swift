import Base
import NetworkLayer
import RequestCollections

/// A file of `-K`, as curl reads it: an option a line, with or without its dashes, and a value that blanks, `=` or `:` part from it.
///
///     # a comment
///     url = "http://127.0.0.1:8080/a b"
///     header: "X-One: 1"
///     -o out.txt
///     silent
struct OptionFile: Hashable {
    /// Words of a command line: an option, and its value if it has one.
    private(set) var lines: [[String]] = []

    init(_ text: String) {
        for line in text.lines {
            let line = line.unicodeScalars.drop(while: Self.isBlank)
            guard let first = line.first, !"#/*".unicodeScalars.contains(first) else { continue }
            let isDashed = first == "-"
            func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
                Self.isBlank(scalar) || !isDashed && (scalar == "=" || scalar == ":")
            }
            let option = line.prefix { !isSeparator($0) }
            let word = isDashed ? String(option) : "--\(Substring(option))"
            let value = Self.value(line[option.endIndex...].drop(while: isSeparator))
            // As in curl, `silent = yes` is `silent`.
            let takesNone = Self.option(word).map { $0.argument == nil } ?? word.hasPrefix("--no-")
            lines.append(takesNone ? [word] : [word] + [value].compactMap(\.self))
        }
    }

    private static func option(_ word: String) -> SendOption? {
        word.hasPrefix("--") ? SendOption.named(String(word.dropFirst(2))) : word.last.flatMap(SendOption.lettered)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// Up to a blank, or what stands in double quotes, where a backslash escapes.
    ///
    /// - Returns: `nil` when there is none.
    private static func value(_ text: Substring.UnicodeScalarView) -> String? {
        guard let first = text.first else { return nil }
        guard first == "\"" else { return String(text.prefix { !isBlank($0) }) }
        var value = String.UnicodeScalarView()
        var rest = text.dropFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            guard scalar == "\\", let escaped = rest.popFirst() else {
                value.append(scalar)
                continue
            }
            value.append(["n": "\n", "r": "\r", "t": "\t", "v": "\u{B}"][escaped] ?? escaped)
        }
        return String(value)
    }
}

/// The variables of `--variable`, and what `--expand-OPTION` makes of a text that names them: curl's, since version 8.3.
struct OptionVariables {
    private let environment: [String: String]
    private var values: [String: Data] = [:]

    init(environment: [String: String]) {
        self.environment = environment
    }

    /// `NAME=TEXT`, `NAME@FILE`, `%NAME`, `%NAME=DEFAULT`, `%NAME@FILE`.
    mutating func define(_ text: String, reading files: InputFiles) throws {
        var rest = Substring(text)
        let isImported = rest.first == "%"
        if isImported { rest.removeFirst() }
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard (1...128).contains(name.utf8.count) else {
            throw CommandFailure(.usage, "--variable \(text): a name has letters, digits and _, at most 128 of them.")
        }
        rest = rest[name.endIndex...]
        if isImported {
            if let value = environment[String(name)] {
                values[String(name)] = Data(value.utf8)
                return
            }
            guard !rest.isEmpty else {
                throw CommandFailure(.usage, "--variable \(text): \(name) isn't in the environment. %\(name)=TEXT is for then.")
            }
        }
        switch rest.first {
        case "=": values[String(name)] = Data(rest.dropFirst().utf8)
        case "@": values[String(name)] = try files.contents(String(rest.dropFirst()))
        default:
            throw CommandFailure(.usage, "--variable \(text) says no value. It takes NAME=TEXT, NAME@FILE or %NAME.")
        }
    }

    /// With the values in place of `{{name}}`, and of `{{name:function:function}}`. `\{{` is `{{`. What has none is empty.
    func expanding(_ text: String, of option: String) throws -> String {
        var result = Data()
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{") {
            if rest[..<open.lowerBound].last == "\\" {
                result += rest[..<open.lowerBound].dropLast().utf8
                result += "{{".utf8
                rest = rest[open.upperBound...]
                continue
            }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else { break }
            result += rest[..<open.lowerBound].utf8
            result += try value(rest[open.upperBound..<close.lowerBound], of: option)
            rest = rest[close.upperBound...]
        }
        result += rest.utf8
        guard !result.contains(0), let expanded = String(validating: result, as: UTF8.self) else {
            throw CommandFailure(
                .usage, "\(option) \(text): a value has bytes that no text has. {{name:b64}} or {{name:url}} writes them.")
        }
        return expanded
    }

    private func value(_ reference: Substring, of option: String) throws -> Data {
        let words = reference.split(separator: ":", omittingEmptySubsequences: false)
        var value = values[String(words[0])] ?? Data()
        for function in words.dropFirst() {
            switch function {
            case "trim": value = Self.trimmed(value)
            case "json":
                let quoted = (try? JSONEncoder().encode(String(decoding: value, as: UTF8.self))) ?? Data("\"\"".utf8)
                value = quoted.dropFirst().dropLast()
                value = Data(String(decoding: value, as: UTF8.self).replacing(scalars: "\\/", with: "/").utf8)
            case "url": value = Data(URLCoding.percentEncoded(Array(value)).utf8)
            case "b64": value = Data(value.base64EncodedString().utf8)
            case "64dec": value = Data(base64Encoded: String(decoding: value, as: UTF8.self)) ?? Data("[64dec-fail]".utf8)
            default:
                throw CommandFailure(
                    .usage, "\(option): {{\(reference)}} has no function \(function). It takes trim, json, url, b64 and 64dec.")
            }
        }
        return value
    }

    private static func trimmed(_ data: Data) -> Data {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        return Data(Data(data.drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }
}
