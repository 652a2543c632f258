import Base
import NetworkLayer

/// Proof that whoever trades the code in is who asked for it (RFC 7636), by SHA-256.
struct PKCE: Hashable, Sendable {
    /// 43 letters.
    let verifier: String

    /// - Parameter bytes: 32 random ones.
    init(bytes: some Sequence<UInt8>) {
        verifier = Self.base64URL(bytes)
    }

    init(verifier: String) {
        self.verifier = verifier
    }

    /// What the browser's address has; the verifier can't be found from it.
    var challenge: String { Self.base64URL(DigestFunction.sha256.hash(Data(verifier.utf8))) }

    /// Without padding (RFC 4648, section 5).
    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing(scalars: "+", with: "-").replacing(scalars: "/", with: "_")
            .replacing(scalars: "=", with: "")
    }
}
