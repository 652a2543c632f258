extension UnsafeBufferPointer<UInt8> {
    /// Where these bytes, of which there must be some, first stand in a row. `Collection.firstRange(of:)` takes hundreds of times as long:
    /// it isn't specialised.
    package func firstPlace(of pattern: [UInt8], from start: Int = 0) -> Int? {
        guard let baseAddress, let first = pattern.first else { return nil }
        var place = start
        while count - place >= pattern.count {
            let rest = UnsafeRawPointer(baseAddress + place)
            guard let found = memchr(rest, Int32(first), count - pattern.count + 1 - place) else { return nil }
            place += UnsafeRawPointer(found) - rest
            if memcmp(baseAddress + place, pattern, pattern.count) == 0 { return place }
            place += 1
        }
        return nil
    }
}

extension Data {
    /// Whether these bytes stand in a row somewhere.
    package func hasBytes(_ pattern: some Sequence<UInt8>) -> Bool {
        withUnsafeBytes { $0.bindMemory(to: UInt8.self).firstPlace(of: Array(pattern)) != nil }
    }
}
