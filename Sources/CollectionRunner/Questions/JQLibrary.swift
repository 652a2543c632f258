import Base
import CJQ
import RequestCollections

/// libjq: programs and bodies in, values out. To be used by one thread at a time.
final class JQLibrary {
    /// A limit, so that a run with ever new programs doesn't keep them all.
    private static let mostPrograms = 1000

    /// Compiled once: that costs jq 1.6 some 20 ms.
    private var programs: [String: Result<JQCompiled, BodyFilterError>] = [:]

    /// Why this machine has none that can be used.
    static let problem: String? = turnstone_jq_problem().map { "the jq library can't be loaded: \(String(cString: $0))" }

    func compiled(_ program: String) -> Result<JQCompiled, BodyFilterError> {
        if let problem = Self.problem { return .failure(BodyFilterError(problem)) }
        if let known = programs[program] { return known }
        if programs.count == Self.mostPrograms { programs = [:] }
        let refusal = JSONFilter.refusedName(in: program).map {
            BodyFilterError(
                "`\($0)` reaches out of the body, which a filter may not: into the environment, into files, or into the process")
        }
        let compiled = refusal.map { .failure($0) } ?? JQCompiled.compile(program)
        programs[program] = compiled
        return compiled
    }

    /// What each finds in a body, which may have several values of JSON.
    func values(of programs: [String], in body: Data, limit: Int) -> [BodyAnswer] {
        let compiled = programs.map(compiled)
        if let problem = Self.problem { return programs.map { _ in .failure(BodyFilterError(problem)) } }
        let inputs = JQInputs.read(body)
        let lost = JQInputs.lostDigits(of: programs, body)
        return zip(programs, compiled).map { program, compiled in
            compiled.flatMap { compiled in
                inputs.flatMap { inputs in
                    lost[program].map { .failure($0) } ?? compiled.values(in: inputs, limit: limit)
                }
            }
        }
    }
}

/// The values of JSON in a body.
final class JQInputs {
    let values: [jv]

    private init(_ values: [jv]) { self.values = values }

    deinit { for value in values { jv_free(value) } }

    static func read(_ body: Data) -> Result<JQInputs, BodyFilterError> {
        var values: [jv] = []
        let parser = jv_parser_new(0)
        defer { jv_parser_free(parser) }
        var complaint: String?
        body.withUnsafeBytes { bytes in
            jv_parser_set_buf(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), 0)
            while true {
                let value = jv_parser_next(parser)
                guard jv_get_kind(value) == JV_KIND_INVALID else {
                    values.append(value)
                    continue
                }
                complaint = JQText.message(ofInvalid: value)
                break
            }
        }
        if values.isEmpty, complaint == nil { return .failure(BodyFilterError("the body is empty")) }
        let inputs = JQInputs(values)
        guard let complaint else { return .success(inputs) }
        let isDeep = complaint.contains("depth limit")
        return .failure(
            BodyFilterError(
                isDeep
                    ? "the body is nested deeper than the jq library of this machine reads; a path such as `.a[0]` goes as deep as it is"
                    : "the body isn't JSON: \(complaint)"))
    }
}

extension JQInputs {
    /// A jq before 1.7 makes another number of a long integer, and later ones do so where they calculate: it would pass for the right one. What is
    /// evaluated here keeps all digits, so only jq's programs are refused, with each version.
    static func lostDigits(of programs: [String], _ body: Data) -> [String: BodyFilterError] {
        let plain = body.withUnsafeBytes { LongInteger.first(in: $0) }
        return programs.reduce(into: [:]) { problems, program in
            let readsTexts = ["fromjson", "tonumber"].contains { program.contains($0) }
            let inBody = plain ?? (readsTexts ? body.withUnsafeBytes { LongInteger.first(in: $0, inTexts: true) } : nil)
            guard let integer = inBody ?? LongInteger.first(in: program.utf8) else { return }
            problems[program] = BodyFilterError(
                "\(inBody == nil ? "it" : "the body") has the integer \(integer), whose last digits jq loses; paths such as `.a.b[0]`, and the "
                    + "programs that Turnstone evaluates itself, keep them")
        }
    }
}

/// A compiled program.
final class JQCompiled {
    private let state: OpaquePointer

    private init(_ state: OpaquePointer) { self.state = state }

    deinit {
        var state: OpaquePointer? = state
        jq_teardown(&state)
    }

    static func compile(_ program: String) -> Result<JQCompiled, BodyFilterError> {
        guard let state = jq_init() else { return .failure(BodyFilterError("jq has no memory")) }
        let said = JQErrors()
        jq_set_error_cb(state, { JQErrors.note($0, $1) }, Unmanaged.passUnretained(said).toOpaque())
        let isCompiled = jq_compile(state, program) != 0
        jq_set_error_cb(state, { JQErrors.ignore($0, $1) }, nil)
        // jq 1.6 leaves it to chance whom `debug` talks to.
        jq_set_debug_cb(state, { JQErrors.ignore($0, $1) }, nil)
        guard isCompiled else {
            var gone: OpaquePointer? = state
            jq_teardown(&gone)
            return .failure(BodyFilterError(said.sentence))
        }
        return .success(JQCompiled(state))
    }

