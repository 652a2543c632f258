/// How a request shows who sends it.
extension FormatTable {
    static let auth = FormatShape.either([.oneOf(["none", "inherit", "negotiate", "netrc"]), .keys(auths)])

    static let auths = FormatTable(
        "auth",
        [
            FormatKey("basic", .keys(credentials), "Name and password."),
            FormatKey("bearer", .text, "A token."),
            FormatKey("digest", .keys(credentials), "Name and password, not sent in the clear."),
            FormatKey("ntlm", .keys(credentials), "Windows domains; the user may be `DOMAIN\\user`."),
            FormatKey("api-key", .keys(apiKey), "A key in a header, parameter or cookie."),
            FormatKey("aws-sigv4", .keys(awsSigV4), "Amazon's signatures."),
            FormatKey("oauth2", .keys(oauth2), "OAuth 2."),
            FormatKey("netrc", .text, "Name and password from a netrc file, relative to this file."),
        ], .exactlyOne(of: authKinds))

    private static let authKinds = ["basic", "bearer", "digest", "ntlm", "api-key", "aws-sigv4", "oauth2", "netrc"]

    static let credentials = FormatTable(
        "credentials", [FormatKey("user", .text, "The name."), FormatKey("password", .text, "The password.")])

    static let apiKey = FormatTable(
        "api-key",
        [
            FormatKey("name", .text, "The header's, parameter's or cookie's name."),
            FormatKey("value", .text, "The key."),
            FormatKey("in", .oneOf(APIKeyDefinition.Place.allCases.map(\.rawValue)), "Where it stands; `header` unless given."),
        ], .required(["name", "value"]))

    static let awsSigV4 = FormatTable(
        "aws-sigv4",
        [
            FormatKey("access-key", .text, "The access key's id."),
            FormatKey("secret-key", .text, "The secret access key."),
            FormatKey("session-token", .text, "The token of temporary credentials."),
            FormatKey("region", .text, "Such as `eu-central-1`; from the host's name unless given."),
            FormatKey("service", .text, "Such as `s3`; from the host's name unless given."),
            FormatKey(
                "expires", .duration, "Signs in the URL's query (a presigned URL) instead of headers, for so long, at most `7d`."),
            FormatKey("provider", .text, "Whose signatures, as curl's `--aws-sigv4` names them; `aws:amz` unless given."),
        ], .required(["access-key", "secret-key"]))

    static let oauth2 = FormatTable(
        "oauth2",
        [
            FormatKey("grant", .oneOf(OAuth2Definition.Grant.names), "How a token is got; `client-credentials` unless given."),
            FormatKey("token-url", .text, "Where tokens come from."),
            FormatKey("authorization-url", .text, "Where a person agrees, with `authorization-code`."),
            FormatKey("device-url", .text, "Where a device's code comes from, with `device-code`."),
            FormatKey("client-id", .text, "The client's name."),
            FormatKey("client-secret", .text, "Its secret."),
            FormatKey(
                "client-auth", .oneOf(OAuth2Definition.ClientAuthentication.allCases.map(\.rawValue)),
                "Where name and secret go; `header` unless given."),
            FormatKey("user", .text, "With the grant `password`."),
            FormatKey("password", .text, "With the grant `password`."),
            FormatKey("refresh-token", .text, "With the grant `refresh-token`."),
            FormatKey("redirect", .text, "The address the client is registered with, on 127.0.0.1 or localhost."),
            FormatKey("scope", .either([.text, .list(.text)]), "What the token is for."),
            FormatKey("audience", .text, "Whom the token is for."),
        ], .required(["token-url", "client-id"]), .requiredBy("grant", RequestReader.keysOfGrants))
}
