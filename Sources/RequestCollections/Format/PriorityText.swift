import NetworkLayer

/// Priorities as the format writes them.
enum PriorityText {
    private static let all: [(name: String, priority: Priority)] = [
        ("very-low", .veryLow), ("low", .low), ("normal", .normal), ("high", .high), ("very-high", .veryHigh),
    ]

    static let names = all.map(\.name)

    static func parse(_ name: String) -> Priority? { all.first { $0.name == name }?.priority }

    /// `nil` for a priority between the named ones.
    static func format(_ priority: Priority) -> String? { all.first { $0.priority == priority }?.name }
}
