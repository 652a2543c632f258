import Base
import CCurl
import NetworkLayer

/// libcurl's names for what is said of TLS: with a server they are others than with a proxy.
struct TLSNames {
    var verifyPeer = CURLOPT_SSL_VERIFYPEER
    var verifyHost = CURLOPT_SSL_VERIFYHOST
    var authorities = CURLOPT_CAINFO
    var authorityDirectory = CURLOPT_CAPATH
    var revocations = CURLOPT_CRLFILE
    /// With a proxy, libcurl's default curves are offered.
    var curves: CURLoption? = CURLOPT_SSL_EC_CURVES
    var certificate = CURLOPT_SSLCERT
    var certificateForm = CURLOPT_SSLCERTTYPE
    var key = CURLOPT_SSLKEY
    var keyForm = CURLOPT_SSLKEYTYPE
    var passphrase = CURLOPT_KEYPASSWD
    var versions = CURLOPT_SSLVERSION
    var newCiphers = CURLOPT_TLS13_CIPHERS
    var oldCiphers = CURLOPT_SSL_CIPHER_LIST
    var pins = CURLOPT_PINNEDPUBLICKEY
    var userType = CURLOPT_TLSAUTH_TYPE
    var user = CURLOPT_TLSAUTH_USERNAME
    var password = CURLOPT_TLSAUTH_PASSWORD
    /// What stands before the name of a thing in a sentence.
    var whose = "the"

    static let server = TLSNames()
    static let proxy = TLSNames(
        verifyPeer: CURLOPT_PROXY_SSL_VERIFYPEER, verifyHost: CURLOPT_PROXY_SSL_VERIFYHOST, authorities: CURLOPT_PROXY_CAINFO,
        authorityDirectory: CURLOPT_PROXY_CAPATH, revocations: CURLOPT_PROXY_CRLFILE, curves: nil,
        certificate: CURLOPT_PROXY_SSLCERT, certificateForm: CURLOPT_PROXY_SSLCERTTYPE, key: CURLOPT_PROXY_SSLKEY,
        keyForm: CURLOPT_PROXY_SSLKEYTYPE, passphrase: CURLOPT_PROXY_KEYPASSWD, versions: CURLOPT_PROXY_SSLVERSION,
        newCiphers: CURLOPT_PROXY_TLS13_CIPHERS, oldCiphers: CURLOPT_PROXY_SSL_CIPHER_LIST,
        pins: CURLOPT_PROXY_PINNEDPUBLICKEY, userType: CURLOPT_PROXY_TLSAUTH_TYPE, user: CURLOPT_PROXY_TLSAUTH_USERNAME,
        password: CURLOPT_PROXY_TLSAUTH_PASSWORD, whose: "the proxy's")
}

extension CurlEasyHandle {
    func set(_ tls: TLSOptions, _ names: TLSNames) throws(NetworkError) {
        if !tls.verifies {
            set(names.verifyPeer, 0)
            set(names.verifyHost, 0)
        }
        if let path = tls.authorities {
            let isDirectory = Self.isDirectory(path)
            try require(names.authorities, isDirectory ? nil : path, "\(names.whose) authorities in \(path)")
            try require(names.authorityDirectory, isDirectory ? path : nil, "\(names.whose) authorities in \(path)")
        }
        if let path = tls.revocations { try require(names.revocations, path, "\(names.whose) revoked certificates in \(path)") }
        if !tls.curves.isEmpty, let curves = names.curves {
            try require(curves, tls.curves.joined(separator: ":"), "a choice of groups for the exchange of keys")
        }
        try setClientCertificate(tls, names)
        try setVersionsAndCiphers(tls, names)
        if let srp = tls.srp {
            try require(names.userType, "SRP", "TLS-SRP")
            try require(names.user, srp.user, "a name for TLS-SRP")
            try require(names.password, srp.password, "a password for TLS-SRP")
        }
        // Pins that are certificates are held against the server's by us.
        let pins = tls.pins.map(CertificatePins.spelled)
        if !pins.isEmpty, !CertificatePins.hasCertificates(pins) || names.curves == nil {
            try require(names.pins, pins.joined(separator: ";"), "\(names.whose) pinned keys")
        }
    }

