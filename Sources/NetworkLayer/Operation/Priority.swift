/// How urgent an operation is (PRI-1). Values outside of the five named ones are legal.
public struct Priority: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    /// Higher is more urgent; 0 is normal.
    public let rawValue: Int

    /// Any number is legal; see ``transportPriority`` for what numbers beyond ±2 are worth.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// −2.
    public static let veryLow = Priority(rawValue: -2)
    /// −1.
    public static let low = Priority(rawValue: -1)
    /// 0, the default.
    public static let normal = Priority(rawValue: 0)
    /// 1.
    public static let high = Priority(rawValue: 1)
    /// 2.
    public static let veryHigh = Priority(rawValue: 2)

    // What requests are for, in TNL's words.

    /// For requests that ask again and again whether there is something new: `low`.
    public static let polling = low
    /// For what may be needed later: `low`.
    public static let prefetch = low
    /// For images in the content: `normal`.
    public static let contentImage = normal
    /// For what the view on the screen needs: `high`.
    public static let currentView = high
    /// For what a person has just asked for: `veryHigh`.
    public static let userInitiated = veryHigh

    /// The share of the network that it is worth, from 0 to 1: .1, .3, .5, .7 and .9 for the five named ones, 0 and 1 for what is
    /// outside of them.
    public var transportPriority: Double {
        switch rawValue {
        case ..<(-2): 0
        case -2: 0.1
        case -1: 0.3
        case 0: 0.5
        case 1: 0.7
        case 2: 0.9
        default: 1
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Counts the operations of this process, from 1.
public struct OperationID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    /// The number of the operation, from 1 in the order in which operations were made.
    public let rawValue: Int

    /// An identifier that was kept, or one for a test; it registers no operation.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
