import NetworkLayerTesting
import TerminalTesting
import TerminalUI
import Testing

@testable import NcursesTerminal

@Suite struct InputDecoderTests {
    private func events(_ text: String, keys: KeySequences = KeySequences()) -> [TerminalEvent] {
        var decoder = InputDecoder(keys: keys)
        return decoder.feed(Array(text.utf8)) + decoder.flush()
    }

    @Test(arguments: [
        ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", true), ("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{07}", false),
        ("\u{1B}]11;rgb:f/f/e\u{07}", true),
    ])
    func `the colour of the ground is read, however it is cut`(report: String, isLight: Bool) {
        #expect(events("a\(report)b") == [.key(.character("a")), .ground(isLight: isLight), .key(.character("b"))])
        var decoder = InputDecoder()
        var found: [TerminalEvent] = []
        let bytes = Array(report.utf8)
        found += decoder.feed(bytes.prefix(3))
        for byte in bytes.dropFirst(3) { found += decoder.flush() + decoder.feed([byte]) }
        #expect(found == [.ground(isLight: isLight)])
    }

    @Test func `what is no such report does no harm`() {
        #expect(events("\u{1B}]") == [.key(.character("]", .alt))])
        #expect(events("\u{1B}]x") == [.key(.character("]", .alt)), .key(.character("x"))])
        #expect(events("\u{1B}]11;cmyk:0\u{07}x") == [.key(.character("x"))])
        #expect(events("\u{1B}]11;rgb:f/f\u{07}x") == [.key(.character("x"))])
    }

    @Test(
        arguments: [
            ("a", .character("a")), ("é", .character("é")), ("漢", .character("漢")), ("😀", .character("😀")),
            ("\r", KeyPress(.enter)), ("\n", KeyPress(.enter)), ("\t", KeyPress(.tab)), ("\u{1B}[Z", KeyPress(.tab, .shift)),
            ("\u{7F}", KeyPress(.backspace)), ("\u{8}", KeyPress(.backspace)), ("\u{1B}\u{7F}", KeyPress(.backspace, .alt)),
            ("\u{1}", .character("a", .control)), ("\u{1A}", .character("z", .control)), ("\u{1F}", .character("_", .control)),
            ("\u{0}", .character(" ", .control)), ("\u{1B}", KeyPress(.escape)),
            ("\u{1B}x", .character("x", .alt)), ("\u{1B}é", .character("é", .alt)),
            ("\u{1B}\u{1}", .character("a", [.alt, .control])),
            ("\u{1B}[A", KeyPress(.up)), ("\u{1B}OA", KeyPress(.up)), ("\u{1B}[1;2A", KeyPress(.up, .shift)),
            ("\u{1B}[1;5C", KeyPress(.right, .control)), ("\u{1B}[1;3D", KeyPress(.left, .alt)),
            ("\u{1B}[1;6D", KeyPress(.left, [.shift, .control])), ("\u{1B}Oc", KeyPress(.right, .control)),
            ("\u{1B}[a", KeyPress(.up, .shift)), ("\u{1B}[3~", KeyPress(.delete)), ("\u{1B}[3;5~", KeyPress(.delete, .control)),
            ("\u{1B}[5^", KeyPress(.pageUp, .control)), ("\u{1B}[5$", KeyPress(.pageUp, .shift)),
            ("\u{1B}[6~", KeyPress(.pageDown)),
            ("\u{1B}[1~", KeyPress(.home)), ("\u{1B}[H", KeyPress(.home)), ("\u{1B}OF", KeyPress(.end)),
            ("\u{1B}[8~", KeyPress(.end)),
            ("\u{1B}OP", KeyPress(.function(1))), ("\u{1B}[11~", KeyPress(.function(1))), ("\u{1B}[15~", KeyPress(.function(5))),
            ("\u{1B}[1;2P", KeyPress(.function(1), .shift)), ("\u{1B}[24~", KeyPress(.function(12))),
            ("\u{1B}[24;5~", KeyPress(.function(12), .control)), ("\u{1B}OM", KeyPress(.enter)),
            ("\u{1B}[13;5u", KeyPress(.enter, .control)), ("\u{1B}[27;5;105~", .character("i", .control)),
            ("\u{1B}[97;2u", .character("A")), ("\u{1B}[", .character("[", .alt)), ("\u{1B}O", .character("O", .alt)),
            ("\u{1B}\u{1B}[D", KeyPress(.left, .alt)), ("\u{1B}\u{1B}OC", KeyPress(.right, .alt)),
            ("\u{1B}\u{1B}[3~", KeyPress(.delete, .alt)),
        ] as [(String, KeyPress)])
    func `a key is what it sends`(bytes: String, press: KeyPress) {
        #expect(events(bytes) == [.key(press)])
    }

