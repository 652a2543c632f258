/// How urgent an operation is (PRI-1). Values outside of the five named ones are legal.
public struct Priority: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let veryLow = Priority(rawValue: -2)
    public static let low = Priority(rawValue: -1)
    public static let normal = Priority(rawValue: 0)
    public static let high = Priority(rawValue: 1)
    public static let veryHigh = Priority(rawValue: 2)

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Counts the operations of this process, from 1.
public struct OperationID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
