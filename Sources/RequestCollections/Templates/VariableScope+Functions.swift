import Base
import NetworkLayer

extension VariableScope {
    /// What an expression stands for, with its type.
    mutating func value(of node: TemplateNode, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        switch node.expression {
        case .string(let text): return .string(text)
        case .number(let digits): return LabelledValue(.number(digits))
        case .boolean(let flag): return LabelledValue(.boolean(flag))
        case .null: return LabelledValue(.null)
        case .duration(let duration): return .string(DurationText.format(duration))
        case .range(let range): return .string("\(range.lowerBound)..\(range.upperBound)")
        case .variable(let name): return try value(of: name, at: location)
        case .call(let call): return try value(of: call, at: location)
        case .list(let nodes):
            var values: [JSONValue] = []
            var labels: [SecretLabel] = []
            for node in nodes {
                let value = try value(of: node, at: location)
                values.append(value.value)
                labels.add(value.labels)
            }
            return LabelledValue(.array(values), labels: labels)
        }
    }

    private mutating func value(of call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        guard !pending.isEmpty else { return try known(call, at: location) }
        let readBefore = readsPending
        readsPending = false
        defer { readsPending = readsPending || readBefore }
        do throws(ResolutionError) {
            return try known(call, at: location)
        } catch {
            // A placeholder is no length and no range. Where the secrets beside it go must be known all the same.
            guard readsPending else { throw error }
            return LabelledValue(
                .string("‹\(call.function.rawValue)›"), labels: labels(of: Array(call.arguments.values) + call.rest))
        }
    }

    /// Those of all values that can be filled in.
    mutating func labels(of nodes: [TemplateNode]) -> [SecretLabel] {
        var labels: [SecretLabel] = []
        for node in nodes { labels.add((try? value(of: node, at: nil))?.labels ?? []) }
        return labels
    }

    private mutating func known(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        if sources.mode.judges, let text = try judged(call, at: location) { return .string(text) }
        switch call.function {
        case .base64, .sha256, .hmac, .item, .default: break
        case .uuid, .now, .timestamp, .random, .env, .file, .command, .prompt, .select, .response: takesWhatChanges = true
        }
        switch call.function {
        case .uuid: return .string(uuid())
        case .now: return LabelledValue(try now(call, at: location))
        case .timestamp: return LabelledValue(try timestamp(call, at: location))
        case .random: return LabelledValue(try random(call, at: location))
        case .base64:
            let text = try labelled(call, "text", at: location)
            return derived(.base64(text.text), from: text.labels) { Data(text.text.utf8).base64EncodedString() }
        case .sha256:
            let text = try labelled(call, "text", at: location)
            let encoding = try encoding(call, at: location)
            return derived(.sha256(text.text, encoding), from: text.labels) {
                Self.encoded(DigestFunction.sha256.hash(Data(text.text.utf8)), encoding)
            }
        case .hmac: return try hmac(call, at: location)
        case .env: return try environmentVariable(call, at: location)
        case .file: return try file(call, at: location)
        case .command:
            let words = try arguments(texts(of: call.rest, at: location), of: "command()", at: location)
            let directory = directory(of: location)
            let (want, permit) = try command(in: directory, at: location) { (scope) throws(ResolutionError) in
                try scope.texts(of: call.rest, at: location)
            }
            return try answer(
                .command(CommandRequirement(words: words, directory: directory, want: want)), permit: permit, at: location)
        case .prompt: return try prompt(call, at: location)
        case .select: return try select(call, at: location)
        case .response: return try response(call, at: location)
        case .item: return try item(call, at: location)
        case .default: return try fallback(call, at: location)
        }
    }

    // MARK: Arguments

    private mutating func text(_ call: TemplateCall, _ parameter: String, at location: SourceLocation?) throws(ResolutionError)
        -> String?
    {
        guard let node = call[parameter] else { return nil }
        return try value(of: node, at: location).text.text
    }

    private mutating func required(_ call: TemplateCall, _ parameter: String, at location: SourceLocation?)
        throws(ResolutionError) -> String
    {
        try labelled(call, parameter, at: location).text
    }

    private mutating func labelled(_ call: TemplateCall, _ parameter: String, at location: SourceLocation?)
        throws(ResolutionError) -> LabelledText
    {
        // ``TemplateCall`` made sure that it is there.
        guard let node = call[parameter] else { return LabelledText() }
        return try value(of: node, at: location).text
    }

    mutating func texts(of nodes: [TemplateNode], at location: SourceLocation?) throws(ResolutionError)
        -> [LabelledText]
    {
        var texts: [LabelledText] = []
        for node in nodes {
            let value = try value(of: node, at: location)
            if case .array(let values) = value.value {
                texts += values.map { LabelledText($0.plainText, labels: value.labels) }
            } else {
                texts.append(value.text)
            }
        }
        return texts
    }

