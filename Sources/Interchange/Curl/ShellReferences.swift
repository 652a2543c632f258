import FoundationEssentials
import NetworkLayer
import RequestCollections
import Synchronization

/// What a shell gets by itself when a command runs: `$SHOP_TOKEN` in place of the token.
///
/// A request is resolved with a marker for each of them, which goes through every encoding that keeps letters and digits, and is found
/// again in the finished command.
final class ShellReferences: Sendable {
    private let texts = Mutex<[String]>([])

    /// The same for the same reference.
    func marker(_ reference: String) -> String {
        texts.withLock { texts in
            let index = texts.firstIndex(of: reference) ?? texts.count
            if index == texts.count { texts.append(reference) }
            return "turnstoneReference\(index)End"
        }
    }

    func marker(_ placeholder: TemplatePlaceholder) -> String {
        switch placeholder {
        case .environmentVariable(let name): marker(Self.variable(name))
        case .requirement(.secret(.environment(let name))): marker(Self.variable(name))
        case .requirement(.secret(.command(let words))): marker(Self.output(words))
        case .requirement(.secret(.file(let path))): marker("$(cat \(CurlCommand.quoted(path)))")
        case .requirement(.secret(.prompt(let message))): marker(Self.variable(Self.name(message)))
        case .requirement(.command(let command)): marker(Self.output(command.words))
        case .requirement(.prompt(let prompt)): marker(Self.variable(Self.name(prompt.message)))
        case .requirement(.select(let select)): marker(Self.variable(Self.name(select.message)))
        case .requirement(.response(let response)):
            marker(Self.variable(Self.name("\(response.request) \(response.filter.source)")))
        }
    }

    /// Whether something stands for a reference in it.
    func occur(in text: String) -> Bool { all.contains { text.contains($0.marker) } }

    var markers: Set<String> { Set(all.map(\.marker)) }

    /// With the references in place of their markers. Inside single quotes, these end before it and begin anew after it.
    func filled(_ command: String) -> String {
        let all = all
        var result = ""
        var isQuoted = false
        var isJustOpened = false
        var rest = Substring(command)
        while let first = rest.first {
            if let (marker, reference) = all.first(where: { rest.hasPrefix($0.marker) }) {
                rest = rest.dropFirst(marker.count)
                if isQuoted {
                    // Without a pair of quotes around nothing.
                    if isJustOpened { result.removeLast() } else { result += "'" }
                    isQuoted = rest.first != "'"
                    result += "\"\(reference)\"" + (isQuoted ? "'" : "")
                    if !isQuoted { rest = rest.dropFirst() }
                } else {
                    result += "\"\(reference)\""
                }
                isJustOpened = isQuoted
                continue
            }
            if !isQuoted, first == "\\" {
                result += rest.prefix(2)
                rest = rest.dropFirst(2)
                continue
            }
            if first == "'" { isQuoted.toggle() }
            isJustOpened = first == "'" && isQuoted
            result.append(first)
            rest = rest.dropFirst()
        }
        return result
    }

    private var all: [(marker: String, reference: String)] {
        texts.withLock { $0.enumerated().map { ("turnstoneReference\($0.offset)End", $0.element) } }
    }

    private static func variable(_ name: String) -> String { "$\(name)" }

    private static func output(_ words: [String]) -> String { "$(\(words.map(CurlCommand.quoted).joined(separator: " ")))" }

    /// `Your code?` is `YOUR_CODE`.
    static func name(_ text: String) -> String {
        let words = text.uppercased().unicodeScalars.split {
            !($0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)))
        }
        let name = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "_")
        return name.first?.isNumber ?? true ? "VALUE_\(name)" : name
    }
}
