/// Sizes and times as they stand in a query.
enum Units {
    /// `1000`, `64KiB`, `10MB`: k, M and G are powers of 1000, Ki, Mi and Gi of 1024.
    static func byteCount(_ text: String) -> Int? {
        let factors = [
            "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000, "gb": 1_000_000_000,
            "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
        ]
        guard let (number, unit) = split(text), let factor = factors[unit], number * Double(factor) < 1e15 else { return nil }
        return Int(number * Double(factor))
    }

    /// `500ms`, `2s`, `1m`, or seconds: `1.5`.
    static func duration(_ text: String) -> Duration? {
        let factors = ["us": 0.000_001, "ms": 0.001, "": 1, "s": 1, "m": 60, "h": 3600]
        guard let (number, unit) = split(text), let factor = factors[unit], number < 1e9 else { return nil }
        return .seconds(number * factor)
    }

    /// The number, not negative, and what follows it in small letters.
    private static func split(_ text: String) -> (Double, String)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits) else { return nil }
        return (number, text.dropFirst(digits.count).lowercased().trimmed)
    }
}
