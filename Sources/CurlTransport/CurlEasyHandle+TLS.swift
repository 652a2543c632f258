import CCurl
import NetworkLayer

extension CurlEasyHandle {
    /// Our certificate and its key, in the form that their files have.
    func setClientCertificate(_ tls: TLSOptions) throws(NetworkError) {
        guard let path = tls.certificate else { return }
        let key = tls.key ?? path
        let form = CredentialFile(path).form
        if tls.passphrase == nil, CredentialFile(key).isEncrypted { throw .passphraseMissing(for: key) }
        try require(CURLOPT_SSLCERT, path, "the client certificate \(path)")
        try require(CURLOPT_SSLCERTTYPE, form.rawValue, "certificates in \(form.rawValue)")
        // PKCS#12 has the key in it.
        if form != .pkcs12 || tls.key != nil {
            let keyForm = CredentialFile(key).form
            try require(CURLOPT_SSLKEY, key, "the client key \(key)")
            try require(CURLOPT_SSLKEYTYPE, keyForm.rawValue, "keys in \(keyForm.rawValue)")
        }
        // Without one OpenSSL would ask at the terminal by itself.
        try require(CURLOPT_KEYPASSWD, tls.passphrase?.text ?? "", "the pass phrase of \(key)")
    }

    func setVersionsAndCiphers(_ tls: TLSOptions) throws(NetworkError) {
        if let minimum = tls.minimumVersion, let maximum = tls.maximumVersion, minimum > maximum {
            throw .invalid(
                "The oldest version of TLS, \(minimum.rawValue), is newer than the newest, \(maximum.rawValue). Swap or drop one.")
        }
        // The newest one stands in the upper half.
        let versions = (tls.minimumVersion?.curlNumber ?? 0) | (tls.maximumVersion?.curlNumber ?? 0) << 16
        if versions != 0 { set(CURLOPT_SSLVERSION, versions) }
        let new = tls.ciphers.filter { $0.hasPrefix("TLS_") }
        let old = tls.ciphers.filter { !$0.hasPrefix("TLS_") }
        if !new.isEmpty { try require(CURLOPT_TLS13_CIPHERS, new.joined(separator: ":"), "a choice of TLS 1.3's ciphers") }
        if !old.isEmpty { try require(CURLOPT_SSL_CIPHER_LIST, old.joined(separator: ":"), "a choice of ciphers") }
    }
}

extension TLSVersion {
    var curlNumber: Int {
        switch self {
        case .tls1_0: Int(CURL_SSLVERSION_TLSv1_0)
        case .tls1_1: Int(CURL_SSLVERSION_TLSv1_1)
        case .tls1_2: Int(CURL_SSLVERSION_TLSv1_2)
        case .tls1_3: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }
}

extension NetworkError {
    static func passphraseMissing(for key: String) -> NetworkError {
        NetworkError(
            .clientCertificateFailed, phase: .preparation, type: ErrorType.clientCertificateBad,
            message: "The client key \(key) is encrypted, and there is no pass phrase for it. Give it one.")
    }
}
