import Base
import HTTPTypes
import NetworkLayer

extension RequestResolver {
    mutating func headers() throws(ResolutionError) -> HTTPFields {
        var fields = HTTPFields()
        for (row, source) in merged(\.headers, ignoringCase: true) {
            let name = try headerName(row.name, at: row.location)
            let value = try scope.text(row.value ?? "", at: row.location)
            try add(try field(name, value, at: row.location), to: &fields, at: row.location)
            origins.append(ValueOrigin(.header(name), from: source, at: row.location))
        }
        return fields
    }

    /// Fields that a request has without being told, and that `null` leaves out.
    var omittedHeaders: [String] {
        ["Accept", "User-Agent"].filter(isOmitted)
    }

    /// All that `null` leaves out, each by the name that it is first given.
    var allOmittedHeaders: [String] {
        var seen: Set<String> = []
        let rows = levelsWithRows.flatMap(\.headers).filter { !$0.isEnabled && seen.insert($0.name.lowercased()).inserted }
        return rows.map(\.name).filter(isOmitted)
    }

    /// Whether the nearest level that says something of a field says `null`.
    func isOmitted(_ name: String) -> Bool {
        let rows = levelsWithRows.map { $0.headers.filter { $0.name.lowercased() == name.lowercased() } }
        guard let nearest = rows.last(where: { !$0.isEmpty }) else { return false }
        return nearest.allSatisfy { !$0.isEnabled && ($0.value ?? "").isEmpty }
    }

    func add(_ field: HTTPField, to fields: inout HTTPFields, at location: SourceLocation?) throws(ResolutionError) {
        guard fields.count < HTTPFields.limit else {
            throw ResolutionError(.header, "there can be \(HTTPFields.limit) headers at most; leave some out", at: location)
        }
        fields.append(field)
    }

    /// People who may see the names of a request's fields must not see a secret there.
    mutating func headerName(_ template: String, at location: SourceLocation?) throws(ResolutionError) -> String {
        let name = try scope.text(template, at: location)
        guard let label = name.labels.first else { return name.text }
        throw ResolutionError(
            .secret, "`\(label.name)` is a secret, and the name of a header can't be one; make it a plain variable", at: location)
    }

    /// Nothing that could end a line gets into a head (DESIGN, section 8).
    mutating func field(_ name: String, _ value: LabelledText, at location: SourceLocation?) throws(ResolutionError) -> HTTPField {
        let field = try field(name, value.text, at: location)
        secrets.put(value.trimmed, in: .header(field.name.canonicalName))
        return field
    }

    func field(_ name: String, _ value: String, at location: SourceLocation?) throws(ResolutionError) -> HTTPField {
        if let fault = HeadFault.ofName(name) { throw ResolutionError(.header, fault, at: location) }
        // Every token is a name.
        let fieldName = HTTPField.Name(name)!
        if value.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" }) {
            throw ResolutionError(
                .header, "the header `\(name)` would contain a line break, which ends a header; encode it, or take it out",
                at: location)
        }
        if value.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
            throw ResolutionError(.header, "the header `\(name)` would contain a control character", at: location)
        }
        return HTTPField(name: fieldName, value: String(Substring(value).trimmed))
    }

    /// One `cookie` field, also when a header gives one.
    mutating func addCookies(to headers: inout HTTPFields) throws(ResolutionError) {
        var pairs: [LabelledText] = []
        var place: SourceLocation?
        for (row, source) in merged(\.cookies, ignoringCase: false) {
            let name = try scope.text(row.name, at: row.location)
            let value = try scope.text(row.value ?? "", at: row.location)
            pairs.append(try cookie(name, value, at: row.location))
            place = place ?? row.location
            origins.append(ValueOrigin(.cookie(name.text), from: source, at: row.location))
        }
        if let key = try apiKey(in: .cookie) {
            place = place ?? effectiveAuth?.1.places["auth"]
            pairs.append(try cookie(key.name, key.value, at: effectiveAuth?.1.places["auth"]))
        }
        guard !pairs.isEmpty else { return }
        if let header = headers[.cookie] {
            pairs.insert(secrets.removeText(from: .header("cookie")) ?? LabelledText(header), at: 0)
        }
        // Set by name, the pairs would become a field each, which is for HTTP/2 (RFC 9113, section 8.2.3).
        headers[.cookie] = nil
        headers.append(try field("cookie", pairs.joined(separator: "; "), at: place))
    }

    private func cookie(
        _ name: LabelledText, _ value: LabelledText, at location: SourceLocation?
    ) throws(ResolutionError) -> LabelledText {
        guard isToken(name.text), !value.text.unicodeScalars.contains(where: { $0 == ";" || $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw ResolutionError(
                .header,
                "the cookie `\(HeadFault.visible(name.text))` can't be sent: a `;` or a control character would end it; encode it",
                at: location)
        }
        return name + LabelledText("=") + value
    }
}

/// What keeps a text from being sent in the head of a request, in a sentence; `nil`: nothing.
package enum HeadFault {
    /// - Parameter text: the name of a header field (RFC 9110, section 5.1).
    package static func ofName(_ text: String) -> String? {
        isToken(text)
            ? nil : "`\(visible(text))` can't be the name of a header; it takes letters, digits and !#$%&'*+-.^_`|~"
    }

    /// - Parameter text: a URL, or a template for one.
    package static func ofURL(_ text: String) -> String? {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? "the URL contains a line break or another control character" : nil
    }

    static func visible(_ text: String) -> String {
        text.replacing(scalars: "\r", with: "\\r").replacing(scalars: "\n", with: "\\n")
    }
}
