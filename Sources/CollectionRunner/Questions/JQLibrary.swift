import Base
import CJQ
import RequestCollections

/// libjq: programs and bodies in, values out. To be used by one thread at a time.
///
/// To compile a program costs jq 1.6 some 20 ms, of which nearly all goes into its own functions, and each further one in it a hundredth
/// of that. So many programs become one, which is told the way to the one that is to run:
///
///     .s as $__s | .b | if $__s[0] then if $__s[1] then (PROGRAM) else (PROGRAM) end else (PROGRAM) end
///
/// They run one after another all the same, so that an error of one is nobody else's. With a `try` around each, compiling takes five
/// times as long.
final class JQLibrary {
    /// jq has room for 65,535 bytes of its own code in a function, and a program may need several for each of its characters.
    private static let batchSize = 200
    private static let batchCharacters = 10_000
    /// A limit, so that a run with ever new programs doesn't keep them all.
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

    /// Why this machine has none that can be used.
    static let problem: String? = turnstone_jq_problem().map { "the jq library can't be loaded: \(String(cString: $0))" }

    /// Compiles programs, those that are new.
    ///
    /// - Returns: what is wrong, by program.
    func prepare(_ programs: [String]) -> [String: String] {
        if let problem = Self.problem { return Dictionary(programs.map { ($0, problem) }) { first, _ in first } }
        if batches.count > Self.mostBatches {
            batches = []
            places = [:]
        }
        var complaints: [String: String] = [:]
        var waiting: [String] = []
        for program in programs where places[program] == nil && !waiting.contains(program) {
            if JQNames.isClosed(program) { waiting.append(program) } else { compile([program], &complaints) }
        }
        var batch: [String] = []
        var characters = 0
        for program in waiting {
            if batch.count == Self.batchSize || characters + program.utf8.count > Self.batchCharacters, !batch.isEmpty {
                compile(batch, &complaints)
                (batch, characters) = ([], 0)
            }
            batch.append(program)
            characters += program.utf8.count
        }
        if !batch.isEmpty { compile(batch, &complaints) }
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

    private static func text(of programs: [String]) -> String { ".s as $__s | .b | " + choice(of: programs[...], depth: 0) }

    private static func choice(of programs: ArraySlice<String>, depth: Int) -> String {
        guard programs.count > 1 else { return "(\(programs.first ?? "empty")\n)" }
        let middle = middle(of: programs.indices)
        let (first, second) = (choice(of: programs[..<middle], depth: depth + 1), choice(of: programs[middle...], depth: depth + 1))
        return "if $__s[\(depth)] then \(first) else \(second) end"
    }

    private static func middle(of range: Range<Int>) -> Int { range.lowerBound + range.count / 2 }

    /// What leads to a program: at each fork whether it is in the first half.
    private static func way(to position: Int, among count: Int) -> [Bool] {
        var (range, way) = (0..<count, [Bool]())
        while range.count > 1 {
            let middle = middle(of: range)
            way.append(position < middle)
            range = position < middle ? range.lowerBound..<middle : middle..<range.upperBound
        }
        return way
    }

    /// What each finds in a body, which may have several values of JSON.
    func values(of programs: [String], in body: Data, limit: Int) -> [String: BodyAnswer] {
        var answers: [String: BodyAnswer] = [:]
        for (program, complaint) in prepare(programs) { answers[program] = .failure(BodyFilterError(complaint)) }
        guard Self.problem == nil else { return answers }
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
        for program in programs where answers[program] == nil {
            guard let place = places[program] else { continue }
            let batch = batches[place.batch]
            let way = batch.isAlone ? nil : Self.way(to: place.position, among: batch.count)
            answers[program] = batch.program.values(in: inputs, by: way, limit: limit)
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
        guard JQLibrary.problem == nil else { return false }
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
        // jq 1.6 leaves it to chance whom `debug` talks to.
        jq_set_debug_cb(state, { JQErrors.ignore($0, $1) }, nil)
        guard isCompiled else {
            var gone: OpaquePointer? = state
            jq_teardown(&gone)
            return .failure(BodyFilterError(said.sentence))
        }
        return .success(JQCompiled(state))
    }

    /// - Parameter way: to one of several programs; `nil`: it stands for itself.
    func values(in inputs: JQInputs, by way: [Bool]?, limit: Int) -> BodyAnswer {
        var output = Data()
        for input in inputs.values {
            jq_start(state, way.map { Self.input(input, by: $0) } ?? jv_copy(input), 0)
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

    private static func input(_ body: jv, by way: [Bool]) -> jv {
        let forks = way.reduce(jv_array()) { jv_array_append($0, jv_bool($1 ? 1 : 0)) }
        return jv_object_set(jv_object_set(jv_object(), jv_string("s"), forks), jv_string("b"), jv_copy(body))
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
