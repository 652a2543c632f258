import CNcurses
import TerminalUI

/// Turns bytes from a terminal into what was pressed, pasted or clicked. A value: bytes in, events out; `NcursesTerminal` waits for
/// the bytes.
///
/// What the terminal's own description (terminfo) says about its keys comes first; everything else is read as xterm and its
/// relatives send it, with their modifiers, whatever `TERM` says. An ESC that nothing follows stays pending: after 25 ms
/// of silence the owner calls `flush()`, and it was the Escape key.
struct InputDecoder {
    private var pending: [UInt8] = []
    private var paste: [UInt8]?
    private let keys: KeySequences

    init(keys: KeySequences = KeySequences()) {
        self.keys = keys
    }

    /// Bytes wait that silence gives a meaning to.
    var isPending: Bool { !pending.isEmpty && paste == nil }

    /// - Parameter bytes: what has arrived at once.
    mutating func feed(_ bytes: some Collection<UInt8>) -> [TerminalEvent] {
        if paste == nil, pending.isEmpty, InputDecoder.isBurst(bytes) { return [.paste(InputDecoder.pasted(Array(bytes)[...]))] }
        pending += bytes
        return decode(isEnd: false)
    }

    /// Nothing has followed for a while: takes what is pending for what it is.
    mutating func flush() -> [TerminalEvent] {
        paste == nil ? decode(isEnd: true) : []
    }

