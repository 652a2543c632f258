import Base
import NetworkLayer

extension RequestResolver {
    /// The URL: templates, path parameters, then the query rows.
    mutating func url() throws(ResolutionError) -> URL {
        let place = definition.places["url"] ?? definition.location
        origins.append(ValueOrigin(.url, from: .request, at: place))
        var text = LabelledText()
        for segment in try scope.parse(definition.url, at: place).segments {
            switch segment {
            case .text(let plain): text += try fillPath(plain, at: place)
            case .expression(let node): text += try scope.textValue(of: node, at: place)
            }
        }
        text = text.trimmed
        if definition.isWebSocket, let end = ["ws://", "wss://"].first(where: { text.text.lowercased().hasPrefix($0) }) {
            // RFC 6455, section 3.
            text = LabelledText(end == "ws://" ? "http" : "https") + text[end.utf8.count - 3..<text.text.utf8.count]
        }
        if scope.sources.showsUnknownAddresses { text = withoutUnknownAddress(text) }
        try checkURL(text, at: place)
        try checkAddress(text, at: place)
        let (base, fragment) = Self.split(Self.encoded(text), at: UInt8(ascii: "#"))
        var result = base
        for (row, source) in merged(\.query, ignoringCase: false) {
            let name = try scope.text(row.name, at: row.location)
            let value = try scope.text(row.value ?? "", at: row.location)
            Self.add(name, value, to: &result)
            origins.append(ValueOrigin(.query(name.text), from: source, at: row.location))
        }
        for (name, value) in try graphQLParameters() { Self.add(LabelledText(name), LabelledText(value), to: &result) }
        if let key = try apiKey(in: .query) { Self.add(key.name, key.value, to: &result) }
        if let fragment { result += LabelledText("#") + fragment.encoded { $0.replacing(scalars: "#", with: "%23") } }
        guard let url = URL(international: result.text), url.host?.isEmpty == false else {
            throw ResolutionError(.url, "`\(Self.shown(text))` isn't a URL", at: place)
        }
        // A placeholder for what isn't known yet, or not shown, can't name a host.
        if let complaint = url.requestComplaint, !scope.sources.mode.isExport, text.shown == text.text,
            !text.text.contains(where: { "‹›•".contains($0) })
        {
            throw ResolutionError(.url, "`\(Self.shown(text))` can't be requested: \(complaint)", at: place)
        }
        secrets.put(result, in: .url)
        return url
    }

    /// With some host in place of an address that has a placeholder in it.
    private mutating func withoutUnknownAddress(_ text: LabelledText) -> LabelledText {
        let start = text.text.firstRange(ofScalars: "://")?.upperBound ?? text.text.startIndex
        var end = start
        var depth = 0
        while end < text.text.endIndex, depth > 0 || !"/?#".contains(text.text[end]) {
            depth += text.text[end] == "‹" ? 1 : text.text[end] == "›" ? -1 : 0
            end = text.text.index(after: end)
        }
        let address = String(text.text[..<end])
        guard address.contains("‹") else { return text }
        unknownAddress = address
        let length = text.text.utf8.distance(from: text.text.startIndex, to: end)
        return LabelledText("http://unknown") + text[length..<text.text.utf8.count]
    }

    /// Only an IPv6 address has brackets of its own.
    private static func encoded(_ text: LabelledText) -> LabelledText {
        let host = URLCoding.hostRange(in: text.text) ?? 0..<0
        func encoded(_ range: Range<Int>) -> LabelledText { text[range].encoded { URLCoding.encodedBetweenSeparators($0) } }
        return encoded(0..<host.lowerBound)
            + text[host].encoded { URLCoding.encodedBetweenSeparators($0, host: 0..<$0.utf8.count) }
            + encoded(host.upperBound..<text.text.utf8.count)
    }

    private static func add(_ name: LabelledText, _ value: LabelledText, to url: inout LabelledText) {
        url += url.text.contains("?") ? (url.text.hasSuffix("?") || url.text.hasSuffix("&") ? "" : "&") : "?"
        url += name.encoded(URLCoding.percentEncoded) + LabelledText("=") + value.encoded(URLCoding.percentEncoded)
    }

