import FoundationEssentials
import HTTPTypes

extension RequestResolver {
    mutating func headers() throws(ResolutionError) -> HTTPFields {
        var fields = HTTPFields()
        for (row, source) in merged(\.headers, ignoringCase: true) {
            let name = try scope.text(row.name, at: row.location)
            let value = try scope.text(row.value ?? "", at: row.location)
            fields.append(try field(name, value, at: row.location))
            origins.append(ValueOrigin(.header(name), from: source, at: row.location))
        }
        return fields
    }

    /// Nothing gets into a head that could end a line of it (DESIGN, section 8).
    private func field(_ name: String, _ value: String, at location: SourceLocation?) throws(ResolutionError) -> HTTPField {
        guard isToken(name), let fieldName = HTTPField.Name(name) else {
            throw ResolutionError(
                .header, "`\(Self.visible(name))` can't be the name of a header; it takes letters, digits and !#$%&'*+-.^_`|~",
                at: location)
        }
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
        var pairs: [String] = []
        var place: SourceLocation?
        for (row, source) in merged(\.cookies, ignoringCase: false) {
            let name = try scope.text(row.name, at: row.location)
            let value = try scope.text(row.value ?? "", at: row.location)
            guard isToken(name), !value.unicodeScalars.contains(where: { $0 == ";" || $0.value < 0x20 || $0.value == 0x7F }) else {
                throw ResolutionError(
                    .header,
                    "the cookie `\(Self.visible(name))` can't be sent: a `;` or a control character would end it; encode it",
                    at: row.location)
            }
            pairs.append("\(name)=\(value)")
            place = place ?? row.location
            origins.append(ValueOrigin(.cookie(name), from: source, at: row.location))
        }
        guard !pairs.isEmpty else { return }
        if let header = headers[.cookie] { pairs.insert(header, at: 0) }
        // Set by name, the pairs would become a field each, which is for HTTP/2 (RFC 9113, section 8.2.3).
        headers[.cookie] = nil
        headers.append(try field("cookie", pairs.joined(separator: "; "), at: place))
    }

    /// An `authorization` header that stands in the file wins over `auth`.
    mutating func addAuth(to headers: inout HTTPFields) throws(ResolutionError) {
        guard let (auth, level) = effectiveAuth, headers[.authorization] == nil else { return }
        let place = level.places["auth"]
        switch auth {
        case .none, .inherit: return
        case .bearer(let template):
            let token = try scope.text(template, at: place)
            headers[.authorization] = try field("authorization", "Bearer \(token)", at: place).value
        case .basic(let userTemplate, let passwordTemplate):
            let user = try scope.text(userTemplate, at: place)
            let password = try scope.text(passwordTemplate, at: place)
            guard !user.contains(":") else {
                throw ResolutionError(.authentication, "the user of basic authentication can't contain a `:` (RFC 7617)", at: place)
            }
            let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
            noteSecret(encoded, containing: "\(user):\(password)")
            headers[.authorization] = "Basic \(encoded)"
        case .digest:
            throw Self.unsupportedAuth("digest", at: place)
        case .other(let kind):
            throw Self.unsupportedAuth(kind, at: place)
        }
        origins.append(ValueOrigin(.auth, from: level.source, at: place))
    }

    /// `inherit` passes the question on to the next level.
    private var effectiveAuth: (AuthDefinition, Level)? {
        for level in levels.reversed() {
            if let auth = level.auth, auth != .inherit { return (auth, level) }
        }
        return nil
    }

    private static func unsupportedAuth(_ kind: String, at place: SourceLocation?) -> ResolutionError {
        ResolutionError(
            .unsupported, "`\(kind)` authentication can't be sent yet; use `basic` or `bearer`, or give an `authorization` header",
            at: place)
    }

    private static func visible(_ text: String) -> String {
        text.replacing("\r", with: "\\r").replacing("\n", with: "\\n")
    }
}
