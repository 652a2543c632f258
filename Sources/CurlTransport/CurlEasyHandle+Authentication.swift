import Base
import CCurl
import NetworkLayer

extension CurlEasyHandle {
    /// What libcurl says for us: to the server, and to a proxy.
    func setAuthentication(_ options: TransportOptions, library: CurlLibrary = .current) throws(NetworkError) {
        try setProxyAuthentication(options, library)
        switch options.authentication {
        // Digest is answered, and requests are signed, above the transport.
        case nil, .digest, .awsSigV4: break
        case .ntlm(let credential):
            try library.require(.ntlm)
            set(CURLOPT_HTTPAUTH, turnstone_curl_auth_ntlm)
            try set(credential)
        case .negotiate:
            try library.require(.spnego)
            set(CURLOPT_HTTPAUTH, turnstone_curl_auth_negotiate)
            // The ticket says whose it is; but libcurl wants a name to begin at all.
            try require(CURLOPT_USERPWD, ":", "an empty name")
        case .netrc(let file):
            set(CURLOPT_NETRC, turnstone_curl_netrc_required)
            guard let file else { break }
            guard access(file, R_OK) == 0 else {
                throw NetworkError(
                    .fileFailed, phase: .preparation, type: "unknown",
                    message: "The netrc file \(file) can't be read: \(SystemError.text(errno)).", systemErrno: errno)
            }
            try require(CURLOPT_NETRC_FILE, file, "the netrc file \(file)")
        }
    }

    private func set(_ credential: Credential) throws(NetworkError) {
        try require(CURLOPT_USERNAME, credential.user, "the user name")
        try require(CURLOPT_PASSWORD, credential.password, "the password")
    }

    private func setProxyAuthentication(_ options: TransportOptions, _ library: CurlLibrary) throws(NetworkError) {
        if let credential = options.proxyCredential {
            try require(CURLOPT_PROXYUSERNAME, credential.user, "the proxy's user name")
            try require(CURLOPT_PROXYPASSWORD, credential.password, "the proxy's password")
        }
        switch options.proxyAuthentication {
        case .basic: break
        case .digest: set(CURLOPT_PROXYAUTH, turnstone_curl_auth_digest)
        case .ntlm:
            try library.require(.ntlm)
            set(CURLOPT_PROXYAUTH, turnstone_curl_auth_ntlm)
        case .negotiate:
            try library.require(.spnego)
            set(CURLOPT_PROXYAUTH, turnstone_curl_auth_negotiate)
            if options.proxyCredential == nil { try require(CURLOPT_PROXYUSERPWD, ":", "an empty name") }
        case .any: set(CURLOPT_PROXYAUTH, turnstone_curl_auth_any)
        }
    }
}

extension CurlTransfer {
    /// Whether libcurl may answer on its own, within the transfer: a challenge, or a server that refuses `Expect`, by sending the
    /// request again without that field (RFC 9110, section 10.1.1).
    func mayBeAnswered(_ status: Int) -> Bool {
        switch status {
        case 401, 407: speaksForUs
        case 417: expectsContinue && !upload.isSent
        default: false
        }
    }

    private var speaksForUs: Bool {
        switch request.options.authentication {
        case .ntlm, .negotiate: true
        case nil, .digest, .awsSigV4, .netrc: request.options.proxyAuthentication != .basic
        }
    }

    /// The answer is the last one after all.
    func releaseHeldHead() {
        guard let head = response.heldHead else { return }
        response.heldHead = nil
        emit(.head(head))
    }
}
