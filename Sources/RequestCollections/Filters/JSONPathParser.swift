import NetworkLayer

/// Reads the part of jq's language that is a path; what goes beyond it is `nil`, not an error: jq itself says what is wrong with it.
struct JSONPathParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isLetter(first) else { return false }
        return name.unicodeScalars.allSatisfy { isLetter($0) || isDigit($0) }
    }

    mutating func path() -> [JSONFilter.Step]? {
        var steps: [JSONFilter.Step] = []
        repeat {
            guard let more = term() else { return nil }
            steps += more
            skipSpace()
        } while consume("|")
        return position == scalars.count ? steps : nil
    }

    /// What stands between two pipes.
    private mutating func term() -> [JSONFilter.Step]? {
        skipSpace()
        guard consume(".") else { return nil }
        var steps: [JSONFilter.Step] = []
        if consume(".") {
            steps.append(.recurse)
        } else if current.map(Self.isLetter) == true || current == "\"" {
            guard let step = member() else { return nil }
            steps.append(step)
        }
        while true {
            skipSpace()
            if consume("[") {
                guard let step = bracket() else { return nil }
                steps.append(step)
            } else if current == ".", position + 1 < scalars.count, scalars[position + 1] != "." {
                position += 1
                guard let step = member() else { return nil }
                steps.append(step)
            } else {
                return steps
            }
        }
    }

    private mutating func member() -> JSONFilter.Step? {
        // jq 1.7 writes `.a.[0]` as well.
        if consume("[") { return bracket() }
        let name: String
        if current == "\"" {
            guard let text = string() else { return nil }
            name = text
        } else {
            guard let first = current, Self.isLetter(first) else { return nil }
            let start = position
            while let scalar = current, Self.isLetter(scalar) || Self.isDigit(scalar) { position += 1 }
            name = text(start..<position)
        }
        return .member(name, isOptional: question())
    }

    /// What stands in brackets, the opening one taken.
    private mutating func bracket() -> JSONFilter.Step? {
        skipSpace()
        if consume("]") { return .each(isOptional: question()) }
        if current == "\"" {
            guard let name = string() else { return nil }
            skipSpace()
            return consume("]") ? .member(name, isOptional: question()) : nil
        }
        let first = integer()
        skipSpace()
        if consume(":") {
            skipSpace()
            let second = integer()
            skipSpace()
            guard first != nil || second != nil, consume("]") else { return nil }
            return .slice(from: first, to: second, isOptional: question())
        }
        guard let first, consume("]") else { return nil }
        return .item(first, isOptional: question())
    }

    private mutating func question() -> Bool {
        var isThere = false
        while true {
            let start = position
            skipSpace()
            guard consume("?") else {
                position = start
                break
            }
            // `?//` is another operator.
            if current == "/" {
                position = start
                break
            }
            isThere = true
        }
        return isThere
    }

    private mutating func integer() -> Int? {
        let start = position
        _ = consume("-")
        let digits = position
        while let scalar = current, Self.isDigit(scalar) { position += 1 }
        guard position > digits, let value = Int(text(start..<position)) else {
            position = start
            return nil
        }
        return value
    }

    /// A string's text. One with an interpolation, `\(…)`, is beyond a path.
    private mutating func string() -> String? {
        let rest = Array(text(position..<scalars.count).utf8)
        guard let end = JSONStringLiteral.end(in: rest, at: 0), let value = JSONStringLiteral.decode(rest[..<end]) else {
            return nil
        }
        position += String(decoding: rest[..<end], as: UTF8.self).unicodeScalars.count
        return value
    }

    // MARK: Characters

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let scalar = current, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { position += 1 }
    }

    private func text(_ range: Range<Int>) -> String {
        String(scalars: scalars[range])
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
    }
}
