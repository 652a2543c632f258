import Base
import NetworkLayer
import Presentation

/// A word behind the URL that says a part of the request, in HTTPie's notation (https://httpie.io/docs/cli/request-items).
///
/// | written | is |
/// |---|---|
/// | `sku=A7` | a member of a JSON body, a text |
/// | `qty:=2` | the same, any JSON |
/// | `q==x` | a parameter of the URL |
/// | `X-Trace:1` | a header field; `X-Trace:` leaves a default out, `X-Trace;` sends it empty |
/// | `photo@cat.png` | a file; the body is then a form of parts |
///
/// `=@`, `:=@`, `==@` and `:@` take what follows from a file. A backslash takes its meaning from a sign.
struct RequestItem: Hashable, Sendable {
    var kind: Kind
    /// The name, which keeps the backslashes that don't escape a separator.
    var name: String
    var value: String

    enum Kind: Hashable, Sendable {
        case header, emptyHeader, parameter, text, json, file
    }

    /// The signs, a longer one before those that it begins with.
    private static let signs: [(text: String, kind: Kind, readsFile: Bool)] = [
        (":=@", .json, true), ("==@", .parameter, true), (":=", .json, false), (":@", .header, true), ("==", .parameter, false),
        ("=@", .text, true), ("=", .text, false), (":", .header, false), ("@", .file, false), (";", .emptyHeader, false),
    ]

    /// - Returns: `nil` for what can only be another URL.
    /// - Throws: for what may be either, and for a file that can't be read.
    init?(_ word: String, reading files: InputFiles) throws {
        guard !URLPieces.hasScheme(word) else { return nil }
        let scalars = word.unicodeScalars
        var name = String.UnicodeScalarView()
        var index = scalars.startIndex
        var found: (text: String, kind: Kind, readsFile: Bool)?
        while index < scalars.endIndex, found == nil {
            let next = scalars.index(after: index)
            if scalars[index] == "\\", next < scalars.endIndex {
                // The backslash takes the meaning of a sign; the others mean something in the path of a member.
                if ![":", "=", "@", ";"].contains(scalars[next]) { name.append("\\") }
                name.append(scalars[next])
                index = scalars.index(after: next)
                continue
            }
            if ["/", "?", "#"].contains(scalars[index]) { return nil }
            found = Self.signs.first { scalars[index...].starts(with: $0.text.unicodeScalars) }
            // An empty field ends there.
            if found?.kind == .emptyHeader, next < scalars.endIndex { return nil }
            if found == nil {
                name.append(scalars[index])
                index = next
            }
        }
        guard let found, !name.isEmpty else { return nil }
        // An address of IPv6.
        if found.kind == .header, name.contains("["), !name.contains("]") { return nil }
        self.name = String(name)
        kind = found.kind
        value = String(scalars[scalars.index(index, offsetBy: found.text.unicodeScalars.count)...])
        if kind == .header, !found.readsFile {
            guard try !Self.isAddress(self.name, value) else { return nil }
        }
        if found.readsFile { value = try Self.text(ofFile: value, kind, reading: files) }
    }

    /// `example.com:8080`, which curl takes for a second URL.
    private static func isAddress(_ name: String, _ value: String) throws -> Bool {
        let isHost = name == "localhost" || name.contains(".")
        if value.wholeMatch(of: /[0-9]+(?:[\/?#].*)?/) != nil {
            if isHost || value.contains("/") { return true }
            // A field's name has a capital or a hyphen, as people write it.
            guard name.contains(where: { $0.isUppercase || $0 == "-" }) else { throw ambiguous(name) }
        } else if value.wholeMatch(of: /[^\s@]+@[A-Za-z0-9.\-]+(?::[0-9]+)?(?:[\/?#].*)?/) != nil,
            !name.contains(where: { $0.isUppercase || $0 == "-" })
        {
            // The password of an address would go to the server before it.
            throw ambiguous(name)
        }
        return false
    }

    private static func ambiguous(_ name: String) -> CommandFailure {
        CommandFailure(
            status: .usage,
            message: "\(SafeText.line(name)):… may be a second URL or a header field. Write http:// before it, or "
                + "-H '\(SafeText.line(name)): …'.")
    }

    private static func text(ofFile path: String, _ kind: Kind, reading files: InputFiles) throws -> String {
        let text = try files.text(path)
        // The line end of a file belongs to no field.
        guard kind == .header || kind == .parameter, let last = text.lastIndex(where: { !$0.isNewline }) else { return text }
        return String(text[...last])
    }
}
