import CJQ
import FoundationEssentials
import RequestCollections

/// libjq: programs and bodies in, values out. To be used by one thread at a time.
///
/// To compile a program costs jq 1.6 some 40 ms, of which nearly all goes into its own functions. So many programs become one, and each
/// body says which of them it is for:
///
///     .s as $__s | .b | [(if $__s[0] then try [(PROGRAM)] catch {e: .} else null end), …]
final class JQLibrary {
    /// More take longer together than apart: jq takes the square of the time.
    private static let batchSize = 60
    /// So that a run of ever new programs doesn't keep them all.
    private static let mostBatches = 64

    private var batches: [Batch] = []
    private var places: [String: Place] = [:]

    private struct Place {
        var batch: Int
        var position: Int
    }

    private struct Batch {
        var program: JQCompiled
        /// Alone it stands for itself: it is nobody's business what it is made of.
        var isAlone: Bool
        var count: Int
    }

    /// Compiles programs, those that are new.
    ///
    /// - Returns: what is wrong, by program.
    func prepare(_ programs: [String]) -> [String: String] {
        if batches.count > Self.mostBatches {
            batches = []
            places = [:]
        }
        var complaints: [String: String] = [:]
        var waiting: [String] = []
        for program in programs where places[program] == nil && !waiting.contains(program) {
            if JQNames.isClosed(program) { waiting.append(program) } else { compile([program], &complaints) }
        }
        for start in stride(from: 0, to: waiting.count, by: Self.batchSize) {
            compile(Array(waiting[start..<min(start + Self.batchSize, waiting.count)]), &complaints)
        }
        return complaints
    }

    /// Where something is wrong in one of many, the halves are tried.
    private func compile(_ programs: [String], _ complaints: inout [String: String]) {
        let isAlone = programs.count == 1
        switch JQCompiled.compile(isAlone ? programs[0] : Self.text(of: programs)) {
        case .success(let program):
            for (position, text) in programs.enumerated() { places[text] = Place(batch: batches.count, position: position) }
            batches.append(Batch(program: program, isAlone: isAlone, count: programs.count))
        case .failure(let error) where isAlone: complaints[programs[0]] = error.message
        case .failure:
            compile(Array(programs[..<(programs.count / 2)]), &complaints)
            compile(Array(programs[(programs.count / 2)...]), &complaints)
        }
    }

    private static func text(of programs: [String]) -> String {
        let parts = programs.enumerated().map { index, program in
            "(if $__s[\(index)] then try [(\(program)\n)] catch {e: .} else null end)"
        }
        return ".s as $__s | .b | [\(parts.joined(separator: ",\n"))]"
    }

    /// What each finds in a body, which may have several values of JSON.
    func values(of programs: [String], in body: Data, limit: Int) -> [String: BodyAnswer] {
        var answers: [String: BodyAnswer] = [:]
        for (program, complaint) in prepare(programs) { answers[program] = .failure(BodyFilterError(complaint)) }
        let inputs: JQInputs
        switch JQInputs.read(body) {
        case .success(let read): inputs = read
        case .failure(let error):
            for program in programs where answers[program] == nil { answers[program] = .failure(error) }
            return answers
        }
        for (program, problem) in JQInputs.lostDigits(of: programs, body) where answers[program] == nil {
            answers[program] = .failure(problem)
        }
        let asked = Set(programs).filter { answers[$0] == nil }
        for (index, batch) in batches.enumerated() {
            let selected = asked.compactMap { program in
                places[program].flatMap { $0.batch == index ? (program: program, position: $0.position) : nil }
            }
            guard !selected.isEmpty else { continue }
            if batch.isAlone {
                answers[selected[0].program] = batch.program.values(in: inputs, limit: limit)
            } else {
                let found = batch.program.values(in: inputs, of: selected.map(\.position), outOf: batch.count, limit: limit)
                for (program, position) in selected { answers[program] = found[position] }
            }
        }
        return answers
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
        return complaint.map { .failure(BodyFilterError("the body isn't JSON: \($0)")) } ?? .success(inputs)
    }
}

