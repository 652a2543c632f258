/// Credentials for a scheme that one header field can't carry. Basic and Bearer need none of this: they are fields of the request. They
/// go to the origin that the request was made for; they go to another one only as ``RedirectConfiguration/keepCredentials`` allows, or
/// when a netrc file names that other host.
public enum Authentication: Sendable, Hashable, Codable {
    /// RFC 7616. The operation itself answers the server's challenge: the 401 is an attempt of its own, the answer the next.
    case digest(Credential)
    /// NTLM, spoken by the transport: three messages over one connection, HTTP/1.1 only.
    case ntlm(Credential)
    /// SPNEGO (RFC 4559), spoken by the transport with the Kerberos ticket of the user who runs the program; see `kinit`.
    case negotiate
    /// Amazon's signature, version 4: each request is signed just before it goes out, retries and redirect hops too.
    case awsSigV4(AWSSignature)
    /// Name and password for the URL's host from this netrc file, `~/.netrc` when `nil`; nothing for a host that it doesn't name.
    case netrc(file: String?)

    /// As people know it.
    var name: String {
        switch self {
        case .digest: "digest"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        case .awsSigV4: "AWS signature"
        case .netrc: "netrc"
        }
    }
}

/// A name and its password. No description shows the password.
public struct Credential: Sendable, Hashable, Codable {
    /// May be empty.
    public var user: String
    /// It appears in no description and no log; encoding a credential writes it.
    public var password: String

    /// A user and a password, whatever characters are in them.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// `user:password`, as curl's `-u` takes it: the first colon parts them.
    public init(_ text: some StringProtocol) {
        let halves = Substring(text).halves(at: ":")
        user = String(halves?.before ?? Substring(text))
        password = halves.map { String($0.behind) } ?? ""
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(user):<redacted>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

/// How the transport authenticates to a proxy.
public enum ProxyAuthentication: String, Sendable, Hashable, Codable, CaseIterable {
    /// Basic and Digest send the name and password, or prove them; NTLM and Negotiate (Kerberos) belong to one connection.
    case basic, digest, ntlm, negotiate
    /// The best of those that the proxy offers; costs a request without credentials.
    case any
}
