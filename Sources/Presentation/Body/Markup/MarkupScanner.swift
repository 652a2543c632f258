import Base
import TerminalUI

/// The lexemes of XML and HTML, as far as colours need them; knows no element but `script` and `style`.
enum MarkupScanner {
    /// What goes on across the end of a line; `LineStart.state`.
    enum State {
        static let text: UInt8 = 0
        static let tag: UInt8 = 1
        static let doubleQuoted: UInt8 = 2
        static let singleQuoted: UInt8 = 3
        static let comment: UInt8 = 4
        static let instruction: UInt8 = 5
        static let data: UInt8 = 6
        static let declaration: UInt8 = 7
        static let script: UInt8 = 8
        static let style: UInt8 = 9
        /// Added to `tag` and the quoted states inside of `<script …>` and `<style …>`, whose content is not markup.
        static let ofScript: UInt8 = 16
        static let ofStyle: UInt8 = 32
    }

    /// Goes through `range` from `state`, reports each part with its role.
    ///
    /// - Returns: the state behind it.
    @inline(__always)
    static func scan(
        _ range: Range<Int>, _ bytes: UnsafePointer<UInt8>, from state: UInt8, isHTML: Bool,
        _ report: (Range<Int>, ThemeRole) -> Void
    ) -> UInt8 {
        var state = state
        var position = range.lowerBound
        let end = range.upperBound
        while position < end {
            let flags = state & 0x30
            switch state & 0x0F {
            case State.text:
                let open = find(0x3C, bytes, position, end)
                if open > position { report(position..<open, .text) }
                position = open
                if position < end { state = openTag(&position, bytes, end, isHTML, report) }
            case State.tag:
                state = tag(&position, bytes, end, flags, report)
            case State.doubleQuoted, State.singleQuoted:
                let quote = find(state & 0x0F == State.doubleQuoted ? 0x22 : 0x27, bytes, position, end)
                let close = min(quote + 1, end)
                report(position..<close, .syntaxString)
                if quote < end { state = State.tag | flags }
                position = close
            case State.comment:
                state = close("-->", .syntaxComment, state, &position, bytes, end, report)
            case State.instruction:
                state = close("?>", .syntaxComment, state, &position, bytes, end, report)
            case State.data:
                state = close("]]>", .syntaxString, state, &position, bytes, end, report)
            case State.declaration:
                state = close(">", .syntaxComment, state, &position, bytes, end, report)
            default:
                let name: StaticString = state & 0x0F == State.script ? "</script" : "</style"
                let tag = find(name, bytes, position, end)
                if tag > position { report(position..<tag, .text) }
                position = tag
                if tag < end { state = openTag(&position, bytes, end, isHTML, report) }
            }
        }
        return state
    }

    /// At `<`.
    @inline(__always)
    private static func openTag(
        _ position: inout Int, _ bytes: UnsafePointer<UInt8>, _ end: Int, _ isHTML: Bool, _ report: (Range<Int>, ThemeRole) -> Void
    ) -> UInt8 {
        let start = position
        if starts("<!--", bytes, start, end) {
            position = start + 4
            report(start..<position, .syntaxComment)
            return State.comment
        }
        if starts("<![CDATA[", bytes, start, end) {
            position = start + 9
            report(start..<position, .syntaxPunctuation)
            return State.data
        }
        let following = start + 1 < end ? bytes[start + 1] : 0
        if following == 0x3F || following == 0x21 {
            position = start + 2
            report(start..<position, .syntaxComment)
            return following == 0x3F ? State.instruction : State.declaration
        }
        let name = following == 0x2F ? start + 2 : start + 1
        guard name < end, isNameStart(bytes[name]) else {
            position = start + 1
            report(start..<position, .text)
            return State.text
        }
        let nameEnd = endOfName(bytes, name, end)
        report(start..<name, .syntaxPunctuation)
        report(name..<nameEnd, .syntaxTag)
        position = nameEnd
        if isHTML, following != 0x2F {
            if nameEnd - name == 6, starts("script", bytes, name, end) { return State.tag | State.ofScript }
            if nameEnd - name == 5, starts("style", bytes, name, end) { return State.tag | State.ofStyle }
        }
        return State.tag
    }

    /// Inside of a tag, behind its name: one lexeme.
    @inline(__always)
    private static func tag(
        _ position: inout Int, _ bytes: UnsafePointer<UInt8>, _ end: Int, _ flags: UInt8, _ report: (Range<Int>, ThemeRole) -> Void
    ) -> UInt8 {
        let start = position
        switch bytes[start] {
        case 0...0x20:
            while position < end, bytes[position] <= 0x20 { position += 1 }
            report(start..<position, .text)
            return State.tag | flags
        case 0x3E:
            position = start + 1
            report(start..<position, .syntaxPunctuation)
            return flags == State.ofScript ? State.script : flags == State.ofStyle ? State.style : State.text
        case 0x22, 0x27:
            position = start + 1
            report(start..<position, .syntaxString)
            return (bytes[start] == 0x22 ? State.doubleQuoted : State.singleQuoted) | flags
        case 0x2F where start + 1 < end && bytes[start + 1] == 0x3E:
            position = start + 2
            report(start..<position, .syntaxPunctuation)
            return State.text
        case 0x3D, 0x2F:
            position = start + 1
            report(start..<position, .syntaxPunctuation)
            // A value without quotes.
            guard bytes[start] == 0x3D, position < end, !isTagPunctuation(bytes[position]) else { return State.tag | flags }
            let value = position
            while position < end, bytes[position] > 0x20, bytes[position] != 0x3E { position += 1 }
            report(value..<position, .syntaxString)
            return State.tag | flags
        default:
            while position < end, !isTagPunctuation(bytes[position]) { position += 1 }
            report(start..<position, .syntaxAttribute)
            return State.tag | flags
        }
    }

    @inline(__always)
    private static func close(
        _ mark: StaticString, _ role: ThemeRole, _ state: UInt8, _ position: inout Int, _ bytes: UnsafePointer<UInt8>, _ end: Int,
        _ report: (Range<Int>, ThemeRole) -> Void
    ) -> UInt8 {
        let found = find(mark, bytes, position, end)
        let behind = min(found + mark.utf8CodeUnitCount, end)
        report(position..<behind, role)
        position = behind
        return found < end ? State.text : state
    }

    // MARK: Bytes

    @inline(__always)
    static func find(_ byte: UInt8, _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        guard start < end, let found = memchr(bytes + start, Int32(byte), end - start) else { return end }
        return UnsafeRawPointer(bytes).distance(to: UnsafeRawPointer(found))
    }

    /// The start of `mark` at or behind `start`; `end` if there is none. ASCII letters match in either case.
    static func find(_ mark: StaticString, _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        let first = mark.utf8Start[0]
        var position = start
        while true {
            position = find(first, bytes, position, end)
            if position == end || starts(mark, bytes, position, end) { return position }
            position += 1
        }
    }

    static func starts(_ mark: StaticString, _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let count = mark.utf8CodeUnitCount
        guard start + count <= end else { return false }
        for index in 0..<count where lowercased(bytes[start + index]) != lowercased(mark.utf8Start[index]) { return false }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    static func isNameStart(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte == 0x3A || byte >= 0x80 }

    static func endOfName(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var position = start
        while position < end, bytes[position] > 0x20, bytes[position] != 0x3E, bytes[position] != 0x2F { position += 1 }
        return position
    }

    private static func isTagPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x22, 0x27, 0x2F, 0x3D, 0x3E: true
        default: false
        }
    }
}
