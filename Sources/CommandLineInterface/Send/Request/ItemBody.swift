import Base
import NetworkLayer
import RequestCollections

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
                    status: .usage,
                    message: "\(name):=… is JSON, and a body with a file in it is a form: write \(name)=… for a text.")
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
                    throw CommandFailure(
                        status: .usage, message: "\(item.name):=… isn't JSON. A text stands behind =, as in \(item.name)=text.")
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
            CommandFailure(
                status: .usage,
                message: "\(name)=…: brackets stand for a member or an item, as in a[b]=x and a[]=x; \\[ is a bracket.")
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
            CommandFailure(status: .usage, message: "\(name)=… wants \(kind) where another word put something else.")
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
                throw CommandFailure(status: .usage, message: "\(name)=…: an index is from 0 to \(mostItems - 1).")
            }
            place = index
        }
        while items.count <= place { items.append(.null) }
        let isThere = items[place] != .null
        items[place] = try setting(value, at: rest, in: isThere ? items[place] : nil, of: name)
        return .array(items)
    }
}
