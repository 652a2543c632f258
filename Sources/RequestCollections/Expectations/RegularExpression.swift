import Base
import CPCRE2
import NetworkLayer
import Synchronization

/// A user's regular expression, matched by PCRE2 over code points, with Unicode's classes.
///
/// Three things differ from PCRE2's defaults, so that expressions mean what they do in JavaScript and Hurl: `$` is the end of the text alone, a
/// line ends at CR, LF or both, and `\u00e9` and `{,3}` are understood whatever the library's version.
package final class RegularExpression: @unchecked Sendable {
    /// Which rules an expression follows.
    package enum Flavour: Hashable, Sendable {
        case pcre2
        /// ECMA-262 with the flag u, as JSON Schema wants it.
        case ecmaScript
    }

    /// Immutable once compiled, so threads share it.
    private let code: OpaquePointer

    /// Why this machine has no PCRE2 that can be used.
    package static let problem: String? = turnstone_pcre2_problem().map { "PCRE2 can't be loaded: \(String(cString: $0))" }

    private init(_ pattern: String, ignoringCase: Bool, _ flavour: Flavour) throws(RegularExpressionError) {
        if let problem = Self.problem { throw RegularExpressionError(problem) }
        let isECMA = flavour == .ecmaScript
        var options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_USE_OFFSET_LIMIT | PCRE2_NEVER_BACKSLASH_C
        options |= isECMA ? PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF : PCRE2_UCP
        if ignoringCase { options |= PCRE2_CASELESS }
        let context = pcre2_compile_context_create_8(nil)
        defer { pcre2_compile_context_free_8(context) }
        pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
        var error: Int32 = 0
        var offset = 0
        let bytes = Array((isECMA ? SchemaPattern.translated(pattern) : Self.translated(pattern)).utf8)
        guard let code = pcre2_compile_8(bytes, bytes.count, options, &error, &offset, context) else {
            throw RegularExpressionError(Self.message(error))
        }
        self.code = code
    }

    deinit { pcre2_code_free_8(code) }

    private struct Key: Hashable {
        var pattern: ExactText
        var ignoringCase: Bool
        var flavour: Flavour
    }

    private static let known = Mutex<[Key: RegularExpression]>([:])
    private static let mostKnown = 256

    /// The expression, compiled once.
    package static func compiled(
        _ pattern: String, ignoringCase: Bool = false, _ flavour: Flavour = .pcre2
    ) throws(RegularExpressionError) -> RegularExpression {
        let key = Key(pattern: ExactText(pattern), ignoringCase: ignoringCase, flavour: flavour)
        if let expression = known.withLock({ $0[key] }) { return expression }
        let expression = try RegularExpression(pattern, ignoringCase: ignoringCase, flavour)
        known.withLock { known in
            if known.count >= mostKnown { known = [:] }
            known[key] = expression
        }
        return expression
    }

    private static func message(_ error: Int32) -> String {
        var text = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(error, &text, text.count)
        return count > 0 ? String(decoding: text.prefix(Int(count)), as: UTF8.self) : "error \(error) of PCRE2"
    }

    /// `\u00e9` as `\x{00e9}`, which PCRE2 doesn't know, and `{,3}` as `{0,3}`, which it knows since 10.43.
    private static func translated(_ pattern: String) -> String {
        guard pattern.utf8.contains(where: { $0 == UInt8(ascii: "u") || $0 == UInt8(ascii: ",") }) else { return pattern }
        var result: [UInt8] = []
        var rest = Array(pattern.utf8)[...]
        while let byte = rest.popFirst() {
            result.append(byte)
            if byte == UInt8(ascii: "{"), rest.first == UInt8(ascii: ","), let end = rest.firstIndex(of: UInt8(ascii: "}")),
                end > rest.startIndex + 1, rest[(rest.startIndex + 1)..<end].allSatisfy({ 0x30...0x39 ~= $0 })
            {
                result.append(UInt8(ascii: "0"))
            }
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else { continue }
            let digits = rest.prefix(4)
            if escaped == UInt8(ascii: "u"), digits.count == 4,
                let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                result += Array("x{\(String(value, radix: 16))}".utf8)
                rest = rest.dropFirst(4)
            } else {
                result.append(escaped)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension RegularExpression {
    /// Ways that are tried from one place of a text.
    private static let mostSteps: UInt32 = 5_000_000
    private static let deepest: UInt32 = 2_000_000
    /// KiB
    private static let mostMemory: UInt32 = 256 << 10

    /// How long one search may take in all.
    package static let patience = Duration.seconds(10)

    /// Where the first match and its groups are, in bytes of UTF-8; `nil` for a group that takes no part in it.
    ///
    /// PCRE2 limits the ways that it tries from one place, not the places. So the text is gone through in steps, as long as the last was
    /// quick, and between them the time is looked at.
    ///
    /// - Returns: `nil` when nothing matches.
    package func firstMatch(
        in text: UnsafeBufferPointer<UInt8>, from start: Int = 0, patience: Duration = RegularExpression.patience
    ) throws(RegularExpressionError) -> [Range<Int>?]? {
        let context = pcre2_match_context_create_8(nil)
        let data = pcre2_match_data_create_from_pattern_8(code, nil)
        defer {
            pcre2_match_data_free_8(data)
            pcre2_match_context_free_8(context)
        }
        pcre2_set_match_limit_8(context, Self.mostSteps)
        pcre2_set_depth_limit_8(context, Self.deepest)
        pcre2_set_heap_limit_8(context, Self.mostMemory)
        let clock = ContinuousClock()
        let begin = clock.now
        var (position, places, last) = (start, 1 << 10, begin)
        // An empty text has an address, too.
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { nothing throws(RegularExpressionError) in
            let bytes = text.baseAddress ?? UnsafePointer(nothing.baseAddress!)
            while true {
                let end = min(position + places, text.count)
                pcre2_set_offset_limit_8(context, end)
                let result = pcre2_match_8(code, bytes, text.count, position, PCRE2_NO_UTF_CHECK, data, context)
                if result > 0 { return Self.groups(of: data) }
                guard result == PCRE2_ERROR_NOMATCH else { throw Self.error(result) }
                guard end < text.count else { return nil }
                let now = clock.now
                guard now - begin < patience else { throw .late }
                places = now - last < .milliseconds(5) ? places * 4 : max(16, places / 4)
                (position, last) = (end + 1, now)
                while position < text.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
            }
        }
    }

    private static func groups(of data: OpaquePointer?) -> [Range<Int>?] {
        guard let ends = pcre2_get_ovector_pointer_8(data) else { return [] }
        return (0..<Int(pcre2_get_ovector_count_8(data))).map { index in
            let (start, end) = (ends[2 * index], ends[2 * index + 1])
            // `\K` can put the start behind the end.
            return start < 0 || end < 0 ? nil : min(start, end)..<end
        }
    }

    private static func error(_ code: Int32) -> RegularExpressionError {
        switch code {
        case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT: .late
        default: RegularExpressionError(message(code))
        }
    }

    package func finds(in text: String) throws(RegularExpressionError) -> Bool { try match(in: text) { $0 } != nil }

    /// The first group of the first match, or the whole match where the expression has no group; `nil` when nothing matches, or the group
    /// takes no part in it.
    package func group(in text: String) throws(RegularExpressionError) -> String? {
        try match(in: text) { $0.count > 1 ? $0[1] : $0[0] }.flatMap(\.self).map { range in
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
        }
    }

    private func match<Found>(in text: String, _ read: ([Range<Int>?]) -> Found) throws(RegularExpressionError) -> Found? {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(RegularExpressionError) in try firstMatch(in: bytes) }
        }
        return try result.get().map(read)
    }
}

/// Why nobody knows whether an expression matches.
package struct RegularExpressionError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }

    static let late = RegularExpressionError(
        "takes too many steps: a repetition in a repetition, such as (a+)+, can be tried in too many ways")
}

/// What is known while expectations are checked: the time, and what regular expressions find.
struct MatchContext {
    /// When the response came.
    let now: Date
    /// Why an answer isn't known; then the result means nothing.
    private(set) var problem: String?

    init(now: Date = Date()) { self.now = now }

    mutating func finds(
        _ pattern: String, ignoringCase: Bool = false, _ flavour: RegularExpression.Flavour = .pcre2, in text: String
    ) -> Bool {
        ask(pattern) { () throws(RegularExpressionError) in
            try RegularExpression.compiled(pattern, ignoringCase: ignoringCase, flavour).finds(in: text)
        } ?? false
    }

    /// ``RegularExpression/group(in:)``
    mutating func group(_ pattern: String, ignoringCase: Bool, in text: String) -> String? {
        ask(pattern) { () throws(RegularExpressionError) in
            try RegularExpression.compiled(pattern, ignoringCase: ignoringCase).group(in: text)
        } ?? nil
    }

    private mutating func ask<Answer>(_ pattern: String, _ question: () throws(RegularExpressionError) -> Answer) -> Answer? {
        do throws(RegularExpressionError) {
            return try question()
        } catch {
            problem = "/\(pattern)/ \(error.message)"
            return nil
        }
    }
}
