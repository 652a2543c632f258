extension Request {
    /// What is wrong with one that is still to be made.
    var missingError: NetworkError? {
        guard isMadeByHydrator else { return nil }
        return NetworkError(
            .requestNotProvided, phase: .preparation, type: ErrorType.requestNotProvided,
            message:
                "The request was to be made by hydration, and no hydrator made one: give the operation a hydrator that returns it.")
    }
}

extension NetworkError {
    /// Code 207. What was thrown stands beneath when it is one of ours, and in the sentence otherwise.
    static func hydrationFailed(_ error: any Error, by hydrator: any RequestHydrator) -> NetworkError {
        role(
            "hydrator", Swift.type(of: hydrator), threw: error, .hydrationFailed, ErrorType.hydrationFailed,
            "The request can't be filled in")
    }

    /// Code 208.
    static func invalidHydratedRequest(_ error: NetworkError) -> NetworkError {
        NetworkError(
            .invalidHydratedRequest, phase: .preparation, type: ErrorType.hydrationInvalid,
            message: "The hydrated request can't be sent. \(error.message)", underlying: error)
    }

    /// Code 213.
    static func encodingTypeMismatch(_ encoding: String, with field: String) -> NetworkError {
        NetworkError(
            .contentEncodingMismatch, phase: .preparation, type: ErrorType.contentEncodingMismatch,
            message:
                "The request says Content-Encoding: \(field), but its encoder makes \(encoding); take out one of them.")
    }

    /// Code 214.
    static func encodingFailed(_ error: any Error, by encoder: any ContentEncoder) -> NetworkError {
        role(
            "encoder", Swift.type(of: encoder), threw: error, .contentEncodingFailed, ErrorType.contentEncodingFailed,
            "The body can't be coded as \(encoder.contentEncoding)")
    }

    /// Code 215.
    static func decodingFailed(_ error: any Error, encodings: [String], request: Request) -> NetworkError {
        NetworkError(
            .contentDecodingFailed, phase: .body, type: ErrorType.contentDecodingFailed,
            message: "The body from \(request.target) can't be decoded (\(encodings.joined(separator: ", "))): \(text(error))",
            underlying: NetworkError(wrapping: error, phase: .body))
    }

    /// Code 216.
    static func authorizationFailed(_ error: any Error, by authorizer: any RequestAuthorizer) -> NetworkError {
        role(
            "authorizer", Swift.type(of: authorizer), threw: error, .authorizationFailed, ErrorType.authorizationFailed,
            "The request can't be authorized")
    }

    /// Code 216.
    static func signatureScopeMissing(region: String?, service: String?, host: String) -> NetworkError {
        let missing = [region == nil ? "region" : nil, service == nil ? "service" : nil].compactMap(\.self)
        return signature(
            "The signature needs a \(missing.joined(separator: " and a ")), and the host \(host) names none: name "
                + (missing.count > 1 ? "them." : "it."))
    }

    /// Code 216.
    static let signatureLifetimeInvalid = signature(
        "A signature in the query holds for 1 s to 7 days; give it a time between them.")

    /// Code 216.
    static let bodyNotSignable = signature(
        "The body is a stream that can be read only once, and the signature needs its hash before it is sent; send it from a file or "
            + "from memory.")

    private static func signature(_ message: String) -> NetworkError {
        NetworkError(.authorizationFailed, phase: .preparation, type: ErrorType.authorizationFailed, message: message)
    }

    /// Code 301.
    static func hostBlocked(_ host: String) -> NetworkError {
        NetworkError(
            .hostBlocked, phase: .preparation, type: ErrorType.hostBlocked,
            message: "Requests to \(host) are blocked by the host sanitizer.", details: [.host: host])
    }

    /// Code 9901.
    static func hostUnusable(_ host: String, insteadOf old: String) -> NetworkError {
        let problem = host.isEmpty ? "an empty host" : "\"\(host)\", which is no host,"
        return NetworkError(
            .hostCannotBeEmpty, phase: .preparation, type: ErrorType.hostInvalid,
            message: "The host sanitizer gave \(problem) for \(old); let it keep the host, change it or block it.")
    }

    private static func role(
        _ role: String, _ type: Any.Type, threw error: any Error, _ code: Code, _ name: String, _ problem: String
    ) -> NetworkError {
        NetworkError(
            code, phase: .preparation, type: name, message: "\(problem) (\(role) \(type)): \(text(error))",
            underlying: NetworkError(wrapping: error, phase: .preparation))
    }

    private static func text(_ error: any Error) -> String {
        let text = NetworkError(wrapping: error, phase: .preparation).message
        return text.hasSuffix(".") ? text : text + "."
    }
}
