import CNcurses
import TerminalUI

/// What the keys of this terminal send, by its description.
struct KeySequences {
    private var keys: [[UInt8]: KeyPress] = [:]
    /// Every beginning of a sequence that is not one itself.
    private var prefixes: Set<[UInt8]> = []
    private var longest = 0

    enum Match {
        case none
        /// More bytes may make it a key.
        case partial
        case key(KeyPress, length: Int)
    }

    /// - Parameter keys: sequences that begin with ESC; others would take what can be typed.
    init(_ keys: [[UInt8]: KeyPress] = [:]) {
        for (sequence, press) in keys where sequence.first == 0x1B && sequence.count > 1 {
            self.keys[sequence] = press
            longest = max(longest, sequence.count)
            for length in 1..<sequence.count { prefixes.insert(Array(sequence.prefix(length))) }
        }
    }

    /// The longest key that the bytes begin with.
    func match(_ bytes: ArraySlice<UInt8>) -> Match {
        guard longest > 0, bytes.first == 0x1B, bytes.count > 1 else { return .none }
        let most = min(longest, bytes.count)
        for length in stride(from: most, through: 2, by: -1) {
            let part = Array(bytes.prefix(length))
            if let press = keys[part] { return .key(press, length: length) }
            // `ESC [` and `ESC O` are beginnings for the general rules too; they wait by themselves.
            if length == bytes.count, length > 2, prefixes.contains(part) { return .partial }
        }
        return .none
    }

    /// From terminfo, of the terminal that is set up.
    @MainActor
    static func ofTerminal() -> KeySequences {
        var keys: [[UInt8]: KeyPress] = [:]
        func add(_ name: String, _ press: KeyPress) {
            if let bytes = TerminalCapability.string(name) { keys[bytes] = press }
        }
        for (name, key) in named { add(name, KeyPress(key)) }
        for (name, key) in shifted { add(name, KeyPress(key, .shift)) }
        add("kcbt", KeyPress(.tab, .shift))
        for number in 1...12 { add("kf\(number)", KeyPress(.function(number))) }
        // ncurses numbers F1 to F12 on, with Shift first and Control second.
        for number in 1...12 {
            add("kf\(number + 12)", KeyPress(.function(number), .shift))
            add("kf\(number + 24)", KeyPress(.function(number), .control))
        }
        return KeySequences(keys)
    }

    private static let named: [(String, KeyPress.Key)] = [
        ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
        ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete), ("kent", .enter),
    ]
    private static let shifted: [(String, KeyPress.Key)] = [
        ("kLFT", .left), ("kRIT", .right), ("kri", .up), ("kind", .down), ("kHOM", .home), ("kEND", .end),
        ("kPRV", .pageUp), ("kNXT", .pageDown), ("kDC", .delete), ("kIC", .insert),
    ]
}
