import Base
import NetworkLayer

/// What a server's own certificate must be, when one of ``TLSOptions/pins`` is a certificate (TN-12).
///
/// Pins of public keys alone are libcurl's to check, which does so where it can't show a chain, too.
struct CertificatePins {
    /// DER.
    private(set) var certificates: [Data] = []
    /// SHA-256 of their DER form (RFC 5280, section 4.1.2.7).
    private(set) var publicKeys: [Data] = []
    /// In DER form themselves.
    private(set) var wholeKeys: [Data] = []

    private static let keyPrefix = "sha256//"

    /// As curl spells a key's, where it is spelled as OkHttp does: `sha256/BASE64`.
    static func spelled(_ pin: String) -> String {
        pin.hasPrefix("sha256/") && !pin.hasPrefix(keyPrefix) ? keyPrefix + pin.dropFirst(7) : pin
    }

    static func hasCertificates(_ pins: [String]) -> Bool {
        pins.contains { !$0.hasPrefix(keyPrefix) }
    }

    /// - Parameter pins: keys and paths, as in ``TLSOptions/pins``; the files are read now.
    init(_ pins: [String]) throws(NetworkError) {
        for pin in pins {
            if pin.hasPrefix(Self.keyPrefix) {
                guard let digest = Data(base64Encoded: String(pin.dropFirst(Self.keyPrefix.count))), digest.count == 32 else {
                    throw .invalid("“\(pin)” is no pin of a public key. Write sha256// and 32 bytes in base64.")
                }
                publicKeys.append(digest)
            } else {
                for der in try Self.read(pin) {
                    if Self.isPublicKey(der) { wholeKeys.append(der) } else { certificates.append(der) }
                }
            }
        }
    }

    func match(_ certificate: Certificate) -> Bool {
        if certificates.contains(certificate.der) { return true }
        guard !publicKeys.isEmpty || !wholeKeys.isEmpty, let key = certificate.publicKeyDER else { return false }
        return wholeKeys.contains(key) || publicKeys.contains(Data(DigestFunction.sha256.hash(key)))
    }

    /// A key begins with what kind it is, and a certificate with what it certifies (RFC 5280, sections 4.1 and 4.1.2.7).
    private static func isPublicKey(_ der: Data) -> Bool {
        var outer = DERReader(ArraySlice(der))
        guard var parts = outer.next(DERReader.Tag.sequence)?.reader, var kind = parts.next(DERReader.Tag.sequence)?.reader else {
            return false
        }
        return kind.next(DERReader.Tag.objectIdentifier) != nil
    }

    private static func read(_ path: String) throws(NetworkError) -> [Data] {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            let number = access(path, R_OK) == 0 ? EIO : errno
            throw NetworkError(
                .fileFailed, phase: .preparation, type: "unknown",
                message: "The pinned certificate \(path) can't be read: \(SystemError.text(number)).", systemErrno: number)
        }
        let certificates = bytes.first == DERReader.Tag.sequence ? [bytes] : pem(String(decoding: bytes, as: UTF8.self))
        guard !certificates.isEmpty else {
            throw NetworkError(
                .fileFailed, phase: .preparation, type: "unknown",
                message: "The pinned certificate \(path) is none: it must be a certificate or a public key, in PEM or DER form.")
        }
        return certificates
    }

    /// RFC 7468, section 5.
    private static func pem(_ text: String) -> [Data] {
        ["CERTIFICATE", "PUBLIC KEY"].flatMap { text.components(between: "-----BEGIN \($0)-----", and: "-----END \($0)-----") }
            .compactMap { Data(base64Encoded: String($0), options: .ignoreUnknownCharacters) }
            .filter { $0.first == DERReader.Tag.sequence }
    }
}

extension String {
    /// The pieces that stand between the two marks.
    fileprivate func components(between opening: String, and closing: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = self[...]
        while let start = rest.firstRange(of: opening), let end = rest[start.upperBound...].firstRange(of: closing) {
            pieces.append(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return pieces
    }
}

extension CurlTransfer {
    /// - Returns: whether the server's certificate is a pinned one, or none is pinned; otherwise the transfer fails.
    func matchesPins(_ pins: CertificatePins) -> Bool {
        guard OpenSSL.isPresent, let leaf = connection.tls?.chain.first else {
            abort(.unsupported("This libcurl shows no certificates, so none can be pinned. Pin the public key, as sha256//BASE64."))
            return false
        }
        guard !pins.match(leaf) else { return true }
        abort(.pinMismatch(by: hostName))
        return false
    }
}