    /// Our certificate and its key, in the form that their files have.
    private func setClientCertificate(_ tls: TLSOptions, _ names: TLSNames) throws(NetworkError) {
        guard let path = tls.certificate else { return }
        let key = tls.key ?? path
        let form = CredentialFile(path).form
        if tls.passphrase == nil, CredentialFile(key).isEncrypted { throw .passphraseMissing(for: key) }
        try require(names.certificate, path, "the client certificate \(path)")
        try require(names.certificateForm, form.rawValue, "certificates in \(form.rawValue)")
        // PKCS#12 has the key in it.
        if form != .pkcs12 || tls.key != nil {
            let keyForm = CredentialFile(key).form
            try require(names.key, key, "the client key \(key)")
            try require(names.keyForm, keyForm.rawValue, "keys in \(keyForm.rawValue)")
        }
        // Without one OpenSSL would ask at the terminal by itself.
        try require(names.passphrase, tls.passphrase?.text ?? "", "the pass phrase of \(key)")
    }

    private func setVersionsAndCiphers(_ tls: TLSOptions, _ names: TLSNames) throws(NetworkError) {
        if let minimum = tls.minimumVersion, let maximum = tls.maximumVersion, minimum > maximum {
            throw .invalid(
                "The oldest version of TLS, \(minimum.rawValue), is newer than the newest, \(maximum.rawValue). Swap or drop one.")
        }
        // The newest one stands in the upper half.
        let versions = (tls.minimumVersion?.curlNumber ?? 0) | (tls.maximumVersion?.curlNumber ?? 0) << 16
        if versions != 0 { set(names.versions, versions) }
        let new = tls.ciphers.filter { $0.hasPrefix("TLS_") }
        let old = tls.ciphers.filter { !$0.hasPrefix("TLS_") }
        if !new.isEmpty { try require(names.newCiphers, new.joined(separator: ":"), "a choice of TLS 1.3's ciphers") }
        if !old.isEmpty { try require(names.oldCiphers, old.joined(separator: ":"), "a choice of ciphers") }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension TLSVersion {
    fileprivate var curlNumber: Int {
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

/// A file with a certificate, or a key, of ours: what its bytes say of it.
package struct CredentialFile: Hashable, Sendable {
    package var form: Form
    /// Whether it has a private key that a pass phrase opens. Of PKCS#12 nobody can say without trying.
    package var isEncrypted: Bool

    /// As libcurl names it.
    package enum Form: String, Sendable {
        case pem = "PEM"
        case der = "DER"
        case pkcs12 = "P12"
    }

    /// One that can't be read is taken for PEM: libcurl says then what is wrong.
    package init(_ path: String) {
        self.init((try? Data(contentsOf: URL(filePath: path))) ?? Data())
    }

    /// PKCS#12 begins with its version, 3 (RFC 7292, section 4); a certificate with what it certifies, and a key with version 0 or 1.
    init(_ bytes: Data) {
        let start = [UInt8](bytes.prefix(16))
        if start.count > 2, start[0] == DERReader.Tag.sequence {
            // Behind the length, which may be left open in PKCS#12.
            let content = start.dropFirst(start[1] > 0x80 ? 2 + Int(start[1] & 0x7f) : 2)
            form = content.starts(with: [DERReader.Tag.integer, 1, 3]) ? .pkcs12 : .der
            isEncrypted = false
        } else {
            form = .pem
            // `BEGIN ENCRYPTED PRIVATE KEY` (RFC 7468, section 11), and `Proc-Type: 4,ENCRYPTED` (RFC 1421).
            isEncrypted = bytes.firstRange(of: Data("ENCRYPTED".utf8)) != nil
        }
    }
}
