package import Base
import NetworkLayer

/// The text of a body that says with `charset` in which encoding it is.
package enum CharsetText {
    /// In UTF-8.
    static func utf8(_ body: Data, contentType: String?) -> Data { converted(body, contentType: contentType) ?? body }

    /// In UTF-8: a byte order mark decides, then `charset`; `nil` for what is UTF-8 already, or in an encoding that the system doesn't know.
    ///
    /// - Parameter contentType: the field's value.
    package static func converted(_ body: Data, contentType: String?) -> Data? {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return body.dropFirst(3) }
        return CharsetDecoder.charset(contentType: contentType, start: body).flatMap { CharsetDecoder.utf8(body, in: $0) }
    }

    /// The text of bytes in an encoding; `nil` for one that the system doesn't know.
    static func text(_ bytes: Data, in charset: String) -> String? {
        let name = charset.lowercased()
        if ["utf-8", "utf8"].contains(name) { return String(decoding: bytes, as: UTF8.self) }
        return CharsetDecoder.utf8(bytes, in: name).map { String(decoding: $0, as: UTF8.self) }
    }
}
