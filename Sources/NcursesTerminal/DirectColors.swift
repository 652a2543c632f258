import Base

/// True colour by way of terminfo: the terminal's own description, as compiled by tic(1), with 24 bits of colour in it.
///
/// Most terminals have true colour and say so in `COLORTERM`; the descriptions that come with systems (`xterm-256color`) don't. ncurses
/// takes a whole description in `TERMINFO` (`b64:…`, from version 6.1 on), so none has to be installed. See term(5) for the format.
enum DirectColors {
    /// Whether the terminal says that it has them. GNU screen, dvtm and the console don't, and hand on what another terminal said.
    static func isPromised(_ environment: [String: String]) -> Bool {
        guard ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased()) else { return false }
        let name = environment["TERM"] ?? ""
        let handsOn = name.hasPrefix("screen") || environment["STY"] != nil
        return name != "linux" && !name.hasPrefix("dvtm") && (!handsOn || environment["TMUX"] != nil)
    }

    /// What `TERMINFO` is to be while ncurses sets the terminal up; `nil`: the terminal's description isn't found, or has no colours.
    static func terminfo(of name: String, _ environment: [String: String]) -> String? {
        guard let first = name.utf8.first, !name.contains("/") else { return nil }
        for folder in folders(environment) {
            for part in [String(name.prefix(1)), String(first, radix: 16)] {
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(part)/\(name)") else { continue }
                return description(Array(data)).map { "b64:" + Data($0).base64EncodedString() }
            }
        }
        return nil
    }

    /// Where ncurses looks, in its order.
    private static func folders(_ environment: [String: String]) -> [String] {
        var folders = [environment["TERMINFO"], environment["HOME"].map { "\($0)/.terminfo" }].compactMap(\.self)
        folders += environment["TERMINFO_DIRS"]?.split(separator: ":").map(String.init) ?? []
        return folders.filter { $0.hasPrefix("/") } + [
            "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
        ]
    }

    // MARK: The format

    private static let legacyMagic = 0o432
    private static let magic = 0o1036
    /// Places in the tables of term.h.
    private enum Place {
        static let canChange = 27
        static let maxColors = 13
        static let maxPairs = 14
        static let foreground = 359
        static let background = 360
    }

    /// Below 8 a number is one of the terminal's own colours.
    private static func sequence(_ ground: Int) -> [UInt8] {
        let parts = "%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
        return Array("\u{1B}[%?%p1%{8}%<%t\(ground)%p1%d%e\(ground)8;2;\(parts)%;m".utf8) + [0]
    }

    /// The description with 24 bits of colour; `nil` when it can't be understood, or has no colours.
    static func description(_ bytes: [UInt8]) -> [UInt8]? {
        var reader = Reader(bytes: bytes)
        guard let head = reader.shorts(6), head[0] == magic || head[0] == legacyMagic, head[1...].allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        let isWide = head[0] == magic
        guard let names = reader.read(head[1]), var flags = reader.read(head[2]), reader.align(),
            var numbers = isWide ? reader.ints(head[3]) : reader.shorts(head[3]),
            var offsets = reader.shorts(head[4]), var texts = reader.read(head[5]),
            numbers.count > Place.maxPairs, numbers[Place.maxColors] >= 8, offsets.count > Place.background
        else { return nil }
        numbers[Place.maxColors] = 1 << 24
        numbers[Place.maxPairs] = 1 << 16
        if flags.count > Place.canChange { flags[Place.canChange] = 0 }
        for (place, ground) in [(Place.foreground, 3), (Place.background, 4)] {
            offsets[place] = texts.count
            texts += sequence(ground)
        }
        guard texts.count < 1 << 15 else { return nil }
        var out = Writer()
        out.shorts([magic, names.count, flags.count, numbers.count, offsets.count, texts.count])
        out.bytes += names + flags
        out.align()
        out.ints(numbers)
        out.shorts(offsets)
        out.bytes += texts
        out.align()
        guard addExtensions(reader, isWide: isWide, to: &out) else { return nil }
        return out.bytes
    }

    /// The part for names that term.h doesn't have; `RGB` is one of them.
    private static func addExtensions(_ old: Reader, isWide: Bool, to out: inout Writer) -> Bool {
        var reader = old
        var (flags, numbers, values, names, texts): ([UInt8], [Int], [Int], [Int], [UInt8]) = ([], [], [], [], [])
        if reader.align(), let head = reader.shorts(5) {
            guard head.allSatisfy({ $0 >= 0 }), let oldFlags = reader.read(head[0]), reader.align(),
                let oldNumbers = isWide ? reader.ints(head[1]) : reader.shorts(head[1]), let oldValues = reader.shorts(head[2]),
                let oldNames = reader.shorts(head[0] + head[1] + head[2]), let oldTexts = reader.read(head[4])
            else { return false }
            (flags, numbers, values, names, texts) = (oldFlags, oldNumbers, oldValues, oldNames, oldTexts)
        }
        // Names are counted from behind the values.
        var end = 0
        for value in values where value >= 0 {
            guard value < texts.count, let stop = texts[value...].firstIndex(of: 0) else { return false }
            end = max(end, stop + 1)
        }
        guard end <= texts.count else { return false }
        names.insert(texts.count - end, at: flags.count)
        flags.append(1)
        texts += Array("RGB".utf8) + [0]
        out.shorts([flags.count, numbers.count, values.count, values.count { $0 >= 0 } + names.count, texts.count])
        out.bytes += flags
        out.align()
        out.ints(numbers)
        out.shorts(values)
        out.shorts(names)
        out.bytes += texts
        return true
    }

    private struct Reader {
        var bytes: [UInt8]
        var place = 0

        mutating func read(_ count: Int) -> [UInt8]? {
            guard count >= 0, place + count <= bytes.count else { return nil }
            defer { place += count }
            return Array(bytes[place..<place + count])
        }

        /// To an even place.
        mutating func align() -> Bool {
            place += place & 1
            return place <= bytes.count
        }

        mutating func shorts(_ count: Int) -> [Int]? {
            read(count * 2).map { part in
                (0..<count).map { Int(Int16(bitPattern: UInt16(part[$0 * 2]) | UInt16(part[$0 * 2 + 1]) << 8)) }
            }
        }

        mutating func ints(_ count: Int) -> [Int]? {
            read(count * 4).map { part in
                (0..<count).map { index in
                    Int(Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(part[index * 4 + $1]) << UInt32($1 * 8) }))
                }
            }
        }
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func align() { if bytes.count & 1 == 1 { bytes.append(0) } }

        mutating func shorts(_ values: [Int]) {
            for value in values { bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] }
        }

        mutating func ints(_ values: [Int]) {
            for value in values { bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        }
    }
}
