import Base
import NetworkLayer
import Presentation
import RequestCollections

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
            .usage,
            "\(SafeText.line(name)):… may be a second URL or a header field. Write http:// before it, or "
                + "-H '\(SafeText.line(name)): …'.")
    }

    private static func text(ofFile path: String, _ kind: Kind, reading files: InputFiles) throws -> String {
        let text = try files.text(path)
        // The line end of a file belongs to no field.
        guard kind == .header || kind == .parameter, let last = text.lastIndex(where: { !$0.isNewline }) else { return text }
        return String(text[...last])
    }
}

/// The body that the words behind a URL make: a map in JSON, with maps and lists in it where names have brackets, or a form of parts
/// when a file is among them.
struct ItemBody {
    private let items: [RequestItem]

    /// - Parameter items: those of a body, at least one.
    init(_ items: [RequestItem]) { self.items = items }

    /// The parts, when there is a file among them, which JSON can't hold.
    func form() throws -> [FormArgument]? {
        guard items.contains(where: { $0.kind == .file }) else { return nil }
        return try items.map { item in
            let name = item.name
            switch item.kind {
            case .file: return FormArgument(text: "\(name)=@\(item.value)")
            case .json:
                throw CommandFailure(
                    .usage, "\(name):=… is JSON, and a body with a file in it is a form: write \(name)=… for a text.")
            case .text, .header, .emptyHeader, .parameter: return FormArgument(text: "\(name)=\(item.value)", isLiteral: true)
            }
        }
    }

    /// HTTPie's nested notation: `a[b]=x`, `a[]=x` for one more, `a[0]=x`; `[]=x` for a list that is all of it.
    func json() throws -> JSONValue {
        var whole: JSONValue?
        for item in items {
            let value: JSONValue
            if item.kind == .json {
                guard let parsed = JSONParser.parse(item.value) else {
                    throw CommandFailure(.usage, "\(item.name):=… isn't JSON. A text stands behind =, as in \(item.name)=text.")
                }
                value = parsed
            } else {
                value = .string(item.value)
            }
            whole = try Self.setting(value, at: Self.path(of: item.name)[...], in: whole, of: item.name)
        }
        return whole ?? .object([])
    }

    private enum Step: Hashable {
        case member(String)
        case index(Int)
        case end
    }

    private static let mostItems = 10_000

    private static func path(of name: String) throws -> [Step] {
        var steps: [Step] = []
        var text = ""
        var isInside = false
        var wasEscaped = false
        var rest = name.unicodeScalars[...]
        func failure() -> CommandFailure {
            CommandFailure(.usage, "\(name)=…: brackets stand for a member or an item, as in a[b]=x and a[]=x; \\[ is a bracket.")
        }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard let next = rest.popFirst() else { throw failure() }
                // A number behind it is a member's name, and no place in a list.
                let isDigit = ("0"..."9").contains(next)
                if !isDigit, !["[", "]", "\\"].contains(next) { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(next)
                wasEscaped = wasEscaped || isDigit
            case "[":
                guard !isInside else { throw failure() }
                if !steps.isEmpty, !text.isEmpty { throw failure() }
                if steps.isEmpty, !text.isEmpty { steps.append(.member(text)) }
                (text, isInside, wasEscaped) = ("", true, false)
            case "]":
                guard isInside else { throw failure() }
                let index = wasEscaped ? nil : Int(text)
                steps.append(text.isEmpty ? .end : index.map(Step.index) ?? .member(text))
                (text, isInside) = ("", false)
            default: text.unicodeScalars.append(scalar)
            }
        }
        guard !isInside, steps.isEmpty || text.isEmpty else { throw failure() }
        return steps.isEmpty ? [.member(text)] : steps
    }

    private static func setting(
        _ value: JSONValue, at path: ArraySlice<Step>, in old: JSONValue?, of name: String
    ) throws -> JSONValue {
        guard let step = path.first else { return value }
        func clash(_ kind: String) -> CommandFailure {
            CommandFailure(.usage, "\(name)=… wants \(kind) where another word put something else.")
        }
        let rest = path.dropFirst()
        if case .member(let member) = step {
            guard case .object(var members) = old ?? .object([]) else { throw clash("a map") }
            let index = members.firstIndex { $0.name == member }
            let new = try setting(value, at: rest, in: index.map { members[$0].value }, of: name)
            // Where two words name one member, the last one counts.
            if let index { members[index].value = new } else { members.append(.init(name: member, value: new)) }
            return .object(members)
        }
        guard case .array(var items) = old ?? .array([]) else { throw clash("a list") }
        var place = items.count
        if case .index(let index) = step {
            guard (0..<mostItems).contains(index) else {
                throw CommandFailure(.usage, "\(name)=…: an index is from 0 to \(mostItems - 1).")
            }
            place = index
        }
        while items.count <= place { items.append(.null) }
        let isThere = items[place] != .null
        items[place] = try setting(value, at: rest, in: isThere ? items[place] : nil, of: name)
        return .array(items)
    }
}
