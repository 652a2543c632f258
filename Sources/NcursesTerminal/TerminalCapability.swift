import CNcurses

/// What terminfo says about the terminal that is set up.
@MainActor
enum TerminalCapability {
    /// A string that is sent as it is; `nil` when the terminal can't do it. Delays (`$<5>`) are left out.
    static func string(_ name: String) -> [UInt8]? {
        guard let value = tigetstr(name), value != UnsafeMutablePointer(bitPattern: -1) else { return nil }
        var bytes = Array(String(cString: value).utf8)
        while let start = bytes.firstIndex(of: UInt8(ascii: "$")), bytes.dropFirst(start + 1).first == UInt8(ascii: "<"),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            bytes.removeSubrange(start...end)
        }
        return bytes.isEmpty ? nil : bytes
    }
}
