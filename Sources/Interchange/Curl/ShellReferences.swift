import Base
import NetworkLayer
import RequestCollections
import Synchronization

/// What a shell gets by itself when a command runs: `$SHOP_TOKEN` in place of the token.
///
/// A request is resolved with a marker for each of them, which is found again in the finished command. Two letters in it are written in
/// another way by each encoding, so a marker also says which one it went through; the shell then does the same to what it fills in.
final class ShellReferences: Sendable {
    /// Whether the command may have `$(…)` in it, which runs when somebody pastes it. Otherwise everything is a variable, to be set.
    let runsCommands: Bool
    private let state = Mutex(State())

    private struct State {
        var texts: [String] = []
        var notes: [String] = []
    }

    /// Where the collection's commands run, and its files lie.
    private let directory: String

    init(runsCommands: Bool, directory: String) {
        self.runsCommands = runsCommands
        self.directory = directory
    }

    /// What is to be known of variables that stand for more than their name says.
    var notes: [String] { state.withLock(\.notes) }

    /// The same for the same reference.
    func marker(_ reference: String) -> String {
        state.withLock { state in
            let index = state.texts.firstIndex(of: reference) ?? state.texts.count
            if index == state.texts.count { state.texts.append(reference) }
            return Self.marker(index, Encoding.none.probe)
        }
    }

    func marker(_ placeholder: TemplatePlaceholder) -> String? {
        switch placeholder {
        case .environmentVariable(let name): marker(Self.variable(name))
        case .file(let path): output(of: ["cat", path])
        case .requirement(.secret(.environment(let name))): marker(Self.variable(name))
        case .requirement(.secret(.command(let words))): output(of: words)
        case .requirement(.secret(.file(let path))): output(of: ["cat", path.begins(with: "/") ? path : absolute(path)])
        case .requirement(.secret(.prompt(let message))): marker(Self.variable(Self.name(message)))
        case .requirement(.command(let command)): output(of: command.words)
        case .requirement(.prompt(let prompt)): marker(Self.variable(Self.name(prompt.message)))
        case .requirement(.select(let select)): marker(Self.variable(Self.name(select.message)))
        case .requirement(.response(let response)):
            marker(Self.variable(Self.name("\(response.request) \(response.filter.source)")))
        case .derived(let derivation): derived(derivation)
        }
    }

    // MARK: Commands

    private func output(of words: [String]) -> String {
        var text = words.map(CurlCommand.quoted).joined(separator: " ")
        // Where it names files, these lie beside the collection, wherever the command is pasted.
        let namesFiles = words.contains { !$0.begins(with: "/") && FileManager.default.fileExists(atPath: absolute($0)) }
        if namesFiles { text = "cd \(CurlCommand.quoted(absolute(""))) && \(text)" }
        return command(text, named: Self.name(words.suffix(2).joined(separator: " ")), "what `\(text)` prints")
    }

    private func absolute(_ path: String) -> String {
        URL(filePath: path, relativeTo: URL(filePath: directory.isEmpty ? "." : directory, directoryHint: .isDirectory))
            .standardized.path(percentEncoded: false)
    }

    /// A file that isn't the collection's own: whoever pastes a stranger's command says which one is read and sent.
    func stranger(_ path: String) -> String {
        let name = Self.name(path.pieces(at: "/").last.map(String.init) ?? path)
        note("\(name) is the file \(path), which isn't read unasked")
        return marker(Self.variable(name))
    }

    private func command(_ text: String, named name: String, _ meaning: String) -> String {
        if runsCommands { return marker("$(\(text))") }
        note("\(name) is \(meaning)")
        return marker(Self.variable(name))
    }

    func note(_ note: String) {
        state.withLock { state in
            if !state.notes.contains(note) { state.notes.append(note) }
        }
    }

    /// The same with the programs that every machine has.
    ///
    /// - Returns: `nil` for what is made of no reference.
    private func derived(_ derivation: TemplateDerivation) -> String? {
        let (text, tail, meaning): (String, String, String)
        switch derivation {
        case .base64(let input):
            (text, tail, meaning) = (input, "base64 | tr -d '\\n'", "base64")
        case .sha256(let input, let encoding):
            (text, tail, meaning) = (input, Self.digest("sha256", "", encoding), "sha256 in \(encoding.rawValue)")
        case .hmac(let input, let key, let algorithm, let encoding):
            let hexadecimal = "$(printf %s \(filled(CurlCommand.quoted(key))) | od -An -v -tx1 | tr -d ' \\n')"
            (text, meaning) = (input, "hmac by \(algorithm) in \(encoding.rawValue)")
            tail = Self.digest(algorithm, " -mac HMAC -macopt hexkey:\(hexadecimal)", encoding)
            if !occur(in: input), !occur(in: key) { return nil }
            return command(
                "printf %s \(filled(CurlCommand.quoted(text))) | \(tail)", named: name(of: "HMAC", input + " " + key),
                "the \(meaning)")
        }
        guard occur(in: text) else { return nil }
        let kind = String(meaning.pieces(at: " ")[0])
        return command(
            "printf %s \(filled(CurlCommand.quoted(text))) | \(tail)", named: name(of: kind, text),
            "\(meaning) of \(filled(CurlCommand.quoted(text)))")
    }

