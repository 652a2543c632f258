import RequestCollections

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
