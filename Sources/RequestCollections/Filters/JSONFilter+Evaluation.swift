package import Base
import NetworkLayer

extension JSONFilter {
    /// What a path finds in a body, which may also be several values behind one another (JSON lines).
    ///
    /// - Parameter emit: is given the text of each value, as it stands in the body. What was given before an error is right.
    /// - Throws: when the body isn't JSON, when a step doesn't fit the value that it meets, and for a filter that ``needsProcess``.
    package func find(in body: Data, _ emit: (UnsafeBufferPointer<UInt8>) -> Void) throws(JSONFilterError) {
        try search(body) { text, _ in emit(text) }
    }

    /// - Parameter emit: is also told whether the value is there: what isn't is null.
    private func search(
        _ body: Data, _ emit: (_ text: UnsafeBufferPointer<UInt8>, _ isThere: Bool) -> Void
    ) throws(JSONFilterError) {
        guard let steps else { throw JSONFilterError("`\(source)` is more than a path: it is asked elsewhere") }
        let result = withoutActuallyEscaping(emit) { emit in
            body.withUnsafeBytes { raw -> Result<Void, JSONFilterError> in
                let json = JSONSkipper(bytes: raw.bindMemory(to: UInt8.self))
                let evaluator = JSONPathEvaluator(json: json, steps: steps, emit: emit)
                return Result { () throws(JSONFilterError) in try evaluator.run() }
            }
        }
        try result.get()
    }

    /// What a path finds in a body, as values.
    package func values(in body: Data) throws(JSONFilterError) -> [JSONValue] {
        try found(in: body).map { $0 ?? .null }
    }

    /// The same; `nil` for each that isn't there.
    func found(in body: Data) throws(JSONFilterError) -> [JSONValue?] {
        var values: [JSONValue?] = []
        var isTooDeep = false
        try search(body) { text, isThere in
            if !isThere {
                values.append(nil)
            } else if let value = JSONParser.parse(String(decoding: text, as: UTF8.self)) {
                values.append(value)
            } else {
                isTooDeep = true
            }
        }
        if isTooDeep {
            throw JSONFilterError("what `\(source)` finds is nested deeper than \(JSONParser.maximumDepth) levels")
        }
        return values
    }
}

/// Walks a body along the steps of a path.
private struct JSONPathEvaluator {
    let json: JSONSkipper
    let steps: [JSONFilter.Step]
    let emit: (_ text: UnsafeBufferPointer<UInt8>, _ isThere: Bool) -> Void
    /// Whether what is walked stands in the body.
    var isThere = true

    func run() throws(JSONFilterError) {
        var position = json.afterSpace(0)
        guard position < json.bytes.count else { throw JSONFilterError("the body is empty") }
        while position < json.bytes.count {
            let end = try json.afterValue(position)
            try evaluate(0, at: position)
            position = json.afterSpace(end)
        }
    }

    /// Takes the steps from `index` on, beginning with the value at `position`, which is known to be whole.
    private func evaluate(_ index: Int, at position: Int, depth: Int = 0) throws(JSONFilterError) {
        guard index < steps.count else {
            return emit(UnsafeBufferPointer(rebasing: json.bytes[position..<(try json.afterValue(position))]), isThere)
        }
        let kind = json.bytes[position]
        switch (steps[index], kind) {
        case (.member(let name, _), UInt8(ascii: "{")):
            var found: Int?
            // Where several members have one name, the last one counts, as in jq.
            try forEachMember(at: position) { quote, value in
                if isName(name, at: quote) { found = value }
            }
            if let found { try evaluate(index + 1, at: found) } else { try evaluateNull(index + 1) }
        case (.item(let wanted, _), UInt8(ascii: "[")):
            let items = try items(at: position)
            let place = wanted < 0 ? wanted + items.count : wanted
            try items.indices.contains(place) ? evaluate(index + 1, at: items[place]) : evaluateNull(index + 1)
        case (.slice(let start, let end, _), UInt8(ascii: "[")):
            try evaluateSlice(index, of: try items(at: position), from: start, to: end)
        case (.slice(let start, let end, _), UInt8(ascii: "\"")):
            try evaluateSlice(index, ofStringAt: position, from: start, to: end)
        case (.each, UInt8(ascii: "[")), (.each, UInt8(ascii: "{")):
            for child in try children(at: position) { try evaluate(index + 1, at: child) }
        case (.recurse, _):
            try evaluate(index + 1, at: position)
            // A level takes stack here, unlike in the skipper.
            guard depth < JSONParser.maximumDepth else {
                throw JSONFilterError("the body is nested deeper than the \(JSONParser.maximumDepth) levels that `..` goes down")
            }
            for child in try children(at: position) { try evaluate(index, at: child, depth: depth + 1) }
        case (.member, UInt8(ascii: "n")), (.item, UInt8(ascii: "n")), (.slice, UInt8(ascii: "n")):
            try evaluateNull(index + 1)
        case (let step, _):
            if !step.isOptional { throw misfit(index, kind) }
        }
    }