    /// A secret can't be a part of the address: whoever looks it up tells everybody on the way. A whole base URL can be one, as long as
    /// nobody has to guess where it ends.
    func checkAddress(_ text: LabelledText, at place: SourceLocation) throws(ResolutionError) {
        guard let mark = text.marks.first, let colon = text.text.firstRange(ofScalars: "://") else { return }
        let bytes = Array(text.text.utf8)
        let start = text.text.utf8.distance(from: text.text.startIndex, to: colon.upperBound)
        let end = bytes[start...].firstIndex(where: URLCoding.endsAuthority) ?? bytes.count
        if mark.range.lowerBound == 0, mark.range.upperBound >= end { return }
        // What stands before the `@` is a name and a password.
        let host = (bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start)..<end
        let address = [0..<start, host]
        guard let label = text.marks.first(where: { mark in address.contains { $0.overlaps(mark.range) } })?.labels.first else {
            return
        }
        throw ResolutionError(
            .secret,
            "`\(label.name)` is a secret, and a part of the address can't be one: it is looked up in the open; "
                + "make it a plain variable, or keep the whole URL in the secret",
            at: place)
    }

    /// `/:name` becomes the value of `path.name`, encoded as one segment.
    private mutating func fillPath(_ text: String, at place: SourceLocation) throws(ResolutionError) -> LabelledText {
        var result = LabelledText()
        var rest = Substring(text)
        while let slash = rest.firstRange(ofScalars: "/:") {
            let name = rest[slash.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            let before = rest[..<slash.upperBound]
            rest = rest[slash.upperBound...].dropFirst(name.count)
            guard let first = name.first, !first.isNumber else {
                result += "\(before)\(name)"
                continue
            }
            guard let row = definition.path.first(where: { $0.name == name && $0.isEnabled }) else {
                let near = suggestion(for: String(name), in: definition.path.map(\.name))
                let way = "`path: { \(name): … }` gives it one, and `%3A` is the colon itself"
                throw ResolutionError(
                    .url, "`:\(name)` in the URL has no value\(near)\(near.isEmpty ? "; " : " ")\(way)", at: place)
            }
            let value = try scope.text(row.value, at: row.location)
            result += String(before.dropLast())
            result += value.encoded(URLCoding.percentEncoded)
            origins.append(ValueOrigin(.path(row.name), from: .request, at: row.location))
        }
        result += String(rest)
        return result
    }

    /// For a message: also without the password and parameters that are secret by their names. The mask of a secret that isn't read would
    /// say that the URL isn't known yet.
    private static func shown(_ url: LabelledText) -> String {
        Redaction.standard.url(url.shown).map { $0.isSecret ? Redaction.keptMask : $0.text }.joined()
    }

    private func checkURL(_ url: LabelledText, at place: SourceLocation) throws(ResolutionError) {
        let text = url.text
        // Computed only when a message needs it, so that it costs nothing for other URLs.
        var shown: String { Self.shown(url) }
        if let fault = HeadFault.ofURL(text) { throw ResolutionError(.url, fault, at: place) }
        guard let colon = text.firstRange(ofScalars: "://") else {
            throw ResolutionError(.url, "`\(shown)` isn't a URL: \(Self.lack(of: shown))", at: place)
        }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else {
            let way =
                definition.isWebSocket ? ", ws and wss" : scheme.hasPrefix("ws") ? "; `websocket: URL` opens a session" : ""
            throw ResolutionError(.url, "`\(shown)` can't be sent: the schemes are http and https\(way)", at: place)
        }
    }

    /// A sentence about what a text without `://` lacks.
    private static func lack(of text: String) -> String {
        if text.isEmpty { return "it is empty" }
        if text.hasPrefix("//") { return "it has no scheme; write `http:\(text)`" }
        if text.hasPrefix("/") { return "it is a path, and has no host; write `http://HOST\(text)`" }
        // `htp:/x`, but not `localhost:8080/x`.
        if let scheme = text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\//) {
            return "it begins with `\(scheme.0)`; write `http://\(text[scheme.range.upperBound...])`"
        }
        return "it has no scheme; write `http://\(text)`"
    }

    private static func split(_ text: LabelledText, at separator: UInt8) -> (LabelledText, LabelledText?) {
        guard let index = text.text.utf8.firstIndex(of: separator) else { return (text, nil) }
        let offset = text.text.utf8.distance(from: text.text.startIndex, to: index)
        return (text[0..<offset], text[offset + 1..<text.text.utf8.count])
    }
}
