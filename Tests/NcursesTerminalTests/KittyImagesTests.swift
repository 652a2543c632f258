import FoundationEssentials
import TerminalTesting
import TerminalUI
import Testing

@testable import NcursesTerminal

/// What a terminal with kitty's graphics protocol is told.
@MainActor @Suite struct KittyImagesTests {
    private let small = ImageFile(png: Array("a picture".utf8))
    private let place = Rect(column: 30, row: 9, columns: 20, rows: 10)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛") }

    @Test func `a picture is sent once, put over its cells, and the cursor stays where it was`() {
        var images = KittyImages(process: 7)
        #expect(
            text(images.show(FrameImage(small, in: place)))
                == "␛_Ga=t,f=100,i=16777223,q=2,m=0;YSBwaWN0dXJl␛\\␛7␛[10;31H␛_Ga=p,i=16777223,p=1,c=20,r=10,C=1,q=2␛\\␛8")
        #expect(images.show(FrameImage(small, in: place)) == [])
    }

    @Test func `one that moves is not sent again`() {
        var images = KittyImages(process: 7)
        _ = images.show(FrameImage(small, in: place))
        let moved = text(images.show(FrameImage(small, in: Rect(column: 0, row: 0, columns: 10, rows: 5))))
        #expect(moved == "␛_Ga=d,d=i,i=16777223,q=2␛\\␛7␛[1;1H␛_Ga=p,i=16777223,p=1,c=10,r=5,C=1,q=2␛\\␛8")
    }

    @Test func `it is taken away with its file when nothing, or another one, is to be seen`() {
        var images = KittyImages(process: 7)
        #expect(images.show(nil) == [])
        _ = images.show(FrameImage(small, in: place))
        let other = FrameImage(ImageFile(png: Array("a picture".utf8)), in: place)
        #expect(text(images.show(other)).hasPrefix("␛_Ga=d,d=I,i=16777223,q=2␛\\␛_Ga=t,f=100"))
        #expect(text(images.show(nil)) == "␛_Ga=d,d=I,i=16777223,q=2␛\\")
        #expect(images.show(nil) == [])
        _ = images.show(other)
        #expect(text(images.clear()) == "␛_Ga=d,d=I,i=16777223,q=2␛\\")
        // Then the terminal has it no more: it is sent anew.
        #expect(text(images.show(other)).hasPrefix("␛_Ga=t,f=100"))
    }

    @Test(arguments: [1, 3071, 3072, 3073, 10_000])
    func `a file goes in parts of 4,096 characters, and comes back whole`(count: Int) {
        var images = KittyImages(process: 7)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let sent = text(images.show(FrameImage(ImageFile(png: bytes), in: place)))
        let commands = sent.split(separator: "␛_G").filter { $0.contains("m=") }
        let payloads = commands.map { $0.split(separator: ";")[1].prefix { $0 != "␛" } }
        #expect(payloads.allSatisfy { $0.count <= 4096 } && payloads.dropLast().allSatisfy { $0.count == 4096 })
        #expect(commands.map { $0.contains("m=1") } == commands.indices.map { $0 < commands.count - 1 })
        #expect(Data(base64Encoded: payloads.joined()) == Data(bytes))
    }

    @Test func `only terminals that keep quiet are told by themselves, and none behind tmux`() {
        #expect(PictureMode.auto.usesKitty(["TERM": "xterm-kitty"]))
        #expect(PictureMode.auto.usesKitty(["TERM": "xterm-ghostty"]))
        #expect(!PictureMode.auto.usesKitty(["TERM": "xterm-kitty", "TMUX": "/tmp/tmux"]))
        #expect(!PictureMode.auto.usesKitty(["TERM": "xterm-kitty", "NO_COLOR": "1"]))
        #expect(!PictureMode.auto.usesKitty(["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"]))
        #expect(PictureMode.kitty.usesKitty(["TERM": "xterm-256color"]))
        #expect(!PictureMode.none.usesKitty(["TERM": "xterm-kitty"]))
    }

    @Test func `ncurses and the picture don't disturb each other`() throws {
        let size = Size(columns: 20, rows: 5)
        let line = try LoopbackLine(size: size)
        let terminal = try NcursesTerminal(
            input: line.slave, output: line.slave, environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], pictures: .kitty)
        defer { terminal.close() }
        #expect(terminal.showsImages)
        func frame(_ words: String, _ image: FrameImage?) -> Frame {
            var canvas = Canvas(size: size, theme: Theme(name: "test"))
            canvas.text(words, .text, column: 0, row: 0)
            canvas.showCursor(column: 3, row: 0)
            if let image { canvas.image(image.file, in: image.place) }
            return canvas.frame
        }
        let image = FrameImage(small, in: Rect(column: 2, row: 1, columns: 8, rows: 3))
        for (words, image) in [("first", image), ("second", image), ("third", nil), ("fourth", image)] {
            terminal.draw(frame(words, image))
            let screen = line.read()
            #expect(screen.lines.first == words)
            #expect(screen.cursor == Point(column: 3, row: 0))
            #expect(screen.unknown == [])
        }
        terminal.leave()
        terminal.enter()
        terminal.draw(frame("again", image))
        #expect(line.read().lines.first == "again")
    }

    @Test func `a picture that is only partly in sight isn't put`() {
        func place(_ columns: Int) -> Rect? {
            var canvas = Canvas(size: Size(columns: 10, rows: 5), theme: Theme(name: "test"))
            canvas.draw(in: Rect(column: 5, row: 1, columns: 5, rows: 4)) {
                $0.image(small, in: Rect(column: 0, row: 1, columns: columns, rows: 2))
            }
            return canvas.frame.image?.place
        }
        #expect(place(6) == nil)
        #expect(place(5) == Rect(column: 5, row: 2, columns: 5, rows: 2))
    }
}
