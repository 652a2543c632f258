package import Base

/// Turns a text that comes piece by piece into UTF-8, by the system's iconv. Bytes that mean nothing become U+FFFD.
package final class CharsetDecoder {
    #if canImport(Glibc)
        private let converter: iconv_t
    #endif
    /// The bytes that a text of this encoding is a multiple of: one that is wrong must not shift the ones behind it.
    private let unit: Int
    /// What stands for a byte that the system doesn't read: browsers take the byte 80 of GBK for the sign of the euro.
    private let ownSigns: [UInt8: String]
    /// The beginning of a character whose rest comes with the next bytes.
    private var pending: [UInt8] = []

    /// - Parameter charset: any name that the user gives, in lower case. `nil` for an encoding that the system doesn't know.
    package init?(_ charset: String) {
        let name = WebEncodings.name(charset) ?? charset
        ownSigns = name == "gb18030" ? [0x80: "\u{20AC}"] : [:]
        unit = name.hasPrefix("utf-16") || name.hasPrefix("ucs-2") ? 2 : name.hasPrefix("utf-32") || name.hasPrefix("ucs-4") ? 4 : 1
        #if canImport(Glibc)
            // An empty name is the locale's encoding there, and no name at all.
            guard !name.isEmpty, let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
            self.converter = converter
        #else
            return nil
        #endif
    }

    /// The decoder of a body: a byte order mark decides, then `charset`. `nil` for what is UTF-8 already, or in none of ``WebEncodings``.
    ///
    /// - Parameters:
    ///   - contentType: the field's value.
    ///   - start: the body's first bytes.
    package convenience init?(contentType: String?, start: some Sequence<UInt8>) {
        guard let charset = Self.charset(contentType: contentType, start: start) else { return nil }
        self.init(charset)
    }

    deinit {
        #if canImport(Glibc)
            iconv_close(converter)
        #endif
    }

    /// The name of a body's encoding, in lower case, if it is one of ``WebEncodings``; `nil` for UTF-8, and for ASCII, which is a part of it.
    package static func charset(contentType: String?, start: some Sequence<UInt8>) -> String? {
        var bytes = start.makeIterator()
        switch (bytes.next(), bytes.next()) {
        case (0xEF, 0xBB) where bytes.next() == 0xBF: return nil
        case (0xFE, 0xFF), (0xFF, 0xFE): return "utf-16"
        default: break
        }
        return contentType.flatMap(WebEncodings.label)
    }

    package static func utf8(_ bytes: Data, in charset: String) -> Data? {
        CharsetDecoder(charset).map { decoder in decoder.utf8(bytes) + decoder.finish() }
    }

    /// The text of a body that is in another encoding than UTF-8: a byte order mark decides, then `charset`. `nil` for what is UTF-8 already,
    /// whatever is said of it: templates are filled in in UTF-8.
    static func utf8(_ body: Data, contentType: String?) -> Data? {
        guard let charset = charset(contentType: contentType, start: body) else { return nil }
        // Texts in UTF-16 have zeros, and those in ISO-2022-JP escapes.
        let isUTF8 = !body.contains { $0 == 0 || $0 == 0x1B } && String(validating: body, as: UTF8.self) != nil
        return isUTF8 ? nil : utf8(body, in: charset)
    }

    /// A body in UTF-8 that says so, whatever its `Content-Type` says.
    static func marked(_ text: [UInt8]) -> Data {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return Data(text.starts(with: mark) ? text : mark + text)
    }

    /// The text of the next bytes, up to the last character that is complete.
    package func utf8(_ bytes: Data) -> Data {
        if pending.isEmpty { return bytes.withUnsafeBytes { convert($0) } }
        return (pending + bytes).withUnsafeBytes { convert($0) }
    }

    /// No more bytes come: what stands for a character that isn't complete.
    package func finish() -> Data {
        var result = Data()
        #if canImport(Glibc)
            // A letter waits in the converter for an accent that would belong to it.
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { output in
                var place = output.baseAddress
                var room = output.count
                _ = iconv(converter, nil, nil, &place, &room)
                result.append(contentsOf: UnsafeRawBufferPointer(output)[..<(output.count - room)])
            }
        #endif
        let count = (pending.count + unit - 1) / unit
        pending = []
        result.append(contentsOf: String(repeating: "\u{FFFD}", count: unit == 1 ? min(1, count) : count).utf8)
        return result
    }

    private func convert(_ bytes: UnsafeRawBufferPointer) -> Data {
        pending = []
        var result = Data()
        #if canImport(Glibc)
            result.reserveCapacity(bytes.count)
            // iconv doesn't write there, though its declaration would let it.
            var next = UnsafeMutablePointer(mutating: bytes.bindMemory(to: CChar.self).baseAddress)
            var left = bytes.count
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { output in
                while left > 0 {
                    var place = output.baseAddress
                    var room = output.count
                    let status = iconv(converter, &next, &left, &place, &room)
                    let code = errno
                    result.append(contentsOf: UnsafeRawBufferPointer(output)[..<(output.count - room)])
                    guard status == -1, code != E2BIG else { continue }
                    guard code == EILSEQ else {
                        pending = Array(bytes.suffix(left))
                        return
                    }
                    let sign = next.flatMap { ownSigns[UInt8(bitPattern: $0.pointee)] }
                    result.append(contentsOf: (sign ?? "\u{FFFD}").utf8)
                    let wrong = min(unit, left)
                    next = next?.advanced(by: wrong)
                    left -= wrong
                }
            }
        #endif
        return result
    }
}
