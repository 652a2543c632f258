/// What Amazon's signature, version 4, is made from. The key's secret and the token are in no description of it.
public struct AWSSignature: Sendable, Hashable, Codable {
    /// The identifier of the access key. It isn't secret: the signature and every description contain it.
    public var accessKey: String
    /// The secret half of the key, from which the signing key is derived; it is never sent.
    public var secretKey: String
    /// The session token of temporary credentials.
    public var sessionToken: String?
    /// `us-east-1`; `nil`: from the host's name, `service.region.amazonaws.com`.
    public var region: String?
    /// `s3`; `nil`: from the host's name.
    public var service: String?
    /// `aws:amz`, in the notation of curl's `--aws-sigv4`: the first names the algorithm, the second the header fields.
    public var provider: String
    /// How long a signature holds that stands in the URL's query (a presigned URL), in whole seconds, at most seven days; `nil`: it
    /// stands in header fields, and the service takes it for some minutes.
    public var expires: Duration?

    /// Credentials, and the scope of the signature where the host's name doesn't give it.
    public init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, region: String? = nil, service: String? = nil,
        provider: String = "aws:amz", expires: Duration? = nil
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
        self.provider = provider
        self.expires = expires
    }
}

extension AWSSignature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        ([accessKey, provider] + [region, service].compactMap { $0 }).joined(separator: " ") + " <redacted>"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey, "provider": provider]) }
}