    /// The words of a command. No secret may be among them: everybody on the machine can read the arguments of its programs.
    func arguments(
        _ words: [LabelledText], of user: String, at location: SourceLocation?
    ) throws(ResolutionError) -> [String] {
        if let label = words.lazy.flatMap(\.labels).first {
            throw ResolutionError(
                .secret,
                "`\(label.name)` is a secret, and an argument of `\(user)` shows it to everybody who can list this machine's "
                    + "processes; let the program read it itself, from the environment or a file",
                at: location)
        }
        return words.map(\.text)
    }

    private mutating func duration(_ call: TemplateCall, _ parameter: String, at location: SourceLocation?)
        throws(ResolutionError) -> Duration?
    {
        guard let node = call[parameter] else { return nil }
        if case .duration(let duration) = node.expression { return duration }
        let text = try value(of: node, at: location).text.text
        let unsigned = text.drop { $0 == "-" || $0 == "+" }
        guard let duration = DurationText.parse(String(unsigned)), text.count - unsigned.count <= 1 else {
            throw wrong(call, parameter, "a duration (200ms, 3s, 1m, 1h)", text, at: location)
        }
        return text.hasPrefix("-") ? .zero - duration : duration
    }

    private func wrong(_ call: TemplateCall, _ parameter: String, _ takes: String, _ text: String, at location: SourceLocation?)
        -> ResolutionError
    {
        ResolutionError(.template, "`\(parameter)` of `\(call.function.rawValue)()` takes \(takes), not `\(text)`", at: location)
    }

    // MARK: Time and chance

