import NetworkLayer

/// Which parts of a command line nobody should read in the list of processes: passwords, tokens, and fields that are credentials.
///
///     turnstone send -u ada:hunter2 -HAuthorization:x URL      -u ada:*******    -HAuthorization:*
///
/// The program overwrites them in its own memory as soon as it has read them, as curl does. Until then they can be seen, and a shell's
/// history keeps them: `-u ada:` asks, and `-H @FILE` reads.
package enum SecretWords {
    /// A part of a word, in bytes.
    package struct Place: Hashable, Sendable {
        package var word: Int
        package var range: Range<Int>

        package init(word: Int, range: Range<Int>) {
            self.word = word
            self.range = range
        }
    }

    /// - Parameter words: all of the command line, the program's name included.
    package static func places(in words: [String]) -> [Place] {
        guard words.count > 1 else { return [] }
        return words[1] == "send" ? ofSend(words) : ofOthers(words)
    }

    // MARK: send

    private static func ofSend(_ words: [String]) -> [Place] {
        var places: [Place] = []
        var index = 2
        func collect(_ option: SendOption, _ word: Int, from offset: Int) {
            guard offset <= words[word].utf8.count else { return }
            for range in secrets(of: option, in: String(decoding: words[word].utf8.dropFirst(offset), as: UTF8.self))
            where !range.isEmpty {
                places.append(Place(word: word, range: range.lowerBound + offset..<range.upperBound + offset))
            }
        }
        while index < words.count {
            let word = words[index]
            if word == "--" {
                for rest in (index + 1)..<max(index + 1, words.count) { url(words[rest], rest, &places) }
                break
            } else if word.hasPrefix("--") {
                let name = word.dropFirst(2).prefix { $0 != "=" }
                let plain = name.hasPrefix("expand-") ? name.dropFirst(7) : name
                if let option = SendOption.named(String(plain)) ?? SendOption.completed(String(plain)), option.argument != nil {
                    if word.contains("=") {
                        collect(option, index, from: name.utf8.count + 3)
                    } else if index + 1 < words.count {
                        index += 1
                        collect(option, index, from: 0)
                    }
                }
            } else if word.hasPrefix("-"), word != "-" {
                letters(word, words, &index, collect)
            } else {
                let item = item(word)
                // What follows `:=@` is a file's name.
                if item.isEmpty, !word.contains(":=@") { url(word, index, &places) }
                places += item.map { Place(word: index, range: $0) }
            }
            index += 1
        }
        return places
    }

    /// `-sSu ada:x`, `-uada:x`: the first letter that takes a value takes the rest of the word, or the next one.
    private static func letters(
        _ word: String, _ words: [String], _ index: inout Int, _ collect: (SendOption, Int, Int) -> Void
    ) {
        var offset = 1
        for letter in word.dropFirst() {
            offset += letter.utf8.count
            guard let option = SendOption.lettered(letter) else { return }
            guard option.argument != nil else { continue }
            if offset < word.utf8.count {
                collect(option, index, offset)
            } else if index + 1 < words.count {
                index += 1
                collect(option, index, 0)
            }
            return
        }
    }

    /// What of an option's value is secret, in bytes.
    private static func secrets(of option: SendOption, in value: String) -> [Range<Int>] {
        let bytes = Array(value.utf8)
        func behind(_ separator: Character) -> [Range<Int>] {
            bytes.firstIndex(of: separator.asciiValue!).map { [$0 + 1..<bytes.count] } ?? []
        }
        switch option.long {
        case "user", "proxy-user", "auth": return behind(":")
        case "oauth2-bearer", "pass", "proxy-pass", "tlspassword", "proxy-tlspassword": return [0..<bytes.count]
        // A path with a colon in it loses its end, which only makes it less readable.
        case "cert", "proxy-cert": return behind(":")
        case "cookie", "variable": return behind("=")
        case "header", "proxy-header", "request-header":
            guard bytes.first != UInt8(ascii: "@"), let end = value.firstIndex(of: ":"), namesSecret(field: String(value[..<end]))
            else { return [] }
            return behind(":")
        case "url", "proxy", "preproxy", "referer", "doh-url": return secrets(inURL: value)
        case let name where name.hasPrefix("socks"): return secrets(inURL: value)
        case let name where name.hasPrefix("data") || name.hasPrefix("form") || ["json", "url-query"].contains(name):
            guard bytes.first != UInt8(ascii: "@") else { return [] }
            // The value of any of these options may be JSON or a form.
            let json = Redaction.standard.secrets(inJSON: value.utf8).map(\.range)
            return places(json.isEmpty ? Redaction.standard.secrets(inForm: value.utf8) : json, in: value)
        default: return []
        }
    }

    /// Also what isn't redacted where it is shown on a screen of one's own: `X-Secret`, `Private-Token`.
    private static func namesSecret(field name: String) -> Bool {
        let name = name.lowercased()
        return Redaction.standard.redacts(name)
            || ["token", "secret", "passw", "auth", "key"].contains { name.contains($0) } && !name.hasPrefix("sec-")
    }

    /// What is secret in `password=x`, `token==x`, `pin:=1` or `X-Api-Key:x`.
    private static func item(_ word: String) -> [Range<Int>] {
        // No regular expression is used, since making one takes a twentieth of the whole time of `send`.
        let scalars = word.unicodeScalars
        let end = scalars.firstIndex { "/?#:=@".unicodeScalars.contains($0) } ?? scalars.endIndex
        guard end > scalars.startIndex, let sign = [":=", "==", "=", ":"].first(where: { word[end...].hasPrefix($0) }) else {
            return []
        }
        let start = scalars.index(end, offsetBy: sign.unicodeScalars.count)
        let value = word[start...]
        // A file's name, or a URL.
        guard !value.isEmpty, !value.hasPrefix("@"), !value.hasPrefix("//") else { return [] }
        // In `user[password]` the last name counts.
        let name = String(word[..<end].split { "[]\\".contains($0) }.last ?? "")
        let isSecret = sign == ":" ? namesSecret(field: name) : Redaction.standard.redacts(parameter: name)
        return isSecret ? places([start..<word.endIndex], in: word) : []
    }

    private static func url(_ word: String, _ index: Int, _ found: inout [Place]) {
        found += secrets(inURL: word).map { Place(word: index, range: $0) }
    }

    /// `ada:PASSWORD@host/?token=TOKEN`, with a scheme before it or without.
    private static func secrets(inURL word: String) -> [Range<Int>] {
        // A password stands before an `@` and a token behind a `?`: most URLs have neither.
        guard word.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "?") }) else { return [] }
        let hasScheme = word[(word.firstIndex { ":/?#".contains($0) } ?? word.endIndex)...].hasPrefix("://")
        let scheme = hasScheme ? "" : "http://"
        let url = scheme + word
        return places(Redaction.standard.secrets(inURL: url[...]), in: url).map {
            $0.lowerBound - scheme.utf8.count..<$0.upperBound - scheme.utf8.count
        }
    }

    private static func places(_ ranges: [Range<String.Index>], in text: String) -> [Range<Int>] {
        ranges.map { range in
            let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
            return start..<start + text[range].utf8.count
        }
    }

    // MARK: Other commands

    /// `--var NAME=VALUE` and `--var-text NAME=TEXT`: what of them is secret the collection says, which isn't read yet. And all of a
    /// command for curl (`import --curl`), which may be written in many ways.
    private static func ofOthers(_ words: [String]) -> [Place] {
        words.indices.compactMap { index in
            let bytes = Array(words[index].utf8)
            let before = index > 0 ? words[index - 1] : ""
            guard
                let option = ["--var", "--var-text", "--curl"].first(where: { before == $0 || bytes.starts(with: "\($0)=".utf8) })
            else { return nil }
            var start = before == option ? 0 : option.utf8.count + 1
            if option != "--curl" {
                guard let equals = bytes[start...].firstIndex(of: UInt8(ascii: "=")) else { return nil }
                start = equals + 1
            }
            return start < bytes.count ? Place(word: index, range: start..<bytes.count) : nil
        }
    }
}
