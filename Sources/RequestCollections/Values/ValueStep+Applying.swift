import Base
import NetworkLayer

/// What goes from step to step: a value of JSON, or bytes.
enum StepValue {
    case json(JSONValue)
    case bytes(Data)
}

/// Why a step gives nothing.
struct ValueStepError: Error, Hashable, Sendable {
    var message: String
    /// The one that gives nothing.
    var step: ValueStep?

    init(_ message: String, at step: ValueStep? = nil) {
        self.message = message
        self.step = step
    }

    /// Without anything of the value.
    var hidden: String { step.map { "`\($0)` can't take \(Redactor.mask)" } ?? Redactor.mask }
}

extension StepValue {
    /// Whether it is a list or a map.
    var isStructure: Bool {
        switch self {
        case .json(.array), .json(.object): true
        default: false
        }
    }

    /// The texts in it, by which a secret is known.
    var leafTexts: [String] {
        switch self {
        case .json(let json): json.leafTexts
        case .bytes(let bytes): [String(decoding: bytes, as: UTF8.self)]
        }
    }
}

extension [ValueStep] {
    /// What they make of a value; `nil` when there is nothing, such as no match.
    func applied(to value: StepValue, _ context: inout MatchContext) throws(ValueStepError) -> JSONValue? {
        var seen: [StepValue] = []
        return try applied(to: value, &context, &seen)
    }

    /// - Parameter seen: gets the value, and what each step makes of it, as far as they come.
    func applied(
        to value: StepValue, _ context: inout MatchContext, _ seen: inout [StepValue]
    ) throws(ValueStepError) -> JSONValue? {
        var value = value
        seen.append(value)
        for step in self {
            do throws(ValueStepError) {
                guard let next = try step.applied(to: value, &context) else { return nil }
                value = next
            } catch {
                throw ValueStepError(error.message, at: step)
            }
            seen.append(value)
        }
        switch value {
        case .json(let json): return json
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ValueStepError("\(bytes.count) bytes that are no text; `hex`, `sha256` or `charset` makes one of them")
            }
            return .string(text)
        }
    }
}

extension ValueStep {
    fileprivate func applied(to value: StepValue, _ context: inout MatchContext) throws(ValueStepError) -> StepValue? {
        switch self {
        case .word(let word): return try applied(word, to: value, now: context.now)
        case .path(let path): return try Self.find(path, in: value).map(StepValue.json)
        case .regex(let pattern, let ignoringCase):
            return context.group(pattern, ignoringCase: ignoringCase, in: try text(value)).map { .json(.string($0)) }
        case .nth(let index):
            let items = try items(value)
            let place = index < 0 ? items.count + index : index
            return items.indices.contains(place) ? .json(items[place]) : nil
        case .split(let separator):
            return .json(.array(try text(value).pieces(between: separator).map(JSONValue.string)))
        case .param(let name): return Self.parameter(name, of: try text(value)).map { .json(.string($0)) }
        case .charset(let name):
            guard let text = CharsetText.text(try bytes(value), in: name) else {
                throw ValueStepError("`\(name)` is no encoding that this system knows")
            }
            return .json(.string(text))
        case .date(let pattern):
            guard let date = DateText.parse(try text(value)) else { throw failure("is no date", value) }
            return TimeText(date).text(pattern).map { .json(.string($0)) }
        }
    }