    private mutating func decode(isEnd: Bool) -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        var start = 0
        while start < pending.count {
            if paste != nil {
                guard let end = consumePaste(from: start, &events) else {
                    start = pending.count
                    break
                }
                start = end
                continue
            }
            switch step(pending[start...], isEnd: isEnd) {
            case .incomplete:
                pending.removeFirst(start)
                return events
            case .nothing(let length):
                start += length
            case .event(let event, let length):
                events.append(event)
                start += length
            case .pasteBegins(let length):
                start += length
                paste = []
            }
        }
        pending.removeFirst(start)
        return events
    }

    // MARK: Paste

    /// Whether it is text that nobody types, pasted by who doesn't mark what is pasted (GNU screen, dvtm, the Linux console): lines, or a line
    /// that doesn't end. One that ends may have been typed ahead, by a script, too; and a key that is held down is always the same.
    private static func isBurst(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count >= 16, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }),
            Set(bytes).count > 4
        else { return false }
        let ends = bytes.reduce(0) { $1 == 0x0A || $1 == 0x0D ? $0 + 1 : $0 }
        return ends != 1 || ![0x0A, 0x0D].contains(Array(bytes.suffix(1))[0])
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Moves what belongs to the paste out of `pending`. What may be the beginning of its end mark stays with the paste:
    /// the mark is looked for across the seam.
    ///
    /// - Returns: the index behind the end mark; `nil`: it has not come yet.
    private mutating func consumePaste(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        var text = paste ?? []
        let mark = InputDecoder.pasteEnd
        let seam = max(0, text.count - mark.count + 1)
        let known = text.count
        text += pending[start...]
        var index = seam
        while index + mark.count <= text.count {
            if text[index] == 0x1B, text[index..<index + mark.count].elementsEqual(mark) {
                events.append(.paste(InputDecoder.pasted(text[..<index])))
                paste = nil
                return start + index + mark.count - known
            }
            index += 1
        }
        paste = text
        return nil
    }

    /// Line ends as LF: terminals send CR, files may have had CR LF.
    private static func pasted(_ bytes: ArraySlice<UInt8>) -> String {
        var normalized: [UInt8] = []
        normalized.reserveCapacity(bytes.count)
        var afterReturn = false
        for byte in bytes {
            if byte == 0x0D {
                normalized.append(0x0A)
            } else if byte != 0x0A || !afterReturn {
                normalized.append(byte)
            }
            afterReturn = byte == 0x0D
        }
        return String(decoding: normalized, as: UTF8.self)
    }

    // MARK: One step

    enum Step {
        case incomplete
        case nothing(length: Int)
        case event(TerminalEvent, length: Int)
        case pasteBegins(length: Int)

        static func key(_ press: KeyPress, length: Int) -> Step { .event(.key(press), length: length) }
    }

    private func step(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Step {
        let first = bytes.startIndex
        switch keys.match(bytes) {
        case .key(let press, let length): return .key(press, length: length)
        case .partial where !isEnd: return .incomplete
        case .partial, .none: break
        }
        guard bytes[first] == 0x1B else { return character(bytes, isEnd: isEnd) }
        guard bytes.count > 1 else { return isEnd ? .key(KeyPress(.escape), length: 1) : .incomplete }
        switch bytes[first + 1] {
        case UInt8(ascii: "["):
            let step = ControlSequence.step(bytes)
            guard case .incomplete = step, isEnd else { return step }
            return .key(.character("[", .alt), length: 2)
        case UInt8(ascii: "O"):
            guard bytes.count > 2 else { return isEnd ? .key(.character("O", .alt), length: 2) : .incomplete }
            guard let press = ControlSequence.applicationKey(bytes[first + 2]) else { return .nothing(length: 3) }
            return .key(press, length: 3)
        case UInt8(ascii: "]") where GroundReport.mayBe(bytes):
            let step = GroundReport.step(bytes)
            // A person types nothing like it: its rest comes, however slow the line is.
            guard case .incomplete = step, isEnd, bytes.count == 2 else { return step }
            return .key(.character("]", .alt), length: 2)
        // rxvt puts another ESC before what a key with Alt sends. Esc twice, and then a bracket, comes slower.
        case 0x1B where bytes.count > 2 && [UInt8(ascii: "["), UInt8(ascii: "O")].contains(bytes[first + 2]):
            guard case .event(.key(var press), let length) = step(bytes.dropFirst(), isEnd: isEnd) else {
                return isEnd || bytes.count > 8 ? .key(KeyPress(.escape), length: 1) : .incomplete
            }
            press.modifiers.insert(.alt)
            return .key(press, length: length + 1)
        case 0x1B:
            return bytes.count > 2 || isEnd ? .key(KeyPress(.escape), length: 1) : .incomplete
        default:
            switch character(bytes.dropFirst(), isEnd: isEnd) {
            case .event(.key(var press), let length):
                press.modifiers.insert(.alt)
                return .key(press, length: length + 1)
            case .incomplete: return .incomplete
            default: return .nothing(length: 2)
            }
        }
    }

    private func character(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Step {
        let byte = bytes[bytes.startIndex]
        switch byte {
        case 0x0D, 0x0A: return .key(KeyPress(.enter), length: 1)
        case 0x09: return .key(KeyPress(.tab), length: 1)
        // Terminals disagree on which of the two Backspace is; whoever means Control+H loses.
        case 0x08, 0x7F: return .key(KeyPress(.backspace), length: 1)
        case 0x00: return .key(.character(" ", .control), length: 1)
        case 0x01...0x1A: return .key(.character(Character(Unicode.Scalar(byte + 0x60)), .control), length: 1)
        case 0x1B: return .key(KeyPress(.escape), length: 1)
        case 0x1C...0x1F: return .key(.character(Character(Unicode.Scalar(byte + 0x40)), .control), length: 1)
        case 0x20..<0x7F: return .key(.character(Character(Unicode.Scalar(byte))), length: 1)
        default: break
        }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        let continuations = bytes.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }
        let have = continuations.count + 1
        if have < length, have == bytes.count, !isEnd { return .incomplete }
        let text = String(decoding: bytes.prefix(have), as: UTF8.self)
        return .key(.character(text.first ?? "\u{FFFD}"), length: have)
    }
}

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
    static func ofTerminal(_ name: String) -> KeySequences {
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
        // rxvt's F13 is Shift with F3.
        if name.hasPrefix("rxvt") { for number in 3...10 { add("kf\(number + 10)", KeyPress(.function(number), .shift)) } }
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
