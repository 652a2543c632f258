/// The path of a request or folder in its collection: `orders/create`.
package struct RequestID: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The last component: `create`.
    package var name: Substring { rawValue.split(separator: "/").last ?? "" }

    package var description: String { rawValue }
}