    private func applied(_ word: Word, to value: StepValue, now: Date) throws(ValueStepError) -> StepValue? {
        switch word {
        case .base64: return .bytes(try decoded(try text(value)))
        case .base64url: return .bytes(try decoded(Self.plainBase64(try text(value))))
        case .unhex: return .bytes(try unhex(try text(value)))
        case .gunzip:
            let packed = try bytes(value)
            do throws(GzipError) {
                return .bytes(try Gzip.plain(packed))
            } catch {
                throw ValueStepError("`gunzip` \(error.message)")
            }
        case .url: return .json(.string(URLCoding.percentDecoded(try text(value), preservesPluses: false)))
        case .html: return .json(.string(HTMLText.unescaped(try text(value))))
        case .json: return .json(try json(try text(value)))
        case .jwt: return .json(try claims(of: try text(value)))
        case .toBase64: return .json(.string(try bytes(value).base64EncodedString()))
        case .toBase64url:
            let text = try bytes(value).base64EncodedString().replacing(scalars: "+", with: "-").replacing(scalars: "/", with: "_")
            return .json(.string(text.replacing(scalars: "=", with: "")))
        case .toURL: return .json(.string(Self.percentEncoded(try text(value))))
        case .toHTML: return .json(.string(Self.escaped(try text(value))))
        case .hex: return .json(.string(Self.hex(try bytes(value))))
        case .sha256: return .json(.string(Self.hex(DigestFunction.sha256.hash(try bytes(value)))))
        case .sha512: return .json(.string(Self.hex(DigestFunction.sha512.hash(try bytes(value)))))
        case .sha1: return .json(.string(Self.hex(DigestFunction.sha1.hash(try bytes(value)))))
        case .md5: return .json(.string(Self.hex(DigestFunction.md5.hash(try bytes(value)))))
        case .number: return .json(try number(value))
        case .text: return .json(.string(try text(value)))
        case .date:
            guard let date = DateText.parse(try text(value)) else { throw failure("is no date", value) }
            return .json(.string(DateText.format(date)))
        case .trim: return .json(.string(String(Substring(try text(value)).trimmed)))
        case .lower: return .json(.string(try text(value).lowercased()))
        case .upper: return .json(.string(try text(value).uppercased()))
        case .lines:
            var lines = try text(value).lines
            if lines.last?.isEmpty == true { lines.removeLast() }
            return .json(.array(lines.map { .string(String($0)) }))
        case .first: return try items(value).first.map(StepValue.json)
        case .last: return try items(value).last.map(StepValue.json)
        case .count: return .json(.number("\(try items(value).count)"))
        case .sort: return .json(.array(try items(value).sortedByValue()))
        case .unique:
            let items = try items(value)
            return .json(.array(items.indices.filter { !items[..<$0].contains(items[$0]) }.map { items[$0] }))
        }
    }

    // MARK: What they take

    private func text(_ value: StepValue) throws(ValueStepError) -> String {
        switch value {
        case .json(.string(let text)): return text
        case .json(.number(let digits)): return digits
        case .json(.boolean(let flag)): return "\(flag)"
        case .bytes(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            throw failure("takes a text", value)
        case .json: throw failure("takes a text", value)
        }
    }

    private func bytes(_ value: StepValue) throws(ValueStepError) -> Data {
        if case .bytes(let bytes) = value { return bytes }
        return Data(try text(value).utf8)
    }

    private func items(_ value: StepValue) throws(ValueStepError) -> [JSONValue] {
        guard case .json(.array(let items)) = value else { throw failure("takes a list", value) }
        return items
    }

    private func failure(_ predicate: String, _ value: StepValue) -> ValueStepError {
        let found =
            switch value {
            case .bytes(let bytes): "\(bytes.count) bytes that are no text"
            case .json(let json): json.typed
            }
        return ValueStepError("`\(self)` \(predicate == "is no date" ? "takes a date" : predicate), and this is \(found)")
    }

    // MARK: What they make

    private func decoded(_ text: String) throws(ValueStepError) -> Data {
        let text = text.filter { !$0.isWhitespace }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text.hasSuffix("=") ? text : text + padding) else {
            throw ValueStepError("`\(self)` takes a text in that code, and this is none")
        }
        return data
    }

    private static func plainBase64(_ text: String) -> String {
        text.replacing(scalars: "-", with: "+").replacing(scalars: "_", with: "/")
    }

    private func unhex(_ text: String) throws(ValueStepError) -> Data {
        var data = Data()
        var rest = text.filter { !$0.isWhitespace && $0 != ":" }.utf8[...]
        while !rest.isEmpty {
            let pair = rest.prefix(2)
            guard pair.count == 2, pair.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
                let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { throw ValueStepError("`unhex` takes pairs of hexadecimal digits, and this has something else") }
            data.append(byte)
            rest = rest.dropFirst(2)
        }
        return data
    }

