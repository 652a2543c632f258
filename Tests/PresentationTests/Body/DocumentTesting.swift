import FoundationEssentials
import TerminalUI

@testable import Presentation

extension BodyDocument {
    /// Over text, sent as `contentType`.
    convenience init(_ text: String, _ contentType: String? = nil, mode: BodyMode = .pretty) {
        self.init(BodyBytes(Data(text.utf8)), contentType: contentType, mode: mode)
    }

    convenience init(bytes: [UInt8], _ contentType: String? = nil, mode: BodyMode = .pretty) {
        self.init(BodyBytes(Data(bytes)), contentType: contentType, mode: mode)
    }

    /// All lines, as a screen of `columns` shows them.
    func screen(columns: Range<Int> = 0..<200) -> [String] {
        extendIndexToEnd()
        return lines(0..<lineCount.lines, columns: columns).map(\.text)
    }

    /// All lines, each span as `role:text`.
    func roles() -> [[String]] {
        extendIndexToEnd()
        return lines(0..<lineCount.lines, columns: 0..<200).map { $0.spans.map { "\($0.role):\($0.text)" } }
    }
}

/// SplitMix64: the same numbers on every run, from a seed that a failing test names.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
