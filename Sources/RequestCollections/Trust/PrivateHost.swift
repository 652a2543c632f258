/// Hosts that only this machine or its network can reach (RFC 6890; RFC 6761, section 6.3; RFC 6762).
package enum PrivateHost {
    /// - Parameter host: a name or an address, without brackets.
    package static func contains(_ host: String) -> Bool {
        var host = host.lowercased()
        if host.utf8.last == UInt8(ascii: ".") { host.unicodeScalars.removeLast() }
        if host.utf8.contains(UInt8(ascii: ":")) { return isPrivate6(host) }
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
        // `127.1`, `0x7f.1` and a bare number are addresses, too.
        if let last = parts.last, isNumber(last) { return isPrivate4(parts) }
        // A name without a dot is looked up in the network's own domain.
        if parts.count == 1 { return true }
        return ["localhost", "local", "internal", "lan", "home", "corp", "intranet"].contains(parts.last ?? "")
            || host.hasSuffix(".home.arpa")
    }

    private static func isNumber(_ part: Substring) -> Bool { number(part) != nil }

    /// As inet_aton(3) takes it.
    private static func number(_ part: Substring) -> UInt32? {
        guard part.utf8.first == UInt8(ascii: "0"), part.utf8.count > 1 else { return UInt32(part) }
        guard part.utf8.dropFirst().first == UInt8(ascii: "x") else { return UInt32(part, radix: 8) }
        return part.utf8.count == 2 ? 0 : UInt32(part.dropFirst(2), radix: 16)
    }

    private static func isPrivate4(_ parts: [Substring]) -> Bool {
        let numbers = parts.compactMap(number)
        // What is no address goes nowhere.
        guard numbers.count == parts.count, (1...4).contains(numbers.count), let last = numbers.last else { return false }
        var address = last
        for (index, number) in numbers.dropLast().enumerated() { address |= (number & 0xFF) << UInt32(24 - 8 * index) }
        switch address >> 24 {
        case 0, 10, 127: return true
        case 100: return (address >> 16) & 0xC0 == 0x40
        case 169: return (address >> 16) & 0xFF == 254
        case 172: return (address >> 16) & 0xF0 == 16
        case 192: return (address >> 16) & 0xFF == 168
        default: return false
        }
    }

    /// Loopback, unique local and link-local addresses, and those of IPv4 in them.
    private static func isPrivate6(_ host: String) -> Bool {
        let address = host.prefix { $0 != "%" }
        if address == "::1" || address == "::" { return true }
        if let dotted = address.split(separator: ":").last, dotted.contains("."), address.hasPrefix("::") {
            return isPrivate4(dotted.split(separator: ".", omittingEmptySubsequences: false))
        }
        if address.hasPrefix("::ffff:") {
            let groups = address.dropFirst(7).split(separator: ":").compactMap { UInt32($0, radix: 16) }
            return groups.count == 2 && isPrivate4(["\(groups[0] << 16 | groups[1])"])
        }
        guard let first = address.split(separator: ":", omittingEmptySubsequences: false).first,
            let value = UInt16(first, radix: 16)
        else { return false }
        return value & 0xFE00 == 0xFC00 || value & 0xFFC0 == 0xFE80
    }
}