extension JQInputs {
    /// Whether this jq takes every number for a `Double`, as it does before 1.7: then 9007199254740993 becomes 9007199254740992.
    static let roundsIntegers: Bool = {
        let text = jv_dump_string(jv_parse("9007199254740993"), 0)
        defer { jv_free(text) }
        return String(cString: jv_string_value(text)) != "9007199254740993"
    }()

    /// What such a jq makes of a long integer is another number, and would pass for it.
    static func lostDigits(of programs: [String], _ body: Data) -> [(program: String, problem: BodyFilterError)] {
        guard roundsIntegers else { return [] }
        let inBody = body.withUnsafeBytes { LongInteger.first(in: $0) }
        return programs.compactMap { program in
            guard let integer = inBody ?? LongInteger.first(in: program.utf8) else { return nil }
            let what = "\(inBody == nil ? "it" : "the body") has the integer \(integer)"
            return (
                program,
                BodyFilterError(
                    "\(what), and the jq library of this machine loses the last digits of such; that of jq 1.7 keeps them, "
                        + "and so do paths such as `.a.b[0]`")
            )
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
        guard isCompiled else {
            var gone: OpaquePointer? = state
            jq_teardown(&gone)
            return .failure(BodyFilterError(said.sentence))
        }
        return .success(JQCompiled(state))
    }

    /// Of a program that stands for itself.
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

    /// Of several programs in one, by their positions.
    func values(in inputs: JQInputs, of positions: [Int], outOf count: Int, limit: Int) -> [Int: BodyAnswer] {
        var answers = Dictionary(uniqueKeysWithValues: positions.map { ($0, BodyAnswer.success(Data())) })
        for input in inputs.values {
            let selected = Set(positions.filter { if case .success? = answers[$0] { true } else { false } })
            var flags = jv_array()
            for position in 0..<count { flags = jv_array_append(flags, jv_bool(selected.contains(position) ? 1 : 0)) }
            let whole = jv_object_set(
                jv_object_set(jv_object(), jv_string("s"), flags), jv_string("b"), jv_copy(input))
            jq_start(state, whole, 0)
            let results = jq_next(state)
            defer { jv_free(results) }
            for position in selected {
                guard jv_get_kind(results) == JV_KIND_ARRAY else {
                    answers[position] = .failure(BodyFilterError("it gave nothing"))
                    continue
                }
                let result = jv_array_get(jv_copy(results), Int32(position))
                answers[position] = Self.add(result, to: answers[position], limit)
            }
        }
        return answers
    }

    /// A list of values, or `{e: error}`.
    private static func add(_ result: jv, to answer: BodyAnswer?, _ limit: Int) -> BodyAnswer {
        defer { jv_free(result) }
        guard jv_get_kind(result) == JV_KIND_ARRAY, case .success(var output)? = answer else {
            return .failure(BodyFilterError(JQText.message(of: jv_object_get(jv_copy(result), jv_string("e")))))
        }
        for index in 0..<jv_array_length(jv_copy(result)) {
            guard JQText.append(jv_array_get(jv_copy(result), index), to: &output, limit: limit) else {
                return .failure(.tooLong(limit))
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

    /// Takes the value. Without the beginnings of values that jq quotes, `string ("abcdefghij...)`: of a secret cut off nobody knows any
    /// more that it is one.
    static func message(of value: jv) -> String {
        var result = ""
        let text = jv_get_kind(value) == JV_KIND_STRING ? string(value) : "(not a string): \(string(jv_dump_string(value, 0)))"
        var rest = Substring(text)
        while let end = rest.firstRange(of: "...)"), let start = rest[..<end.lowerBound].lastIndex(of: "(") {
            result += rest[...start] + "…)"
            rest = rest[end.upperBound...]
        }
        return result + rest
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