    private mutating func uuid() -> String {
        var bytes = (0..<2).flatMap { _ in withUnsafeBytes(of: generator.next().bigEndian, Array.init) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Self.hexadecimal(bytes)
        var rest = Substring(digits)
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }

    private mutating func moment(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> Date {
        guard let offset = try duration(call, "offset", at: location) else { return sources.now }
        return sources.now + offset / .seconds(1)
    }

    private mutating func now(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> JSONValue {
        let format = try text(call, "format", at: location) ?? "iso8601"
        guard let text = TimeText(try moment(call, at: location)).text(format) else {
            let names = TimeText.names.map { "`\($0)`" }.joined(separator: ", ")
            throw wrong(call, "format", "\(names) or a pattern such as `%Y-%m-%d`", format, at: location)
        }
        return .string(text)
    }

    private mutating func timestamp(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> JSONValue {
        let unit = try text(call, "unit", at: location) ?? "s"
        guard let factor = ["s": 1.0, "ms": 1e3, "us": 1e6][unit] else {
            throw wrong(call, "unit", "`s`, `ms` or `us`", unit, at: location)
        }
        return .number("\(Int((try moment(call, at: location).timeIntervalSince1970 * factor).rounded(.down)))")
    }

    private mutating func random(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> JSONValue {
        if let text = try text(call, "length", at: location) {
            guard let length = Int(text), (1...4096).contains(length) else {
                throw wrong(call, "length", "a whole number from 1 to 4096", text, at: location)
            }
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
            return .string(String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }))
        }
        guard let node = call["range"] else { return .number("\(Double(generator.next() >> 11) * 0x1p-53)") }
        if case .range(let range) = node.expression { return .number("\(Int.random(in: range, using: &generator))") }
        throw wrong(call, "range", "a range such as `1..6`", try value(of: node, at: location).text.text, at: location)
    }

    // MARK: Codes

    /// The value made of texts; of a secret it is one, too.
    private mutating func derived(
        _ derivation: TemplateDerivation, from labels: [SecretLabel], _ make: () -> String
    ) -> LabelledValue {
        LabelledValue(derived(sources.mode.placeholder(.derived(derivation)) ?? make(), from: labels))
    }

    private mutating func hmac(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        let secret = try labelled(call, "key", at: location)
        let key = Data(secret.text.utf8)
        let algorithm = try text(call, "algorithm", at: location) ?? "sha256"
        let encoding = try encoding(call, at: location)
        let signed = try labelled(call, "text", at: location)
        let text = Data(signed.text.utf8)
        let function: DigestFunction
        switch algorithm {
        case "sha1": function = .sha1
        case "sha256": function = .sha256
        case "sha384": function = .sha384
        case "sha512": function = .sha512
        default: throw wrong(call, "algorithm", "`sha1`, `sha256`, `sha384` or `sha512`", algorithm, at: location)
        }
        var labels = secret.labels
        labels.add(signed.labels)
        return derived(.hmac(signed.text, key: secret.text, algorithm: algorithm, encoding), from: labels) {
            Self.encoded(function.authenticationCode(for: text, key: key), encoding)
        }
    }

    private mutating func encoding(
        _ call: TemplateCall, at location: SourceLocation?
    ) throws(ResolutionError) -> TemplateDerivation.Encoding {
        let name = try text(call, "encoding", at: location) ?? "hex"
        guard let encoding = TemplateDerivation.Encoding(rawValue: name) else {
            throw wrong(call, "encoding", "`hex` or `base64`", name, at: location)
        }
        return encoding
    }

    private static func encoded(_ bytes: [UInt8], _ encoding: TemplateDerivation.Encoding) -> String {
        switch encoding {
        case .hex: hexadecimal(bytes)
        case .base64: Data(bytes).base64EncodedString()
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    // MARK: The machine

    private mutating func environmentVariable(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError)
        -> LabelledValue
    {
        let name = try required(call, "name", at: location)
        guard EnvironmentVariableName.isValid(name) else {
            throw wrong(
                call, "name", "the name of an environment variable (\(EnvironmentVariableName.rule))", name, at: location)
        }
        let label = SecretLabel("$\(name)", .environmentVariable(name))
        let permit = permit(.env(name: name, for: Self.soundsSecret(name) ? .secret : .text), at: location)
        guard !sources.showsPlaceholders, let permit else {
            let labels = Self.soundsSecret(name) ? [label] : []
            guard let placeholder = sources.mode.placeholder(.environmentVariable(name)) else {
                return LabelledValue(.string("‹$\(name)›"), labels: labels)
            }
            secretTexts.insert(placeholder)
            return LabelledValue(.string(placeholder), labels: labels)
        }
        if let text = sources.variable(name, permit) {
            return Self.soundsSecret(name) ? secret(.string(text), label) : .string(text)
        }
        throw ResolutionError(
            .variable,
            "the environment variable `\(name)` isn't set\(suggestion(for: name, in: sources.variableNames)); "
                + "set it, or write `env(\"\(name)\") | default(\"…\")`",
            at: location)
    }

    /// Variables such as `API_TOKEN` are secrets without being declared so.
    private static func soundsSecret(_ name: String) -> Bool {
        let words = name.uppercased().split { !$0.isLetter }
        return words.contains {
            ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASS", "KEY", "CREDENTIAL", "CREDENTIALS"].contains($0)
        }
    }

    private mutating func file(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        let path = joined(directory(of: location), try required(call, "path", at: location))
        guard let file = file(path, at: location) else { return .string(placeholder(forFile: path)) }
        let bytes: [UInt8]
        do throws(CollectionFileError) {
            bytes = try file.read(limit: TemplateEnvironment.mostFileBytes)
        } catch {
            throw ResolutionError(.file, "the template's file \(error)", at: location)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ResolutionError(.file, "the template's file \(path) isn't UTF-8 text", at: location)
        }
        return .string(text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }

    /// What stands for the text of a file that isn't read.
    func placeholder(forFile path: String) -> String { sources.mode.placeholder(.file(RealPath.of(path))) ?? "‹file \(path)›" }

    /// What is typed stands in no file yet; it is meant beside the request's.
    func directory(of location: SourceLocation?) -> String {
        var path = location?.path ?? ""
        if path.isEmpty { path = request.flatMap(collection.request)?.location.path ?? "" }
        return RequestCollections.directory(of: path)
    }

    // MARK: People and other requests

    private mutating func prompt(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        let secret = try text(call, "secret", at: location) ?? "false"
        guard secret == "true" || secret == "false" else {
            throw wrong(call, "secret", "`true` or `false`", secret, at: location)
        }
        let message = try required(call, "message", at: location)
        return try answer(
            .prompt(
                PromptRequirement(
                    message: message, defaultText: try text(call, "default", at: location), isSecret: secret == "true")),
            secret == "true" ? SecretLabel(message, .prompt(message)) : nil, at: location)
    }

    private mutating func select(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        let options = try texts(of: call.rest, at: location).map(\.text)
        guard !options.isEmpty else {
            throw ResolutionError(.template, "`select()` has no options to choose from", at: location)
        }
        let chosen = try text(call, "default", at: location)
        if let chosen, !options.contains(chosen) {
            throw wrong(
                call, "default", "one of its options, \(options.map { "`\($0)`" }.joined(separator: ", "))", chosen, at: location)
        }
        return try answer(
            .select(
                SelectRequirement(
                    message: try required(call, "message", at: location), options: options, defaultText: chosen)), at: location)
    }

    private mutating func response(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        let name = try required(call, "request", at: location)
        guard let id = collection.find(name, from: request) else {
            throw ResolutionError(.template, "`response()` names the request \(collection.isMissing(name))", at: location)
        }
        let filter = try text(call, "filter", at: location) ?? "."
        let maxAge = try duration(call, "max_age", at: location)
        var permit: Permission?
        if JSONFilter.shellLine(filter) != nil, let node = call["filter"] {
            (_, permit) = try command(in: "", for: "response(\"\(name)\")", at: location) { (scope) throws(ResolutionError) in
                let source = try scope.value(of: node, at: location).text.text
                return [LabelledText("sh"), LabelledText("-c"), LabelledText(JSONFilter.shellLine(source) ?? source)]
            }
        }
        return try answer(
            .response(ResponseRequirement(request: id, filter: JSONFilter(filter), maxAge: maxAge)), permit: permit, at: location)
    }

    /// What has no value gets one: a variable that nothing sets, `null`, an environment variable that isn't there.
    private mutating func fallback(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        guard let node = call["value"], let fallback = call["fallback"] else { return LabelledValue(.null) }
        do throws(ResolutionError) {
            let value = try value(of: node, at: location)
            if value.value != .null { return value }
        } catch {
            guard error.code == .variable else { throw error }
        }
        return try value(of: fallback, at: location)
    }
}