    @Test func `keys that come cut into bytes are the same keys`() {
        let text = "a\u{1B}[1;5C漢\u{1B}OP\u{1B}x\u{1B}[<0;12;7M"
        let whole = events(text)
        var decoder = InputDecoder()
        var pieces: [TerminalEvent] = []
        for byte in text.utf8 { pieces += decoder.feed([byte]) }
        #expect(pieces == whole)
        #expect(whole.count == 6)
        #expect(!decoder.isPending)
    }

    @Test func `an ESC waits for what belongs to it, and silence makes it the Escape key`() {
        var decoder = InputDecoder()
        #expect(decoder.feed([0x1B]) == [])
        #expect(decoder.isPending)
        #expect(decoder.flush() == [.key(KeyPress(.escape))])
        #expect(!decoder.isPending)
        #expect(decoder.feed([0x1B, 0x1B]) == [])
        #expect(decoder.flush() == [.key(KeyPress(.escape)), .key(KeyPress(.escape))])
    }

    @Test func `a paste is one event, its line ends are LF, and nothing in it is a key`() {
        #expect(
            events("x\u{1B}[200~a\r\nb\rc\n\u{1B}[A\u{3}\u{1B}[201~y") == [
                .key(.character("x")), .paste("a\nb\nc\n\u{1B}[A\u{3}"), .key(.character("y")),
            ])
    }

    @Test func `a paste may come in pieces of any size`() {
        let text = Array("\u{1B}[200~漢字 and \u{1B}[201 more\u{1B}[201~q".utf8)
        for size in 1...text.count {
            var decoder = InputDecoder()
            var events: [TerminalEvent] = []
            for start in stride(from: 0, to: text.count, by: size) {
                events += decoder.feed(text[start..<min(start + size, text.count)])
            }
            #expect(events == [.paste("漢字 and \u{1B}[201 more"), .key(.character("q"))])
        }
    }

    private static let command = "curl -X POST 'https://h.example/a' \\\r  -H 'Accept: text/html' \\\r  -d q=1"

    @Test(arguments: [command, command + "\r", "curl https://h.example/a"])
    func `text that nobody types so fast is a paste without its marks`(text: String) {
        #expect(events(text) == [.paste(text.replacing("\r", with: "\n"))])
    }

    @Test(arguments: [
        "https://h.example/a\r", "jjjjjjjjjjjjjjjjjjjjjj", "jjkkjjkkjjkkjjkkjj", "dd\rw",
        "\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A",
    ])
    func `keys that are held, typed ahead, or few, are keys`(text: String) {
        #expect(events(text).allSatisfy { if case .key = $0 { true } else { false } })
    }

    @Test(
        arguments: [
            ("\u{1B}[<0;12;7M", MouseEvent(.press, at: Point(column: 11, row: 6))),
            ("\u{1B}[<0;12;7m", MouseEvent(.release, at: Point(column: 11, row: 6))),
            ("\u{1B}[<32;300;7M", MouseEvent(.drag, at: Point(column: 299, row: 6))),
            ("\u{1B}[<64;1;1M", MouseEvent(.wheelUp, at: Point(column: 0, row: 0))),
            ("\u{1B}[<65;1;1M", MouseEvent(.wheelDown, at: Point(column: 0, row: 0))),
            ("\u{1B}[<16;3;4M", MouseEvent(.press, at: Point(column: 2, row: 3))),
            ("\u{1B}[M #$", MouseEvent(.press, at: Point(column: 2, row: 3))),
        ])
    func `the mouse is where it points`(bytes: String, event: MouseEvent) {
        #expect(events(bytes) == [.mouse(event)])
    }

    @Test(arguments: [
        "\u{1B}[<2;1;1M", "\u{1B}[I", "\u{1B}[?62;c", "\u{1B}[<0;0;0M", "\u{1B}[99~", "\u{1B}OZZ".dropLast().description,
    ])
    func `what nobody asked for is dropped`(bytes: String) {
        #expect(events(bytes + "k").last == .key(.character("k")))
        #expect(events(bytes + "k").count <= 2)
    }

    @Test(arguments: [10, 63, 64, 65, 66, 200])
    func `a sequence with many parameters means the same in one piece and byte by byte`(count: Int) {
        let bytes = Array("\u{1B}[\(String(repeating: "1", count: count))Ak".utf8)
        var (whole, pieces) = (InputDecoder(), InputDecoder())
        let expected = whole.feed(bytes) + whole.flush()
        #expect(bytes.flatMap { pieces.feed([$0]) } + pieces.flush() == expected)
        #expect(expected.last == .key(.character("k")))
    }

    @Test func `invalid UTF-8 is one sign each and breaks nothing`() {
        var decoder = InputDecoder()
        #expect(decoder.feed([0xFF, 0x61, 0xE6, 0xBC, 0x61]) == ["\u{FFFD}", "a", "\u{FFFD}", "a"].map { .key(.character($0)) })
    }

    @Test func `any bytes are read to their end`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            var decoder = InputDecoder()
            let bytes = (0..<60).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : Array("\u{1B}[O<;~M20".utf8).randomElement(using: &random) ?? 0
            }
            _ = decoder.feed(bytes)
            _ = decoder.feed(Array("\u{1B}[201~".utf8))
            _ = decoder.flush()
            #expect(!decoder.isPending)
        }
    }

    @Test func `what terminfo says about a key comes first`() {
        let keys = KeySequences([Array("\u{1B}[[A".utf8): KeyPress(.function(1)), Array("\u{1B}Ox".utf8): KeyPress(.home)])
        #expect(
            events("\u{1B}[[A\u{1B}Ox\u{1B}[A", keys: keys)
                == [KeyPress(.function(1)), KeyPress(.home), KeyPress(.up)].map { .key($0) })
        var decoder = InputDecoder(keys: keys)
        #expect(decoder.feed(Array("\u{1B}[[".utf8)) == [])
        #expect(decoder.feed(Array("A".utf8)) == [.key(KeyPress(.function(1)))])
    }
}

@Suite struct ClickCounterTests {
    private let start = ContinuousClock.now
    private let here = Point(column: 3, row: 4)

    private func actions(_ clicks: [(Point, Int)]) -> [MouseEvent.Action] {
        var counter = ClickCounter()
        return clicks.map { point, milliseconds in
            counter.counted(MouseEvent(.press, at: point), at: start + .milliseconds(milliseconds)).action
        }
    }

    @Test func `two soon after each other on one cell are a double click`() {
        #expect(actions([(here, 0), (here, 200)]) == [.press, .doubleClick])
        #expect(actions([(here, 0), (here, 200), (here, 300)]) == [.press, .doubleClick, .press])
    }

    @Test func `too late, or elsewhere, is a click`() {
        #expect(actions([(here, 0), (here, 500)]) == [.press, .press])
        #expect(actions([(here, 0), (Point(column: 4, row: 4), 100)]) == [.press, .press])
    }
}
