import Base
import HTTPTypes

extension Request {
    /// Whether it can be sent (REQ-5): codes 101 to 103, each with the part that is wrong.
    public func validate() throws(NetworkError) {
        if let error = validationError { throw error }
    }

    var validationError: NetworkError? {
        if let complaint = url.requestComplaint {
            return url.refusal
                ?? NetworkError(
                    .invalidURL, phase: .preparation, type: "url.invalid",
                    message: "\"\(url.absoluteString)\" can't be requested: \(complaint).")
        }
        if !method.rawValue.isToken {
            return NetworkError(
                .invalidMethod, phase: .preparation, type: "http.request.method.invalid",
                message: "\"\(method.rawValue)\" is no method: letters, digits and !#$%&'*+-.^_`|~ only (RFC 9110, section 9.1).")
        }
        // HTTPTypes makes such fields hard to build; a second look costs little next to a request that was split in two.
        for field in headers where !field.name.rawName.isToken || !field.isSafe {
            return NetworkError(
                .invalidRequest, phase: .preparation, type: "http.request.header.invalid",
                message: "The header \"\(field.name.rawName)\" can't be sent: no line breaks and no NUL in names and values.")
        }
        return nil
    }
}

extension Request {
    /// What is wrong with where its secrets would go: somebody has changed its URL since they were put there.
    var secretError: NetworkError? {
        // Nearly no request has any, and to find out an origin costs more than all other checks.
        guard !secrets.uses.isEmpty, let origin = Origin(url), let use = secrets.uses.first(where: { !$0.mayGo(to: origin) }) else {
            return nil
        }
        return NetworkError(
            .secretWithheld, phase: .preparation, type: ErrorType.secretWithheld,
            message: "The request goes to \(origin), and \(use.name) in \(use.part) is for "
                + "\(use.origins.map(\.description).joined(separator: ", ")) alone.")
    }
}

extension HTTPField {
    fileprivate var isSafe: Bool {
        withUnsafeBytesOfValue { bytes in bytes.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
    }
}

extension String {
    /// Whether it is a token in the sense of RFC 9110, section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
                    UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }
}
