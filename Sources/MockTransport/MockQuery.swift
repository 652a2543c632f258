import Base
import NetworkLayer

/// Which queries a mock answers.
public enum MockQuery: Sendable, Hashable {
    /// That of the URL it is registered for, as it is written there.
    case exactly
    /// One that has these parameters with these values, decoded, in any order, whatever else it has.
    case including([String: String])
    /// Any, or none.
    case any

    /// Where two match, the one that asks for more answers.
    var weight: Int {
        switch self {
        case .exactly: .max
        case .including(let parameters): parameters.count
        case .any: 0
        }
    }

    func matches(_ parameters: [String: [String]]) -> Bool {
        switch self {
        case .exactly: false
        case .including(let wanted): wanted.allSatisfy { parameters[$0.key]?.contains($0.value) == true }
        case .any: true
        }
    }
}

extension URL {
    /// The values of each parameter of the query.
    var queryParameters: [String: [String]] {
        URLCoding.decode(query(percentEncoded: true) ?? "", options: .combineRepeatingKeysIntoArray).mapValues { value in
            switch value {
            case .one(let text): [text]
            case .many(let texts): texts
            }
        }
    }
}
