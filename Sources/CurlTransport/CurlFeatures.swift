import CCurl
import NetworkLayer

/// What a libcurl was built with.
struct CurlFeatures {
    /// `7.88.1`
    var version: String
    var hasNTLM: Bool
    /// Negotiate, over GSS-API.
    var hasNegotiate: Bool
    /// In lower case, `x-gzip` and such left out.
    var contentCodings: [String] = []

    /// The features of the library that runs.
    static let present: CurlFeatures = {
        let bits = turnstone_curl_features()
        return CurlFeatures(
            version: String(cString: turnstone_curl_version_text()), hasNTLM: bits & CURL_VERSION_NTLM != 0,
            hasNegotiate: bits & CURL_VERSION_SPNEGO != 0,
            contentCodings: (bits & CURL_VERSION_LIBZ != 0 ? ["deflate", "gzip"] : [])
                + (bits & CURL_VERSION_BROTLI != 0 ? ["br"] : []) + (bits & CURL_VERSION_ZSTD != 0 ? ["zstd"] : []))
    }()

    /// Whether it decodes all codings of a `Content-Encoding`.
    func decodes(_ field: String) -> Bool {
        field.split { $0 == "," || $0 == " " || $0 == "\t" }.allSatisfy { coding in
            switch coding.lowercased() {
            case "identity", "none": true
            case "x-gzip": contentCodings.contains("gzip")
            case let name: contentCodings.contains(name)
            }
        }
    }

    func requireNTLM() throws(NetworkError) {
        if !hasNTLM { throw missing("NTLM") }
    }

    func requireNegotiate() throws(NetworkError) {
        if !hasNegotiate { throw missing("Negotiate (SPNEGO)") }
    }

    private func missing(_ name: String) -> NetworkError {
        .unsupported(
            "This libcurl (\(version)) was built without \(name). Install one that has it, or authenticate in another way.")
    }
}
