import NetworkLayer
import RequestCollections

/// What the options for data make of a request's body.
extension CurlCommandReader {
    /// - Returns: whether there is one, so that the method is POST unless something else is said.
    func readBody(
        into definition: inout RequestDefinition, losses: inout [String], _ translate: (String) -> TemplateText
    ) -> Bool {
        func text(_ text: String) -> String { translate(text).text }
        if let upload {
            if Self.isStandardInput(upload) || upload == "." {
                if let input {
                    definition.body = .text(text(input))
                } else {
                    losses.append("the body, which comes from standard input")
                }
            } else {
                definition.body = .file(text(upload))
                if expandsGlobs, CurlURL.expanded(upload)?.count != 1 {
                    losses.append("the files that `\(upload)` stands for, each of which curl sends; here it is one name")
                }
                // Else its name would say one, which curl doesn't send.
                if !definition.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                    definition.headers.append(.init(name: "Content-Type", value: "", isEnabled: false))
                }
            }
            return true
        }
        if !parts.isEmpty {
            definition.body = .multipart(multipart(&losses, translate))
            return true
        }
        guard !data.isEmpty else { return false }
        let given = definition.headers.first { $0.name.lowercased() == "content-type" }
        if isJSON {
            if given == nil { definition.headers.append(.init(name: "Content-Type", value: "application/json")) }
            if !definition.headers.contains(where: { $0.name.lowercased() == "accept" }) {
                definition.headers.append(.init(name: "Accept", value: "application/json"))
            }
        }
        if putsDataInURL {
            var fields: [Field] = []
            for piece in data {
                switch piece.data {
                // What is empty separates nothing in front of all else.
                case .raw(let raw): if !raw.isEmpty || !fields.isEmpty { fields += Self.fields(raw, translate) }
                case .encoded(let pair): fields += encoded(pair, &losses, translate)
                case .file(let path, _): losses.append("the parameters of the file \(path)")
                }
            }
            Self.add(fields, to: &definition, &losses)
            return false
        }
        let type = given.flatMap { $0.isEnabled ? $0.value : nil }
        definition.body = body(
            data, type: isJSON ? type ?? "application/json" : type ?? "application/x-www-form-urlencoded", &losses, translate)
        if given == nil, !isJSON {
            if case .form = definition.body { return true }
            // This is the type that curl gives every body.
            definition.headers.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded"))
        }
        return true
    }

    private func body(
        _ data: [Piece], type: String, _ losses: inout [String], _ translate: (String) -> TemplateText
    ) -> BodyDefinition? {
        func text(_ text: String) -> String { translate(text).text }
        if data.count == 1, case .file(let path, let dropsLineBreaks) = data[0].data {
            if dropsLineBreaks { losses.append("curl sends the file \(path) without its line breaks; here it is sent as it is") }
            return .file(text(path))
        }
        var joined = ""
        var fields: [Field] = []
        var isEncoded = false
        for piece in data {
            switch piece.data {
            case .raw(let raw):
                joined += (joined.isEmpty ? "" : piece.separator) + raw
                if !raw.isEmpty || !fields.isEmpty { fields += Self.fields(raw, translate) }
            case .encoded(let pair):
                isEncoded = true
                fields += encoded(pair, &losses, translate)
            case .file(let path, _): losses.append("the file \(path), which is only a part of the body")
            }
        }
        if isEncoded {
            fields = Self.encodable(fields, &losses)
            guard fields.contains(where: { $0.bare != nil }) else { return .form(fields.compactMap(\.row)) }
            // A field without `=` is none that a form could have.
            return .text(Self.text(of: fields))
        }
        // Neither JSON nor anything else begins a form with one of these.
        let looksLikeForm =
            joined.unicodeScalars.contains("=") && !joined.contains(where: \.isNewline) && !["{", "[", "<"].contains(joined.first)
            && joined == joined.trimmingSpace
        let essence = MediaType.essence(type)
        let known = essence == "application/x-www-form-urlencoded" && !looksLikeForm ? nil : type
        if keepsLayout { return ImportedBody.recorded(joined, type: known, translate) }
        return ImportedBody.make(joined, type: known, translate)
    }
}

/// What the options for users, tokens and schemes make of a request's `auth`.
extension CurlCommandReader {
    func readAuth(into definition: inout RequestDefinition, _ result: inout CurlRequest, _ text: (String) -> String) {
        let isLeftOut = definition.headers.contains { $0.name.lowercased() == "authorization" && !$0.isEnabled }
        if isLeftOut, bearer != nil || user != nil && scheme == nil && awsProvider == nil {
            result.losses.append("the user or the token, which curl leaves out, too: `-H Authorization:`")
            return
        }
        if let bearer {
            definition.auth = .bearer(text(bearer))
            return
        }
        if usesNetrc, user?.contains(":") != true {
            if let user { result.losses.append("the user `\(user)`: all that the netrc file has for the host is taken") }
            definition.auth = .netrc(path: netrcFile.map(text))
            return
        }
        let given = user.map { user in
            let (name, password) = user.split(at: ":")
            return (name: text(name), password: password.map(text))
        }
        guard let (name, givenPassword) = given ?? userOfScheme(in: &definition.url) else {
            if scheme == "negotiate" { definition.auth = .negotiate }
            return
        }
        var password = givenPassword ?? ""
        if givenPassword == nil, scheme != "negotiate" {
            // curl asks for it.
            let asked = ShellVariable.shown(user?.split(at: ":").0 ?? name)
            let variable = VariableName.make("password_\(asked.filter { $0.isLetter || $0.isNumber })")
            result.variables.append(ImportedVariable(variable, .prompt("Password of \(asked)")))
            password = "{{\(variable)}}"
        }
        if scheme == "anyauth", awsProvider == nil {
            result.losses.append(
                "`--anyauth`: the server chooses there, and here it is Digest; where it asks for Basic, write `basic`")
        }
        definition.auth = .curl(user: name, password: password, scheme: scheme, provider: awsProvider, text)
    }