    private static func digest(_ algorithm: String, _ options: String, _ encoding: TemplateDerivation.Encoding) -> String {
        switch encoding {
        case .hex: "openssl dgst -\(algorithm)\(options) -r | cut -d' ' -f1"
        case .base64: "openssl dgst -\(algorithm)\(options) -binary | base64 | tr -d '\\n'"
        }
    }

    /// `SHA256_SHOP_TOKEN`
    private func name(of kind: String, _ text: String) -> String {
        let inside = all.filter { $0.stem.isIn(text) }.map(\.reference).joined(separator: " ")
        return Self.name("\(kind) \(inside)")
    }

    // MARK: Markers

    /// How the text around a reference is written.
    enum Encoding: String, CaseIterable {
        case none, json, value, quoted, url, component, form

        /// Three letters that each encoding of a URL or a form writes in its own way; what is told by where it stands has its name.
        var probe: String {
            switch self {
            case .none: "~*|"
            case .json, .value, .quoted: rawValue
            case .url: "~*%7C"
            case .component: "~%2A%7C"
            case .form: "%7E*%7C"
            }
        }

        /// Into what it encodes.
        var place: String {
            switch self {
            case .none: "into the command"
            case .json: "into a string of JSON"
            case .value: "into JSON as a value"
            case .quoted: "between double quotes"
            case .url, .component: "into a URL"
            case .form: "into a form"
            }
        }

