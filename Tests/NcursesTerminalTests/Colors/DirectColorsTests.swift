import Foundation
import Testing

@testable import NcursesTerminal

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
        #expect(!DirectColors.isPromised(["COLORTERM": value, "TERM": "screen-256color"]))
        #expect(DirectColors.isPromised(["COLORTERM": value, "TERM": "screen-256color", "TMUX": "1"]) == isPromised)
    }
}
