import Base
import TerminalUI

/// What a terminal that knows kitty's graphics protocol is told, so that it shows the picture of a frame.
///
/// ncurses knows nothing of it: the picture lies over the cells that ncurses writes, stays until it is taken away, and is told after the
/// cells. The cursor is where it was afterwards. The terminal is never asked, and told not to answer: an answer would be read as keys.
struct KittyImages {
    /// One at a time. Other programs in the same window have numbers, too.
    private let number: UInt32
    private var shown: FrameImage?

    /// - Parameter process: tells the pictures of several programs in one window apart.
    init(process: Int32) { number = 1 << 24 | UInt32(bitPattern: process) & 0xFF_FFFF }

    /// - Returns: what brings the terminal from the picture before to this one; empty when that is the same.
    mutating func show(_ image: FrameImage?) -> [UInt8] {
        guard image != shown else { return [] }
        let before = shown
        shown = image
        guard let image, image.place.columns > 0, image.place.rows > 0 else { return before == nil ? [] : Self.forgetting(number) }
        var bytes: [UInt8] = []
        if before?.file == image.file {
            // The terminal has the image already: only its place changes.
            bytes += Self.command("a=d,d=i,i=\(number),q=2")
        } else {
            if before != nil { bytes += Self.forgetting(number) }
            bytes += sending(image.file)
        }
        let place = image.place
        // Saved and restored by the terminal: ncurses counts on the cursor.
        bytes += Array("\u{1B}7\u{1B}[\(place.row + 1);\(place.column + 1)H".utf8)
        bytes += Self.command("a=p,i=\(number),p=1,c=\(place.columns),r=\(place.rows),C=1,q=2")
        return bytes + Array("\u{1B}8".utf8)
    }

    /// The screen was cleared, or belongs to another program from now on.
    ///
    /// - Returns: what takes the picture and its file out of the terminal.
    mutating func clear() -> [UInt8] {
        defer { shown = nil }
        return shown == nil ? [] : Self.forgetting(number)
    }

    /// In parts, as the protocol wants it: 4,096 characters at most, and all but the last ones a multiple of four.
    private func sending(_ file: ImageFile) -> [UInt8] {
        let text = Array(Data(file.bytes).base64EncodedString().utf8)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: Self.part) {
            let end = min(text.count, start + Self.part)
            let first = start == 0 ? "a=t,f=100,i=\(number),q=2," : ""
            bytes += Self.command("\(first)m=\(end < text.count ? 1 : 0)", text[start..<end])
        }
        return bytes
    }

    private static let part = 4096

    private static func forgetting(_ number: UInt32) -> [UInt8] { command("a=d,d=I,i=\(number),q=2") }

    private static func command(_ keys: String, _ payload: ArraySlice<UInt8> = []) -> [UInt8] {
        Array("\u{1B}_G\(keys)".utf8) + (payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload) + Array("\u{1B}\\".utf8)
    }
}