        /// What does the same in a shell; `nil`: nothing is to be done.
        var function: (name: String, body: String)? {
            switch self {
            case .none: nil
            case .json: ("as_json", Self.string)
            case .value:
                // A list, a map and a text in quotes are taken for what they say.
                (
                    "as_value",
                    #"printf %s "$1" | tr '\n' ' ' | grep -Eqx -e 'true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|[[{"].*' "#
                        + #"&& printf %s "$1" || printf '"%s"' "$(\#(Self.string))""#
                )
            case .quoted: ("as_quoted", #"printf %s "$1" | sed 's/[\\"]/\\&/g'"#)
            case .url:
                (
                    "as_url",
                    Self.percent(
                        #"c ~ /[A-Za-z0-9._~:\/?#@!$&()*+,;=\047-]/ || c == "[" || c == "]" "#
                            + #"|| c == "%" && hex(b[i + 1]) && hex(b[i + 2])"#)
                )
            case .component: ("as_percent", Self.percent("c ~ /[A-Za-z0-9._~-]/"))
            case .form: ("as_form", Self.percent("c ~ /[A-Za-z0-9._*-]/", space: "+"))
            }
        }

        /// What a string of JSON has between its quotes.
        private static let string =
            #"printf %s "$1" | LC_ALL=C awk '{ gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); gsub(/\r/, "\\r"); "#
            + #"printf "%s%s", s, $0; s = "\\n" }'"#

        /// - Parameter isPlain: of the `i`th byte, which is `c`.
        private static func percent(_ isPlain: String, space: String = "%20") -> String {
            let hex = isPlain.contains("hex(") ? #"function hex(n) { return sprintf("%c", n) ~ /[0-9A-Fa-f]/ } "# : ""
            return #"printf %s "$1" | od -An -v -tu1 | LC_ALL=C awk '\#(hex){ for (i = 1; i <= NF; i++) b[++n] = $i } "#
                + #"END { for (i = 1; i <= n; i++) { c = sprintf("%c", b[i]); "#
                + #"printf "%s", b[i] == 32 ? "\#(space)" : \#(isPlain) ? c : sprintf("%%%02X", b[i]) } }'"#
        }
    }

    private static func marker(_ index: Int, _ probe: String) -> String { "turnstoneReference\(index)x\(probe)End" }

    private var all: [(stem: String, reference: String)] {
        state.withLock { $0.texts.enumerated().map { ("turnstoneReference\($0.offset)x", $0.element) } }
    }

    /// Whether something stands for a reference in it.
    func occur(in text: String) -> Bool { all.contains { $0.stem.isIn(text) } }

    /// As they stand where nothing encodes them.
    var markers: Set<String> { Set(all.indices.map { Self.marker($0, Encoding.none.probe) }) }

    /// Marks those in a text whose encoding leaves the letters of a marker alone: a string of JSON, a quoted part of a form.
    func marked(_ text: String, as encoding: Encoding) -> String {
        all.indices.reduce(text) {
            $0.replacing(scalars: Self.marker($1, Encoding.none.probe), with: Self.marker($1, encoding.probe))
        }
    }

    /// The same in JSON: inside the quotes of a string, and outside of them, where a reference is a whole value.
    func marked(json text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let quote = rest.utf8.firstIndex(of: UInt8(ascii: "\"")) {
            var end = rest.utf8.index(after: quote)
            while end < rest.endIndex, rest.utf8[end] != UInt8(ascii: "\"") {
                if rest.utf8[end] == UInt8(ascii: "\\") { end = rest.utf8.index(after: end) }
                if end < rest.endIndex { end = rest.utf8.index(after: end) }
            }
            result += marked(String(rest[..<quote]), as: .value) + marked(String(rest[quote..<end]), as: .json)
            rest = rest[end...]
            if let first = rest.first, first == "\"" {
                result += "\""
                rest = rest.dropFirst()
            }
        }
        return result + marked(String(rest), as: .value)
    }

    // MARK: The command

    /// The functions that a command needs, each a line. Where it may not run anything, what they would do is said instead.
    func functions(for command: String) -> [String] {
        Encoding.allCases.compactMap { encoding in
            guard let function = encoding.function else { return nil }
            let encoded = all.enumerated().filter { Self.marker($0.offset, encoding.probe).isIn(command) }.map(\.element.reference)
            guard !encoded.isEmpty else { return nil }
            guard runsCommands else {
                for reference in encoded {
                    note("\(reference.drop { $0 == "$" }) goes \(encoding.place) as it is: set it encoded for that")
                }
                return nil
            }
            return "\(function.name)() { \(function.body); }"
        }
    }

    /// With the references in place of their markers. Inside single quotes, these end before it and begin anew after it.
    func filled(_ command: String) -> String {
        let references = all.enumerated().flatMap { index, entry in
            Encoding.allCases.map { (marker: Self.marker(index, $0.probe), reference: written(entry.reference, $0)) }
        }
        var result = ""
        var isQuoted = false
        var isJustOpened = false
        // As a shell sees it: a quote is one whatever stands behind it.
        var rest = Array(command.unicodeScalars)[...]
        while let first = rest.first {
            if first == "t", let (marker, reference) = references.first(where: { rest.starts(with: $0.marker.unicodeScalars) }) {
                rest = rest.dropFirst(marker.unicodeScalars.count)
                if isQuoted {
                    // Without a pair of quotes around nothing.
                    if isJustOpened { result.removeLast() } else { result += "'" }
                    isQuoted = rest.first != "'"
                    result += "\"\(reference)\"" + (isQuoted ? "'" : "")
                    if !isQuoted { rest = rest.dropFirst() }
                } else {
                    result += "\"\(reference)\""
                }
                isJustOpened = isQuoted
                continue
            }
            if !isQuoted, first == "\\" {
                result.unicodeScalars += rest.prefix(2)
                rest = rest.dropFirst(2)
                continue
            }
            if first == "'" { isQuoted.toggle() }
            isJustOpened = first == "'" && isQuoted
            result.unicodeScalars.append(first)
            rest = rest.dropFirst()
        }
        return result
    }

    private func written(_ reference: String, _ encoding: Encoding) -> String {
        guard runsCommands, let function = encoding.function else { return reference }
        return "$(\(function.name) \"\(reference)\")"
    }

    /// What a shell would take for more than a name is never one in a command, wherever it comes from.
    static func variable(_ name: String) -> String { "$\(EnvironmentVariableName.isValid(name) ? name : Self.name(name))" }

    /// `Your code?` is `YOUR_CODE`.
    static func name(_ text: String) -> String {
        let words = text.uppercased().unicodeScalars.split {
            !($0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)))
        }
        let name = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "_")
        return name.first?.isNumber ?? true || isKnown(name) ? "VALUE_\(name)" : name
    }

    /// Whether shells, curl or its libraries give a name a meaning: what was meant to be set would be the machine's.
    private static func isKnown(_ name: String) -> Bool {
        known.contains(name)
            || ["LC_", "LD_", "BASH", "HIST", "XDG_", "CURL_", "SSL_", "OPENSSL_", "COMP_", "KRB5"].contains(where: name.hasPrefix)
            || name.hasSuffix("_PROXY")
    }

    private static let known: Set = [
        "PATH", "HOME", "USER", "USERNAME", "LOGNAME", "PWD", "OLDPWD", "SHELL", "IFS", "CDPATH", "ENV", "LANG", "LANGUAGE", "TERM",
        "TMPDIR", "TMP", "TEMP", "TZ", "UID", "EUID", "GID", "PPID", "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "LINENO",
        "HOSTNAME",
        "HOSTTYPE", "HOST", "OSTYPE", "MACHTYPE", "MAIL", "MAILPATH", "MAILCHECK", "EDITOR", "VISUAL", "PAGER", "PS1", "PS2", "PS3",
        "PS4",
        "PROMPT", "OPTARG", "OPTIND", "OPTERR", "REPLY", "SHLVL", "GROUPS", "DIRSTACK", "FUNCNAME", "PIPESTATUS", "FPATH", "STATUS",
        "COLUMNS",
        "LINES", "DISPLAY", "SSLKEYLOGFILE", "NETRC", "QLOGDIR", "APPDATA", "USERPROFILE", "PROMPT_COMMAND", "TMOUT", "FCEDIT",
        "POSIXLY_CORRECT",
    ]
}