    /// The name and password that stand in a URL, where the command says how they are sent: then they are taken out of it.
    private func userOfScheme(in url: inout String) -> (name: String, password: String?)? {
        guard let scheme, ["digest", "ntlm", "anyauth"].contains(scheme), let userinfo = URLUserinfo(url),
            !url[userinfo.range].contains("{{"), PercentText.decoded(url[userinfo.range]) != nil
        else { return nil }
        let (name, password) = String(url[userinfo.range]).split(at: ":")
        func text(_ text: String) -> String { TemplateText(PercentText.decoded(text) ?? text).text }
        url = URLUserinfo.removed(from: url)
        return (text(name), password.map(text))
    }
}

extension AuthDefinition {
    /// A user as curl sends it, and Hurl by the options of the same names.
    ///
    /// - Parameters:
    ///   - provider: `aws:amz:region:service`, of `--aws-sigv4`.
    ///   - text: makes templates ours.
    static func curl(
        user: String, password: String, scheme: String?, provider: String?, _ text: (String) -> String
    ) -> AuthDefinition {
        if let provider {
            let pieces = provider.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let name = pieces.prefix(2).joined(separator: ":")
            return .awsSigV4(
                AWSSigV4Definition(
                    accessKey: user, secretKey: password, region: pieces.count > 2 ? text(pieces[2]) : nil,
                    service: pieces.count > 3 ? text(pieces[3]) : nil,
                    provider: ["", "aws:amz", "aws:"].contains(name) ? nil : text(name)))
        }
        switch scheme {
        case "digest", "anyauth": return .digest(user: user, password: password)
        case "ntlm": return .ntlm(user: user, password: password)
        case "negotiate": return .negotiate
        default: return .basic(user: user, password: password)
        }
    }
}

/// The parts of `--form`.
extension CurlCommandReader {
    func multipart(_ losses: inout [String], _ translate: (String) -> TemplateText) -> [BodyDefinition.Part] {
        var result: [BodyDefinition.Part] = []
        for (argument, isLiteral) in parts {
            guard let form = CurlFormArgument(argument, isLiteral: isLiteral) else {
                losses.append("`\(argument)` of `--form`, which has no `=`: curl refuses it")
                continue
            }
            switch form.group {
            case .begins:
                losses.append(
                    "curl puts the parts from `\(form.name)=(` to `=)` into one part; here each is one of the form itself")
                continue
            case .ends: continue
            case nil: break
            }
            if form.name.isEmpty { losses.append("a part without a name has an empty one here") }
            if form.contents.count > 1 {
                losses.append("curl puts the files of `\(form.name)` into one part (multipart/mixed); here each is a part")
            }
            result += form.contents.map { part(form.name, $0, &losses, translate) }
        }
        return result
    }

    private func part(
        _ name: String, _ content: CurlFormArgument.Content, _ losses: inout [String], _ translate: (String) -> TemplateText
    ) -> BodyDefinition.Part {
        func text(_ text: String) -> String { translate(text).text }
        var part = BodyDefinition.Part(name: text(name), content: .text(text(content.text)))
        part.fileName = content.fileName.map(text)
        part.contentType = content.type.map(text)
        let isInput = content.source != .text && Self.isStandardInput(content.text)
        if isInput {
            if input == nil { losses.append("the part `\(name)`, which comes from standard input") }
            part.content = .text(text(input ?? ""))
            if content.source == .upload { part.fileName = part.fileName ?? "-" }
        } else if content.source == .upload {
            part.content = .file(text(content.text))
            if content.type == nil { part.contentType = Self.impliedType(of: content) }
        } else if content.source == .file {
            part.content = .text(TemplateText(contentOf: content.text, &losses, translate).text)
            losses.append(Self.lineEndLoss(content.text))
        }
        if let type = content.type, !Self.isType(type) {
            losses.append("the type `\(type)` of the part `\(name)`, which curl refuses: it has no `/`")
        }
        losses += content.others.map { "`\($0)` of the part `\(name)`" }
        losses += content.unknown.map {
            "`;\($0)` of the part `\(name)`, which curl leaves out, too; `--form-string` keeps a semicolon"
        }
        return part
    }

    private static func isType(_ type: String) -> Bool {
        if ShellVariable.isIn(type) || Template.isIn(type) { return true }
        guard let (major, minor) = type.halves(at: "/") else { return false }
        return !major.isEmpty && !major.unicodeScalars.contains(" ") && !minor.isEmpty
    }

    /// The type that curl gives a file by the name that it is sent with, else by its own, where it isn't the one that is given here to the file.
    private static func impliedType(of content: CurlFormArgument.Content) -> String? {
        let name = content.fileName ?? content.text
        guard ![name, content.text].contains(where: { ShellVariable.isIn($0) || Template.isIn($0) }) else { return nil }
        let implied =
            [name, content.text].lazy.compactMap { name in
                types.first { name.lowercased().hasSuffix($0.ending) }?.type
            }.first ?? ContentType.octetStream.rawValue
        return ContentType.forFile(content.text).rawValue == implied ? nil : implied
    }

    /// All that curl knows by its ending, as it was seen.
    private static let types: [(ending: String, type: String)] = [
        (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"),
        (".svg", "image/svg+xml"), (".txt", "text/plain"), (".htm", "text/html"), (".html", "text/html"),
        (".pdf", "application/pdf"), (".xml", "application/xml"),
    ]
}
