import Base
import HTTPTypes
import RequestCollections

extension ImportedRequest {
    /// Brings what all formats have in common into the form in which people write it here: parameters out of the URL, credentials out
    /// of headers, and nothing that goes without saying.
    mutating func normalize(at place: String, notes: inout [ImportNote]) {
        normalizeMethod(at: place, notes: &notes)
        normalizeURL()
        splitQuery()
        normalizeHeaders(at: place, notes: &notes)
        extractAuthorization()
        dropContentType()
        dropEmptyBody()
    }

    /// A form without fields is no body.
    private mutating func dropEmptyBody() {
        switch definition.body {
        case .multipart(let parts)? where parts.isEmpty: definition.body = nil
        case .form(let rows)? where rows.isEmpty: definition.body = nil
        default: break
        }
    }

    /// A method that can't be sent doesn't keep other requests from being imported.
    private mutating func normalizeMethod(at place: String, notes: inout [ImportNote]) {
        guard HTTPRequest.Method(definition.method) == nil else { return }
        notes.append(ImportNote(place, "`\(definition.method)` can't be a method; it became GET"))
        definition.method = "GET"
    }

    // MARK: The URL

    private mutating func normalizeURL() {
        var url = definition.url.trimmingSpace
        url.unicodeScalars.removeAll { $0 == "\n" || $0 == "\r" || $0 == "\t" }
        if !url.isEmpty, !url.hasPrefix("{{"), url.firstRange(of: "://") == nil {
            url = (url.hasPrefix("//") ? "http:" : "http://") + url
        }
        if let userinfo = URLUserinfo(url), !url[userinfo.range].contains("{{"),
            !URLUserinfo.removed(from: url).hasTemplateAuthority
        {
            let (name, password) = String(url[userinfo.range]).split(at: ":")
            // A user without a password is often a token: it stays in the URL, where it is taken for a secret.
            if let password {
                url = URLUserinfo.removed(from: url)
                if definition.auth == nil {
                    func text(_ text: String) -> String { TemplateText(PercentText.decoded(text) ?? text).text }
                    definition.auth = .basic(user: text(name), password: text(password))
                }
            }
        }
        if !hasPathParameters { url = Self.withoutPathParameters(url) }
        definition.url = url
    }

    /// A colon that begins a segment and is meant as one.
    private static func withoutPathParameters(_ url: String) -> String {
        var result = ""
        var rest = Substring(url)
        while let range = rest.firstRange(of: "/:") {
            result += rest[..<range.lowerBound]
            let next = range.upperBound < rest.endIndex ? rest[range.upperBound] : " "
            result += next.isLetter || next == "_" ? "/%3A" : "/:"
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private mutating func splitQuery() {
        guard let mark = definition.url.firstIndexOutsideTemplates(of: "?") else { return }
        let query = TemplateText(own: String(definition.url[definition.url.index(after: mark)...]))
        // A plus may mean a space or itself; a fragment isn't sent, but would become a part of the last value.
        guard !query.contains("+"), !query.contains("#") else { return }
        var rows: [RequestDefinition.Row] = []
        for text in query.split(at: "&") {
            guard let pair = text.pair(), !pair.name.pieces.isEmpty else { return }
            rows.append(.init(name: pair.name.text, value: pair.value.text))
        }
        definition.url = String(definition.url[..<mark])
        definition.query = rows + definition.query
    }

    // MARK: Headers

    private mutating func normalizeHeaders(at place: String, notes: inout [ImportNote]) {
        var seen: [RequestDefinition.Row] = []
        var lacksBody = false
        for var row in definition.headers where !row.name.trimmingSpace.isEmpty {
            row.name = row.name.trimmingSpace
            row.value = row.value.trimmingSpace
            if row.value.contains(where: \.isNewline) {
                notes.append(ImportNote(place, "the header \(row.name): its value has a line break, which would end it"))
                continue
            }
            guard Self.isHeaderName(row.name) else {
                notes.append(ImportNote(place, "the header `\(row.name)`: this can't be the name of one"))
                continue
            }
            // The length is known when it is sent, and never before.
            if row.name.lowercased() == "content-length" {
                if definition.body == nil, row.isEnabled, let count = Int(row.value), count > 0 {
                    notes.append(ImportNote(place, "the body of \(count) bytes: it isn't there"))
                    lacksBody = true
                }
                continue
            }
            seen.append(row)
        }
        definition.headers = seen
        // Its boundary is that of a body.
        guard lacksBody else { return }
        definition.headers.removeAll { $0.name.lowercased() == "content-type" && $0.value.lowercased().hasPrefix("multipart/") }
    }

    /// RFC 9110, section 5.6.2; a template gives a name later.
    private static func isHeaderName(_ name: String) -> Bool {
        name.contains("{{")
            || name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                        || "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar))
            }
    }

    /// `Authorization: Bearer x` and `Basic x` are what `auth` says more clearly.
    private mutating func extractAuthorization() {
        let indices = definition.headers.indices.filter { definition.headers[$0].name.lowercased() == "authorization" }
        guard indices.count == 1, let index = indices.first, definition.headers[index].isEnabled else { return }
        switch definition.auth {
        case nil, .some(.none), .inherit: break
        // A header goes before what `auth` says.
        default: definition.auth = nil
        }
        let (scheme, rest) = definition.headers[index].value.split(at: " ")
        guard let rest, !rest.isEmpty else { return }
        switch scheme.lowercased() {
        case "bearer":
            definition.auth = .bearer(rest.trimmingSpace)
        case "basic":
            guard let data = Data(base64Encoded: rest.trimmingSpace), let text = String(validating: data, as: UTF8.self),
                text.contains(":"), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
            else { return }
            let (user, password) = text.split(at: ":")
            definition.auth = .basic(user: TemplateText(user).text, password: TemplateText(password ?? "").text)
        default: return
        }
        definition.headers.remove(at: index)
    }

    /// What the body sets by itself.
    private mutating func dropContentType() {
        guard let body = definition.body else { return }
        definition.headers.removeAll { row in
            guard row.isEnabled, row.name.lowercased() == "content-type" else { return false }
            let type = row.value.lowercased()
            switch body {
            // Its boundary is made when it is sent.
            case .multipart: return MediaType.essence(type) == "multipart/form-data"
            default: return type == body.contentType
            }
        }
    }
}

extension String {
    /// Whether a template stands for the host of a URL, or for a part of it.
    fileprivate var hasTemplateAuthority: Bool {
        firstRange(of: "://").map { self[$0.upperBound...].prefix { !"/?#".contains($0) }.contains("{{") } ?? false
    }

    /// Where a scalar first stands that isn't a part of a template.
    func firstIndexOutsideTemplates(of scalar: Unicode.Scalar) -> Index? {
        Template.firstIndex(of: scalar, outsideTemplatesOf: self)
    }
}
