package import Base
import CCurl
import NetworkLayer

/// The libcurl that this program runs with, which need not be the one that it was built with.
public struct CurlLibrary: Sendable, Hashable {
    public var version: String
    /// `OpenSSL/3.0.19`; `nil` without TLS.
    public var tlsLibrary: String?
    public var features: Set<Feature>

    /// The one that the program runs with.
    public static let current: CurlLibrary = {
        let info = turnstone_curl_version_info().pointee
        let present = Feature.allCases.filter { info.features & Int32($0.bit) != 0 }
        return CurlLibrary(
            version: String(cString: info.version), tlsLibrary: info.ssl_version.map { String(cString: $0) },
            features: Set(present))
    }()

    /// What a libcurl may be built without.
    public enum Feature: String, Sendable, Hashable, CaseIterable {
        case http2 = "HTTP/2"
        case http3 = "HTTP/3"
        /// The content codings that it takes off.
        case gzip, brotli, zstd
        case ipv6 = "IPv6"
        /// Host names beyond ASCII.
        case idn = "IDN"
        case unixSockets = "Unix sockets"
        /// Names are looked up beside other transfers, rather than one at a time.
        case asynchronousDNS = "asynch. DNS"
        case ntlm = "NTLM"
        /// Negotiate authentication (SPNEGO), mostly Kerberos.
        case spnego = "Negotiate"

        /// As in `curl_version_info(3)`.
        fileprivate var bit: Int {
            switch self {
            case .ipv6: 1 << 0
            case .gzip: 1 << 3
            case .ntlm: 1 << 4
            case .asynchronousDNS: 1 << 7
            case .spnego: 1 << 8
            case .idn: 1 << 10
            case .http2: 1 << 16
            case .unixSockets: 1 << 19
            case .brotli: 1 << 23
            case .http3: 1 << 25
            case .zstd: 1 << 26
            }
        }
    }

    /// - Parameter way: another way, as in “or authenticate in another way”.
    func require(_ feature: Feature, or way: String = "authenticate in another way") throws(NetworkError) {
        guard !features.contains(feature) else { return }
        throw .unsupported(
            "This libcurl (\(version)) was built without \(feature.rawValue). Install one that has it, or \(way).")
    }
}

/// Dates in the forms that libcurl knows beside those of HTTP: `20240501`, `1 May 2024`, `May 1 12:00:00 2024`.
package enum CurlDate {
    package static func parse(_ text: String) -> Date? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
