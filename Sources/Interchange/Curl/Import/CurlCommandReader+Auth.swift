import RequestCollections

/// What the options for users, tokens and schemes make of a request's `auth`.
extension CurlCommandReader {
    func readAuth(into definition: inout RequestDefinition, _ result: inout CurlRequest, _ text: (String) -> String) {
        if let bearer {
            definition.auth = .bearer(text(bearer))
            return
        }
        if scheme == "netrc" {
            definition.auth = .netrc(path: user.map(text))
            return
        }
        guard let user = user == nil ? userOfScheme(in: &definition.url) : user else {
            if scheme == "negotiate" { definition.auth = .negotiate }
            return
        }
        let (rawName, rawPassword) = user.split(at: ":")
        let name = text(rawName)
        var password = text(rawPassword ?? "")
        if rawPassword == nil, scheme != "negotiate" {
            // curl asks for it.
            let variable = VariableName.make("password_\(rawName.filter { $0.isLetter || $0.isNumber })")
            result.variables.append(ImportedVariable(variable, .prompt("Password of \(rawName)")))
            password = "{{\(variable)}}"
        }
        if let awsProvider {
            let pieces = awsProvider.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let provider = pieces.prefix(2).joined(separator: ":")
            definition.auth = .awsSigV4(
                AWSSigV4Definition(
                    accessKey: name, secretKey: password, region: pieces.count > 2 ? pieces[2] : nil,
                    service: pieces.count > 3 ? pieces[3] : nil,
                    provider: ["", "aws:amz", "aws:"].contains(provider) ? nil : provider))
            return
        }
        switch scheme {
        case "digest", "anyauth": definition.auth = .digest(user: name, password: password)
        case "ntlm": definition.auth = .ntlm(user: name, password: password)
        case "negotiate": definition.auth = .negotiate
        default: definition.auth = .basic(user: name, password: password)
        }
    }
    /// The name and password that stand in a URL, where the command says how they are sent: then they are taken out of it.
    private func userOfScheme(in url: inout String) -> String? {
        guard let scheme, ["digest", "ntlm", "anyauth"].contains(scheme), let userinfo = URLUserinfo(url),
            let user = PercentText.decoded(url[userinfo.range]), !user.contains("{{")
        else { return nil }
        url = URLUserinfo.removed(from: url)
        return user
    }
}
