import RequestCollections
import SchemaTesting

extension JSONValue {
    /// Where all members and elements stand: `log.entries.0.time`.
    var paths: [String] {
        func below(_ name: String, _ value: JSONValue) -> [String] { [name] + value.paths.map { "\(name).\($0)" } }
        return switch self {
        case .object(let members): members.flatMap { below($0.name, $0.value) }
        case .array(let items): items.enumerated().flatMap { below(String($0), $1) }
        default: []
        }
    }

    func value(at path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, step in
            value?[String(step)] ?? Int(step).flatMap { value?.elements?[$0] }
        }
    }

    /// As JSON Schema calls it.
    var type: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// With `value` at a path, where nothing needs to stand yet; without what stands there when it is `nil`.
    func with(_ value: JSONValue?, at path: String) -> JSONValue {
        let steps = path.split(separator: ".", maxSplits: 1).map(String.init)
        func changed(_ old: JSONValue?) -> JSONValue? { steps.count == 1 ? value : old?.with(value, at: steps[1]) }
        switch self {
        case .object(var members):
            let index = members.firstIndex { $0.name == steps[0] } ?? members.endIndex
            let member = changed(index < members.endIndex ? members.remove(at: index).value : nil)
            if let member { members.insert(Member(name: steps[0], value: member), at: index) }
            return .object(members)
        case .array(var items):
            guard let index = Int(steps[0]), items.indices.contains(index) else { return self }
            items.replaceSubrange(index...index, with: changed(items[index]).map { [$0] } ?? [])
            return .array(items)
        default: return self
        }
    }
}
