import NetworkLayer

package enum BodyKind: String, Sendable, Hashable, CaseIterable {
    case json = "JSON"
    case jsonLines = "JSON lines"
    /// Several values behind one another, as a filter gives them.
    case jsonValues = "JSON values"
    case xml = "XML"
    case html = "HTML"
    case eventStream = "events"
    case yaml = "YAML"
    case css = "CSS"
    case javaScript = "JavaScript"
    case text
    case binary

    /// Whether what comes in this declared type can be read line by line, before it is complete.
    package static func isReadAsItArrives(contentType: String?) -> Bool {
        switch contentType.flatMap({ BodyKind(mediaType: ContentType($0).essence) }) {
        case .eventStream, .jsonLines, .text, .yaml, .css, .javaScript: true
        case .json, .jsonValues, .xml, .html, .binary, nil: false
        }
    }

    /// Whether what comes in this declared type can be read from its beginning on, though it says nothing line by line.
    package static func isReadFromItsBeginning(contentType: String?) -> Bool {
        switch contentType.flatMap({ BodyKind(mediaType: ContentType($0).essence) }) {
        case .json, .xml, .html: true
        case .eventStream, .jsonLines, .text, .yaml, .css, .javaScript, .jsonValues, .binary, nil: false
        }
    }

    /// Whether what matters in it is its end: it is a log.
    package var isFollowed: Bool { isStream }

    /// By its declared type if that says enough, else by its first bytes.
    package init(contentType: String?, bytes: some Collection<UInt8>) {
        let declared = contentType.flatMap { BodyKind(mediaType: ContentType($0).essence) }
        self = declared ?? BodyKind(sniffing: Array(bytes.prefix(1024)))
    }

    /// `nil` for what says nothing of its bytes: unknown types, and `application/octet-stream`.
    init?(mediaType essence: String) {
        switch essence {
        case "application/json", "text/json", "application/manifest+json", "application/x-json": self = .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/json-seq",
            "application/json-lines":
            self = .jsonLines
        case "application/xml", "text/xml", "application/xml-dtd": self = .xml
        case "text/html": self = .html
        case "text/event-stream": self = .eventStream
        case "application/javascript", "text/javascript", "application/x-javascript", "application/ecmascript", "text/ecmascript":
            self = .javaScript
        case "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml": self = .yaml
        case "text/css": self = .css
        case "application/x-www-form-urlencoded", "application/toml", "application/sql", "application/graphql", "application/x-sh",
            "application/x-pem-file", "message/http":
            self = .text
        case "application/zip", "application/gzip", "application/pdf", "application/wasm", "application/x-tar",
            "application/x-protobuf", "application/protobuf", "application/grpc", "application/msgpack", "application/cbor":
            self = .binary
        default:
            if essence.hasSuffix("+json") {
                self = .json
            } else if essence.hasSuffix("+xml") {
                self = .xml
            } else if essence.hasSuffix("+yaml") {
                self = .yaml
            } else if essence.hasPrefix("text/") {
                self = .text
            } else if ["image/", "audio/", "video/", "font/"].contains(where: essence.hasPrefix) {
                self = .binary
            } else {
                return nil
            }
        }
    }

    /// By the first bytes: a NUL, many control characters or much that isn't UTF-8 mean binary; then by how it begins.
    init(sniffing head: [UInt8]) {
        let isCut = head.count >= 1024
        var controls = 0
        var invalid = 0
        head.withUnsafeBufferPointer { buffer in
            guard let bytes = buffer.baseAddress else { return }
            var position = 0
            while position < buffer.count {
                switch bytes[position] {
                case 0: controls += buffer.count
                case 1...8, 0x0B, 0x0E...0x1A, 0x1C...0x1F, 0x7F: controls += 1
                default: break
                }
                let length = TextDecoder.lengthOfScalar(position, buffer.count, bytes)
                // The last scalar may be cut off.
                if length == 0, !(isCut && position > buffer.count - 4) { invalid += 1 }
                position += max(1, length)
            }
        }
        if controls * 20 > head.count || invalid * 10 > head.count {
            self = .binary
            return
        }
        let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let start = text.prefix(64).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            self = .html
        } else if start.hasPrefix("<?xml") || (start.hasPrefix("<") && start.dropFirst().first?.isLetter == true) {
            self = .xml
        } else if BodyKind.beginsAsJSON(text) {
            self = .json
        } else {
            self = .text
        }
    }

    /// `{` before a key or its end, `[` before a value or its end.
    private static func beginsAsJSON(_ text: Substring) -> Bool {
        guard let open = text.first, open == "{" || open == "[" else { return false }
        guard let next = text.dropFirst().first(where: { !$0.isWhitespace }) else { return true }
        return open == "{" ? next == "\"" || next == "}" : "[]{\"-0123456789tfn".contains(next)
    }
}
