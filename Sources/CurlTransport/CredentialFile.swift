import Base

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
