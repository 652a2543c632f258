import Base
import NetworkLayer
import RequestCollections

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
            throw CommandFailure(
                status: .usage, message: "--variable \(text): a name has letters, digits and _, at most 128 of them.")
        }
        rest = rest[name.endIndex...]
        if isImported {
            if let value = environment[String(name)] {
                values[String(name)] = Data(value.utf8)
                return
            }
            guard !rest.isEmpty else {
                throw CommandFailure(
                    status: .usage, message: "--variable \(text): \(name) isn't in the environment. %\(name)=TEXT is for then.")
            }
        }
        switch rest.first {
        case "=": values[String(name)] = Data(rest.dropFirst().utf8)
        case "@": values[String(name)] = try files.contents(String(rest.dropFirst()))
        default:
            throw CommandFailure(
                status: .usage, message: "--variable \(text) says no value. It takes NAME=TEXT, NAME@FILE or %NAME.")
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
                status: .usage,
                message: "\(option) \(text): a value has bytes that no text has. {{name:b64}} or {{name:url}} writes them.")
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
                    status: .usage,
                    message: "\(option): {{\(reference)}} has no function \(function). It takes trim, json, url, b64 and 64dec.")
            }
        }
        return value
    }

    private static func trimmed(_ data: Data) -> Data {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        return Data(Data(data.drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }
}
