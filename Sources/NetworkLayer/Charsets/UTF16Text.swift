/// Bytes that may be a text in UTF-16.
struct UTF16Text: Hashable {
    let isLittleEndian: Bool
    /// The first byte of the first character: 0, or 1 in the middle of other data.
    let start: Int

    /// The reading that a byte order mark at the beginning tells, behind it.
    static func marked(_ bytes: [UInt8]) -> UTF16Text? {
        if bytes.starts(with: [0xFF, 0xFE]) { return UTF16Text(isLittleEndian: true, start: 2) }
        return bytes.starts(with: [0xFE, 0xFF]) ? UTF16Text(isLittleEndian: false, start: 2) : nil
    }

    static func isReadBefore(_ left: Self, _ right: Self) -> Bool {
        left.start == right.start ? left.isLittleEndian && !right.isLittleEndian : left.start < right.start
    }

    /// In UTF-8, a byte order mark included; U+FFFD stands for half of a pair. A character that was cut off is left out.
    func utf8(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        walk(bytes) { scalar, _ in text.append(contentsOf: UTF8.encode(scalar)!) }
        return text
    }

    /// Where the characters of parts of the text stand.
    ///
    /// - Parameter ranges: in ascending order, in bytes of UTF-8.
    func sources(of ranges: [Range<Int>], in bytes: [UInt8]) -> [Range<Int>] {
        var sources: [Range<Int>] = []
        var position = 0
        var first: Int?
        walk(bytes) { scalar, range in
            guard sources.count < ranges.count else { return }
            if position >= ranges[sources.count].lowerBound, first == nil { first = range.lowerBound }
            position += UTF8.encode(scalar)!.count
            guard position >= ranges[sources.count].upperBound, let start = first else { return }
            sources.append(start..<range.upperBound)
            first = nil
        }
        return sources
    }

    private func walk(_ bytes: [UInt8], _ body: (_ scalar: Unicode.Scalar, _ range: Range<Int>) -> Void) {
        let (high, low) = isLittleEndian ? (1, 0) : (0, 1)
        func unit(_ position: Int) -> UInt32? {
            position + 1 < bytes.count ? UInt32(bytes[position + high]) << 8 | UInt32(bytes[position + low]) : nil
        }
        var position = start
        while let first = unit(position) {
            var value = first
            var count = 2
            if 0xD800...0xDBFF ~= first, let second = unit(position + 2), 0xDC00...0xDFFF ~= second {
                value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
                count = 4
            }
            body(Unicode.Scalar(value) ?? "\u{FFFD}", position..<position + count)
            position += count
        }
    }

    /// The bytes of a text.
    static func bytes(of text: some StringProtocol, isLittleEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { isLittleEndian ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    /// How bytes may be read: by their byte order mark or the zero in the first character, as in JSON; and by six characters of ASCII in a
    /// row, wherever they stand. Nothing else in UTF-16 has an ASCII secret in it, however it is escaped.
    static func readings(of bytes: [UInt8]) -> Set<UTF16Text> {
        var readings: Set<UTF16Text> = []
        guard bytes.count > 1 else { return readings }
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE), (1..., 0): readings.insert(UTF16Text(isLittleEndian: true, start: 0))
        case (0xFE, 0xFF), (0, 1...): readings.insert(UTF16Text(isLittleEndian: false, start: 0))
        default: break
        }
        for parity in zeroRuns(bytes) {
            readings.insert(UTF16Text(isLittleEndian: true, start: 1 - parity))
            readings.insert(UTF16Text(isLittleEndian: false, start: parity))
        }
        return readings
    }

    /// Whether six zeros at even, or at odd places, have other bytes between them. A text in UTF-8 has no zero, and is gone through at once.
    private static func zeroRuns(_ bytes: [UInt8]) -> Set<Int> {
        let reach = 2 * (Redactor.shortestSearched - 1)
        var parities: Set<Int> = []
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while parities.count < 2, let index = buffer.firstIndex(of: 0, from: position) {
                position = index + 1
                guard index + reach < buffer.count, !parities.contains(index % 2) else { continue }
                let isRun = (1...reach).allSatisfy { (buffer[index + $0] == 0) == $0.isMultiple(of: 2) }
                if isRun { parities.insert(index % 2) }
            }
        }
        return parities
    }
}
