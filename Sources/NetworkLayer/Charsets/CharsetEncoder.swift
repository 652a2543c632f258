import Base

/// Writes texts in an encoding, by the system's iconv.
final class CharsetEncoder {
    #if canImport(Glibc)
        private let converter: iconv_t
    #endif

    /// - Parameter name: the system's name. `nil` for an encoding that it doesn't know.
    init?(_ name: String) {
        #if canImport(Glibc)
            guard !name.isEmpty, let converter = iconv_open(name, "UTF-8"), converter != iconv_t(bitPattern: -1) else { return nil }
            self.converter = converter
        #else
            return nil
        #endif
    }

    deinit {
        #if canImport(Glibc)
            iconv_close(converter)
        #endif
    }

    /// The bytes that stand for a text of its own; `nil` when it can't be written in the encoding.
    func bytes(of text: some StringProtocol) -> [UInt8]? {
        // iconv writes nothing in place of tags (U+E0000 to U+E007F), and says nothing of it.
        guard !text.unicodeScalars.contains(where: { 0xE0000...0xE007F ~= $0.value }) else { return nil }
        var result: [UInt8] = []
        #if canImport(Glibc)
            // Each text begins in the state in which a body begins.
            _ = iconv(converter, nil, nil, nil, nil)
            var input = Array(text.utf8)
            // A character is the longest with an escape sequence in front of it and one behind it.
            result = [UInt8](repeating: 0, count: 8 * input.count + 16)
            let room = result.count
            let left = input.withUnsafeMutableBytes { input in
                result.withUnsafeMutableBytes { output -> Int? in
                    var next = input.bindMemory(to: CChar.self).baseAddress
                    var (count, left) = (input.count, room)
                    var place = output.bindMemory(to: CChar.self).baseAddress
                    guard iconv(converter, &next, &count, &place, &left) != -1 else { return nil }
                    guard iconv(converter, nil, nil, &place, &left) != -1 else { return nil }
                    return left
                }
            }
            guard let left else { return nil }
            result.removeLast(left)
        #endif
        return result
    }
}