    func values(in inputs: JQInputs, limit: Int) -> BodyAnswer {
        var output = Data()
        for input in inputs.values {
            jq_start(state, jv_copy(input), 0)
            while true {
                let value = jq_next(state)
                guard jv_get_kind(value) != JV_KIND_INVALID else {
                    if let message = JQText.message(ofInvalid: value) { return .failure(BodyFilterError(message)) }
                    break
                }
                guard JQText.append(value, to: &output, limit: limit) else { return .failure(.tooLong(limit)) }
            }
        }
        return .success(output)
    }
}

/// What jq says of a program that it can't compile: its first line.
private final class JQErrors {
    private var first: String?

    static func note(_ context: UnsafeMutableRawPointer?, _ message: jv) {
        guard let context else { return jv_free(message) }
        let errors = Unmanaged<JQErrors>.fromOpaque(context).takeUnretainedValue()
        let text = JQText.message(of: message)
        if errors.first == nil { errors.first = String(text.prefix { !$0.isNewline }) }
    }

    static func ignore(_: UnsafeMutableRawPointer?, _ message: jv) { jv_free(message) }

    var sentence: String {
        var text = Substring(first ?? "it can't be compiled")
        if text.hasPrefix("jq: error: ") { text = text.dropFirst("jq: error: ".count) }
        // A shell has nothing to do with it.
        if let hint = text.firstRange(of: " (Unix shell quoting issues?)") { text.removeSubrange(hint) }
        return String(text)
    }
}

private enum JQText {
    /// Takes the value. `nil` where there is just no more.
    static func message(ofInvalid value: jv) -> String? {
        guard jv_invalid_has_msg(jv_copy(value)) != 0 else {
            jv_free(value)
            return nil
        }
        return message(of: jv_invalid_get_msg(value))
    }

    /// Takes the value. Without the beginnings of values that jq quotes, `string ("abcdefghij...)`, and what stands between two of them: of a
    /// secret cut off nobody knows any more that it is one. Versions differ in where they cut, and in how they close the quotes.
    static func message(of value: jv) -> String {
        let text = jv_get_kind(value) == JV_KIND_STRING ? string(value) : "(not a string): \(string(jv_dump_string(value, 0)))"
        guard text.contains("..."), let start = text.firstIndex(where: { "(\"'".contains($0) }) else { return text }
        let end = text.lastIndex { ")\"'".contains($0) } ?? start
        // The cut may be the end.
        let isCutLast = text[end...].contains("...")
        return text[..<start] + "(…)" + (isCutLast || end <= start ? "" : text[text.index(after: end)...])
    }

    /// Takes the value.
    ///
    /// - Returns: whether it fits.
    static func append(_ value: jv, to output: inout Data, limit: Int) -> Bool {
        let text = jv_dump_string(value, 0)
        defer { jv_free(text) }
        let count = Int(jv_string_length_bytes(jv_copy(text)))
        guard output.count + count <= limit else { return false }
        output.append(UnsafeRawBufferPointer(start: jv_string_value(text), count: count).assumingMemoryBound(to: UInt8.self))
        output.append(0x0A)
        return true
    }

    private static func string(_ value: jv) -> String {
        defer { jv_free(value) }
        return String(cString: jv_string_value(value))
    }
}

/// Integers of JSON, and of programs for jq, that a `Double` can't hold.
enum LongInteger {
    /// The first integer that is farther from 0 than 2^53, outside of texts.
    ///
    /// - Parameter inTexts: in texts, too.
    static func first(in bytes: some Sequence<UInt8>, inTexts: Bool = false) -> String? {
        var digits: [UInt8] = []
        var isInText = false
        var isEscaped = false
        /// Behind a point, a letter or another digit: a fraction, an exponent, a name.
        var isPart = false
        for byte in bytes {
            if isInText {
                let ends = !isEscaped && byte == UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                isInText = !ends
                continue
            }
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit, !isPart {
                digits.append(byte)
                continue
            }
            let goesOn = isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
            if !goesOn, isLong(digits) { return String(decoding: digits, as: UTF8.self) }
            digits.removeAll(keepingCapacity: true)
            isPart = goesOn
            isInText = !inTexts && byte == UInt8(ascii: "\"")
        }
        return isLong(digits) ? String(decoding: digits, as: UTF8.self) : nil
    }

    private static let most = Array("9007199254740992".utf8)

    private static func isLong(_ digits: [UInt8]) -> Bool {
        let digits = digits.drop { $0 == 0x30 }
        return digits.count > most.count || (digits.count == most.count && most.lexicographicallyPrecedes(digits))
    }
}