    /// Goes on with a value that isn't in the body: what isn't there is null.
    private func evaluateNull(_ index: Int) throws(JSONFilterError) {
        try evaluate(index, of: Array("null".utf8), isThere: false)
    }

    private func evaluate(_ index: Int, of text: [UInt8], isThere: Bool = true) throws(JSONFilterError) {
        let result = text.withUnsafeBufferPointer { bytes in
            let evaluator = JSONPathEvaluator(json: JSONSkipper(bytes: bytes), steps: steps, emit: emit, isThere: isThere)
            return Result { () throws(JSONFilterError) in try evaluator.evaluate(index, at: 0) }
        }
        try result.get()
    }

    // MARK: Slices

    private func evaluateSlice(_ index: Int, of items: [Int], from start: Int?, to end: Int?) throws(JSONFilterError) {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (number, item) in items[Self.range(start, end, of: items.count)].enumerated() {
            if number > 0 { text.append(UInt8(ascii: ",")) }
            text += json.bytes[item..<(try json.afterValue(item))]
        }
        try evaluate(index + 1, of: text + [UInt8(ascii: "]")])
    }

    private func evaluateSlice(_ index: Int, ofStringAt position: Int, from start: Int?, to end: Int?) throws(JSONFilterError) {
        let literal = Array(json.bytes[position..<(try json.afterString(position))])
        let scalars = Array((JSONStringLiteral.decode(literal[...]) ?? "").unicodeScalars)
        var part = ""
        part.unicodeScalars.append(contentsOf: scalars[Self.range(start, end, of: scalars.count)])
        try evaluate(index + 1, of: Array(JSONText.quoted(part).utf8))
    }

    private static func range(_ start: Int?, _ end: Int?, of count: Int) -> Range<Int> {
        func place(_ index: Int?, _ otherwise: Int) -> Int {
            guard let index else { return otherwise }
            return min(max(index < 0 ? index + count : index, 0), count)
        }
        let first = place(start, 0)
        return first..<max(first, place(end, count))
    }

    // MARK: What is in a value

    private func children(at position: Int) throws(JSONFilterError) -> [Int] {
        switch json.bytes[position] {
        case UInt8(ascii: "["): return try items(at: position)
        case UInt8(ascii: "{"):
            var values: [Int] = []
            try forEachMember(at: position) { _, value in values.append(value) }
            return values
        default: return []
        }
    }

    private func items(at start: Int) throws(JSONFilterError) -> [Int] {
        var items: [Int] = []
        var position = json.afterSpace(start + 1)
        while json.bytes[position] != UInt8(ascii: "]") {
            if json.bytes[position] == UInt8(ascii: ",") { position = json.afterSpace(position + 1) }
            items.append(position)
            position = json.afterSpace(try json.afterValue(position))
        }
        return items
    }

    private func forEachMember(at start: Int, _ body: (_ quote: Int, _ value: Int) -> Void) throws(JSONFilterError) {
        var position = json.afterSpace(start + 1)
        while json.bytes[position] != UInt8(ascii: "}") {
            if json.bytes[position] == UInt8(ascii: ",") { position = json.afterSpace(position + 1) }
            let value = json.afterSpace(try json.afterName(position))
            body(position, value)
            position = json.afterSpace(try json.afterValue(value))
        }
    }

    private func isName(_ name: String, at quote: Int) -> Bool {
        guard let end = try? json.afterString(quote) else { return false }
        let literal = json.bytes[quote..<end]
        guard literal.contains(UInt8(ascii: "\\")) else { return literal.dropFirst().dropLast().elementsEqual(name.utf8) }
        return JSONStringLiteral.decode(Array(literal)[...])?.hasBytes(of: name) == true
    }

    // MARK: Errors

    private func misfit(_ index: Int, _ kind: UInt8) -> JSONFilterError {
        let value =
            switch kind {
            case UInt8(ascii: "{"): "an object"
            case UInt8(ascii: "["): "an array"
            case UInt8(ascii: "\""): "a string"
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
            case UInt8(ascii: "n"): "null"
            default: "a number"
            }
        let before = steps[..<index].map(\.text).joined()
        let place = before.hasPrefix(".") ? before : "." + before
        let sentence =
            switch steps[index] {
            case .member(let name, _): "`\(place)` is \(value), which has no member `\(name)`"
            case .item: "`\(place)` is \(value), which has no numbered items"
            case .slice: "`\(place)` is \(value), which can't be sliced"
            case .each, .recurse: "`\(place)` is \(value), which has nothing to go through"
            }
        return JSONFilterError(kind == UInt8(ascii: "[") ? sentence + "; `.[]` goes through its items" : sentence)
    }
}
