/// Whether and how to try again, as it stands in the file; `nil` where a nearer or farther level decides.
package struct RetrySettings: Hashable, Sendable, Codable {
    /// `false` for `retry: none`; a nearer map turns it on again.
    package var isOn: Bool?
    /// The most attempts, the first included.
    package var attempts: Int?
    package var triggers: [RetryTrigger]?
    /// Before the first retry.
    package var first: Duration?
    package var factor: Double?
    /// The longest wait.
    package var longest: Duration?
    package var jitter: RetryJitter?
    package var honoursRetryAfter: Bool?

    package init() {}

    /// Whether nothing is said.
    package var isEmpty: Bool { self == RetrySettings() }
}

/// How much of a wait is random.
package enum RetryJitter: String, Hashable, Sendable, Codable, CaseIterable {
    /// Anything from nothing to the whole wait.
    case full
    /// Half of it, and anything up to the other half.
    case equal
    case none
}

/// After what a request is tried again.
package enum RetryTrigger: Hashable, Sendable, Codable {
    case status(Int)
    /// `5xx`: 5.
    case statusClass(Int)
    case failure(FailureKind)

    /// The kinds that a file may name.
    static let kinds: [FailureKind] = [.connection, .timeout, .tls, .dns]

    init?(_ text: String) {
        if let kind = FailureKind(rawValue: text), Self.kinds.contains(kind) {
            self = .failure(kind)
        } else if let digit = StatusText.statusClass(text) {
            self = .statusClass(digit)
        } else if let code = Int(text), (100...599).contains(code), text.utf8.count == 3 {
            self = .status(code)
        } else {
            return nil
        }
    }
}

extension RetryTrigger: CustomStringConvertible {
    package var description: String {
        switch self {
        case .status(let code): "\(code)"
        case .statusClass(let digit): "\(digit)xx"
        case .failure(let kind): kind.rawValue
        }
    }
}

/// Statuses as the format writes them.
enum StatusText {
    /// 2 of `2xx`.
    static func statusClass(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x35).contains(bytes[0]), bytes[1] | 0x20 == 0x78, bytes[2] | 0x20 == 0x78 else {
            return nil
        }
        return Int(bytes[0]) - 0x30
    }
}
