import RequestCollections

/// Reads a command line of `turnstone send` as curl does: `-sSL`, `-XPUT`, `-d x`, `--data x`, `--no-location`, and `--` before a
/// URL that begins with a dash. `--data=x` works too.
enum SendOptionParser {
    static func parse(_ words: [String]) throws -> SendArguments {
        var arguments = SendArguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                for url in rest { try take(url: url, into: &arguments) }
                break
            } else if word.hasPrefix("--") {
                try takeLong(word.dropFirst(2), &rest, &arguments)
            } else if word.hasPrefix("-"), word != "-" {
                try takeLetters(word.dropFirst(), &rest, &arguments)
            } else {
                try take(url: word, into: &arguments)
            }
        }
        return arguments
    }

    static func take(url: String, into arguments: inout SendArguments) throws {
        if let first = arguments.url {
            throw CommandFailure(
                status: .usage,
                message: way(of: first, url)
                    ?? "send takes one URL, and there are two: \(first) and \(url). Quote what belongs together; "
                    + "many requests are a collection, for `turnstone run`.")
        }
        arguments.url = url
    }

    /// What HTTPie would take: a method before the URL, and fields behind it.
    private static func way(of first: String, _ second: String) -> String? {
        if first.wholeMatch(of: /[A-Z]{3,}/) != nil {
            return "\(first) is taken for a URL; a method stands behind -X: -X \(first) \(second)"
        }
        // Neither a scheme nor a port.
        guard let field = second.wholeMatch(of: /[\w.-]+(:=|==|=|:(?!\/\/|[0-9]+(?:\/.*)?$)).*/) else { return nil }
        let way =
            switch field.1 {
            case ":=": "--json '{…}' sends JSON"
            case "==": "a parameter belongs to the URL, or to -G -d"
            case ":": "-H '\(second)' is a header"
            default: "-d '\(second)' sends a form, --json '{…}' JSON"
            }
        return "\(second) is no second URL that send would take: \(way)."
    }

    private static func takeLong(_ text: Substring, _ rest: inout ArraySlice<String>, _ arguments: inout SendArguments) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        if let option = SendOption.named(name) {
            guard option.argument != nil else {
                guard parts.count == 1 else {
                    throw CommandFailure(status: .usage, message: "--\(name) takes no value: leave out \"=\(parts[1])\".")
                }
                return try apply(option, "", &arguments)
            }
            let value = parts.count == 2 ? String(parts[1]) : try next(after: "--\(name)", option, &rest)
            return try apply(option, value, &arguments)
        }
        if name.hasPrefix("no-"), parts.count == 1, let option = SendOption.named(String(name.dropFirst(3))),
            case .flag(let place) = option.take
        {
            arguments[keyPath: place] = false
            return
        }
        throw unknown("--\(name)")
    }

    private static func takeLetters(
        _ text: Substring, _ rest: inout ArraySlice<String>, _ arguments: inout SendArguments
    ) throws {
        var letters = text
        while let letter = letters.popFirst() {
            guard let option = SendOption.lettered(letter) else { throw unknown("-\(letter)") }
            guard option.argument != nil else {
                try apply(option, "", &arguments)
                continue
            }
            // What follows in the same word is its value.
            return try apply(option, letters.isEmpty ? next(after: "-\(letter)", option, &rest) : String(letters), &arguments)
        }
    }

    private static func next(after name: String, _ option: SendOption, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else {
            throw CommandFailure(status: .usage, message: "\(name) takes a value: \(name) \(option.argument ?? "").")
        }
        return value
    }

    private static func apply(_ option: SendOption, _ value: String, _ arguments: inout SendArguments) throws {
        switch option.take {
        case .flag(let place): arguments[keyPath: place] = true
        case .text(let place): arguments[keyPath: place] = value
        case .list(let place): arguments[keyPath: place].append(value)
        case .seconds(let place):
            guard let seconds = Double(value), seconds >= 0, seconds < 1e9 else {
                throw CommandFailure(
                    status: .usage, message: "--\(option.long) \(value) is no number of seconds. Write 2 or 0.5.")
            }
            arguments[keyPath: place] = seconds
        case .count(let place):
            guard let count = Int(value) else {
                throw CommandFailure(status: .usage, message: "--\(option.long) \(value) is no whole number.")
            }
            arguments[keyPath: place] = count
        case .action(let act): try act(&arguments, value)
        case .nothing: break
        }
    }

    private static func unknown(_ name: String) -> CommandFailure {
        // Another number is another thing, and no slip: --http1.0 isn't --http1.1.
        func letters(_ name: some StringProtocol) -> String { String(name.filter { !$0.isNumber }) }
        let word = name.dropFirst(2)
        let options = SendOption.all.map(\.long).filter { letters($0) != letters(word) }
        let near =
            name.hasPrefix("--") ? nearestName(to: String(word), in: options).map { " Did you mean --\($0)?" } ?? "" : ""
        return CommandFailure(
            status: .usage, message: "send has no option \(name).\(near) `turnstone send --help` lists all of them.")
    }
}
