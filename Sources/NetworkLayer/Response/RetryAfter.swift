public import Base

/// When a server wants to be asked again (RFC 9110, section 10.2.3; RSP-4).
public struct RetryAfter: Sendable, Hashable, Codable {
    /// The field as it was received.
    public let rawValue: String
    /// Fixed when the value is made; `.distantFuture` when the field could not be read.
    public let date: Date

    /// - Parameter now: from when seconds count, on the wall clock.
    public init(_ rawValue: String, receivedAt now: Date) {
        self.rawValue = rawValue
        self.date = Self.date(rawValue, receivedAt: now) ?? .distantFuture
    }

    /// Whether the field could be read.
    public var isValid: Bool { date != .distantFuture }

    /// Seconds from `now`, fewer as time passes, below zero when the time has come; infinite when the field could not be read.
    public func delay(from now: Date) -> TimeInterval {
        isValid ? date.timeIntervalSince(now) : .infinity
    }

    /// Decimal digits only, at most 2147483647 seconds; or a date in any format of ``HTTPDate``.
    ///
    ///     "120"   "0001"   "Sun, 06 Nov 1994 08:49:37 GMT"         nil: ""   "-1"   "0.5"   "2147483648"
    public static func date(_ text: String, receivedAt now: Date) -> Date? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return HTTPDate.parse(text, now: now)?.date
        }
        return Int32(text).map { now.addingTimeInterval(TimeInterval($0)) }
    }
}