    private func json(_ text: String) throws(ValueStepError) -> JSONValue {
        guard let value = JSONParser.parse(text) else { throw ValueStepError("`\(self)` takes JSON, and this is none") }
        return value
    }

    private func claims(of token: String) throws(ValueStepError) -> JSONValue {
        let parts = token.pieces(at: ".")
        guard parts.count == 3 else { throw ValueStepError("`jwt` takes a token of three parts, and this has \(parts.count)") }
        let claims = try decoded(Self.plainBase64(String(parts[1])))
        return try json(String(decoding: claims, as: UTF8.self))
    }

    private func number(_ value: StepValue) throws(ValueStepError) -> JSONValue {
        let text = String(Substring(try text(value)).trimmed)
        guard case .number(let digits) = PlainScalar(text), ExactNumber(text) != nil else { throw failure("takes a number", value) }
        return .number(digits)
    }

    /// All but letters, digits, `-._~` (RFC 3986, section 2.3) and the slashes between parts of a path.
    private static func percentEncoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                encoded.append(byte)
            default: encoded += "%\(hex(CollectionOfOne(byte)).uppercased())".utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#x27;")].reduce(text) {
            $0.replacing(scalars: $1.0, with: $1.1)
        }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func find(_ path: String, in value: StepValue) throws(ValueStepError) -> JSONValue? {
        guard case .json(let json) = value else { throw ValueStepError("`\(path)` takes a value of JSON; `json` reads one") }
        do throws(JSONFilterError) {
            return try JSONFilter(path).found(in: Data(json.text(pretty: false).utf8)).first ?? nil
        } catch {
            throw ValueStepError(error.message)
        }
    }

    /// A parameter of a query, or of a field: `a=1&b=2`, `text/html; charset=utf-8`.
    private static func parameter(_ name: String, of text: String) -> String? {
        if let mark = text.firstIndex(of: "?") {
            let query = text[text.index(after: mark)...].prefix { $0 != "#" }
            for pair in query.pieces(at: "&") {
                let equals = pair.firstIndex(of: "=") ?? pair.endIndex
                guard URLCoding.percentDecoded(pair[..<equals], preservesPluses: false) == name else { continue }
                return equals == pair.endIndex
                    ? "" : URLCoding.percentDecoded(pair[pair.index(after: equals)...], preservesPluses: false)
            }
            return nil
        }
        for part in text.pieces(at: ";") {
            guard let equals = part.firstIndex(of: "="), part[..<equals].trimmed.lowercased() == name.lowercased() else { continue }
            let value = part[part.index(after: equals)...].trimmed
            return value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1
                ? String(value.dropFirst().dropLast()) : String(value)
        }
        return nil
    }
}

extension String {
    /// What stands between these scalars; empty pieces count.
    func pieces(between separator: String) -> [String] {
        var pieces: [String] = []
        var rest = self[...]
        while let place = rest.utf8.firstRange(of: separator.utf8) {
            pieces.append(String(rest[..<place.lowerBound]))
            rest = rest[place.upperBound...]
        }
        return pieces + [String(rest)]
    }
}

extension [JSONValue] {
    /// Numbers by their value before texts by their bytes; what is neither keeps its place behind them.
    func sortedByValue() -> [JSONValue] {
        enumerated().sorted { one, other in
            one.element.precedes(other.element) || (!other.element.precedes(one.element) && one.offset < other.offset)
        }.map(\.element)
    }

    var isSorted: Bool { zip(self, dropFirst()).allSatisfy { !$1.precedes($0) } }
}

extension JSONValue {
    fileprivate func precedes(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let one), .number(let other)):
            guard let one = ExactNumber(one), let other = ExactNumber(other) else { return false }
            return one < other
        case (.string(let one), .string(let other)): return one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.string, .number): return false
        case (.number, _), (.string, _): return true
        default: return false
        }
    }

    /// With its type: `the number 42`, `the text "42"`.
    package var typed: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "the boolean \(flag)"
        case .number(let digits): "the number \(digits)"
        case .string(let text): "the text \(ScalarWriter.doubleQuoted(text))"
        case .array(let items): "a list of \(items.count)"
        case .object(let members): "a map of \(members.count)"
        }
    }
}
