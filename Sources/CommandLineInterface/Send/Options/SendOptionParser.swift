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
                message: "send takes one URL, and there are two: \(first) and \(url). Quote what belongs together; "
                    + "many requests are a collection, for `turnstone run`.")
        }
        arguments.url = url
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
        let near =
            name.hasPrefix("--")
            ? nearestName(to: String(name.dropFirst(2)), in: SendOption.all.map(\.long)).map { " Did you mean --\($0)?" } ?? "" : ""
        return CommandFailure(
            status: .usage, message: "send has no option \(name).\(near) `turnstone send --help` lists all of them.")
    }
}
