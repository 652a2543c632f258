import Foundation
import TerminalUI
import Testing

@testable import NcursesTerminal

@Suite struct ColorMapTests {
    private func color(_ value: Int) -> Color {
        Color(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }

    @Test(
        arguments: [
            (0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x5F87AF, 67), (0x808080, 244), (0x1E1E2E, 234), (0x121212, 233),
            (0xEEEEEE, 255),
        ])
    func `of 256, the nearest of those that are the same everywhere`(value: Int, index: Int) {
        #expect(ColorMap(depth: .palette).index(color(value)) == index)
    }

    @Test(
        arguments: [
            (0x000000, 0), (0xFFFFFF, 15), (0x808080, 8), (0xC0C0C0, 7), (0xFF5555, 9), (0x800000, 1), (0x50FA7B, 10),
            (0x008000, 2),
            (0xF1FA8C, 11), (0x8BE9FD, 14), (0x6272A4, 4), (0xBD93F9, 12), (0xFF79C6, 13), (0x1E1E2E, 0), (0x313244, 8),
        ])
    func `of 16, the one of the same name`(value: Int, index: Int) {
        #expect(ColorMap(depth: .sixteen).index(color(value)) == index)
    }

    @Test func `of 8, letters stay visible on their ground`() {
        func pair(_ foreground: Int, _ background: Int) -> [Int] {
            let pair = ColorMap(depth: .eight).pair(color(foreground), on: color(background))
            return [pair.foreground, pair.background]
        }
        #expect(pair(0xFF5555, 0x1E1E2E) == [1, 0])
        #expect(pair(0x808080, 0x1E1E2E) == [7, 0])
        #expect(pair(0x0000FF, 0x6272A4) == [7, 4])
        #expect(pair(0x50FA7B, 0x008000) == [0, 2])
        #expect(pair(0xFF5555, 0x6272A4) == [7, 4])
        #expect(ColorMap(depth: .sixteen).pair(color(0x101010), on: nil).background == -1)
    }

    /// What is drawn over a selection keeps its own colour where it can.
    @Test(arguments: [ColorDepth.eight, .sixteen]) func `with few colours, no letters are lost on any ground`(depth: ColorDepth) {
        let values = (0..<64).map { ($0 >> 4 & 3) * 85 << 16 | ($0 >> 2 & 3) * 85 << 8 | ($0 & 3) * 85 }
        for letters in values {
            for ground in values {
                let pair = ColorMap(depth: depth).pair(color(letters), on: color(ground))
                let contrast = BasicColor.usual[pair.foreground].contrast(with: BasicColor.usual[pair.background])
                #expect(contrast >= 3, "\(pair)")
            }
        }
    }

    @Test func `with 24 bits each colour is itself, but for what would be one of the terminal's own`() {
        #expect(ColorMap(depth: .direct).index(color(0x123456)) == 0x123456)
        #expect(ColorMap(depth: .direct).index(color(0x000007)) == 8)
    }

    @Test func `without colours there are none`() {
        #expect(ColorMap(depth: .none).index(color(0xFF0000)) == nil)
    }
}

@Suite struct DirectColorsTests {
    private func description(of terminal: String) throws -> [UInt8] {
        let text = try #require(DirectColors.terminfo(of: terminal, [:]), "\(terminal) isn't installed")
        #expect(text.hasPrefix("b64:"))
        return try #require(Data(base64Encoded: String(text.dropFirst(4)))).map(\.self)
    }

    @Test func `a terminal's description gets 24 bits of colour and stays what it was otherwise`() throws {
        let bytes = try description(of: "xterm-256color")
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("xterm-256color|xterm with 256 colors"))
        #expect(text.contains("%e38;2;%p1%{65536}%/%d;") && text.contains("%e48;2;"))
        #expect(text.hasSuffix("RGB\0"))
        // Once more it is the same, but for what was added to its ends.
        #expect(DirectColors.description(bytes) != nil)
    }

    @Test(arguments: ["vt100", "dumb", "no-such-terminal", "", "../../etc/passwd"])
    func `one without colours, or that isn't there, has no such description`(terminal: String) {
        #expect(DirectColors.terminfo(of: terminal, [:]) == nil)
    }

    @Test func `a description that is cut off or full of noise is taken for none`() throws {
        let whole = try description(of: "xterm-256color")
        for length in stride(from: 0, to: whole.count - 1, by: 7) where length < 3_000 {
            _ = DirectColors.description(Array(whole.prefix(length)))
        }
        var noise = whole
        for place in stride(from: 2, to: noise.count, by: 3) {
            noise[place] ^= 0xFF
            _ = DirectColors.description(noise)
        }
        #expect(DirectColors.description([]) == nil)
        #expect(DirectColors.description(Array(whole.prefix(40))) == nil)
    }

    @Test(arguments: [("truecolor", true), ("24bit", true), ("TrueColor", true), ("yes", false), ("", false)])
    func `COLORTERM promises it`(value: String, isPromised: Bool) {
        #expect(DirectColors.isPromised(["COLORTERM": value]) == isPromised)
        #expect(!DirectColors.isPromised([:]))
        for handedOn in [["TERM": "screen-256color"], ["TERM": "xterm-256color", "STY": "1.pts-0"], ["TERM": "dvtm-256color"]] {
            #expect(!DirectColors.isPromised(handedOn.merging(["COLORTERM": value]) { $1 }))
        }
        #expect(DirectColors.isPromised(["COLORTERM": value, "TERM": "screen-256color", "TMUX": "1"]) == isPromised)
    }
}
