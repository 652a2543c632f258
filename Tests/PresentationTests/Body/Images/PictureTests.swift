import FoundationEssentials
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

/// Pictures of 12 by 8 points whose colours say where they stand.
@Suite struct PictureTests {
    private static let pictures: [String: String] = [
        "rgb":
            "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAAOklEQVR4nGNkYGAQYOCQYOAQYOCQYBDAymZhkOBgYIAgARgDnc3CoEBABQMDB0"
            + "QRPhUQRQRUMNDdTQCFpQV28X+8+wAAAABJRU5ErkJggg==",
        "filters":
            "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAAiUlEQVR42oWOoQ3DMBREL2nABwUfGgYaBhoUZATDQMOMYFhoeCN4BI+RETJOXU"
            + "tmrio9PT1w4ABAIRbqYDxswBbhEvYMX3BcCDfOCUbqyKBamwc9Y5WG9hj0Ay8V1aeKqDQPevluIZ1fzU3pLHdH73kEhsgzMWa+C9NF3swTimsH"
            + "td8c9Pz3deUD2vgiHtiGLcMAAAAASUVORK5CYII=",
        "interlaced":
            "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAAE1gbkwAAAA0UlEQVR42g2OoZVFIQwFr1yJTAlIZCQlREZGUkIkEpkSkF+mDCSScvadMaPmDA"
            + "BsyEcFvIrLdv+8OPjAUJ3d7fgCuFSuwuwsm+2wA8k1RdI8fec6uVHwxyBDW+gJfRgoTMzNuC/W5PF4fvXG3s11+UifzwMlO6dajpUzM17+APor"
            + "VCoRUxVqRuzUF8kmTbJD49H3oFS0Vm2sLNpNxVWX2taR6kfn0+89Wgmu0TlEQi3MY6zwHTNjnYgXG7i9XKlX+ZrcYdf9znXXvpF3n/t7N/8Bbi"
            + "5vYTv4/WQAAAAASUVORK5CYII=",
        "sixteen":
            "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAIEAIAAAASFlXlAAABG0lEQVR42i2QrRXEIBAGI09mHSVERiJTAhIZSQnISCQlIE9uGZFIyrnZffd4O0"
            + "DCN/xsm1jbqY8cPoowSIKH3PCUCqM0eMmASRRmeeEtCxbZLPQhHqgDBiKBUYIny2xe4YXI9ANmRIF/LyyIgm1le+1+DotHr4gieX9TF8si8wYz"
            + "IvuqsCCyTRZ8TJT9NBnFAU9fbsGM4oaJxZnWqBtRRqGwIsoolv9DVBHs8KSvfo6KwuKJYPVIZdRgQWQzpR5Ela8LdhN1FDu0a3UUESZa9xN0l3"
            + "UUDVZEHYXChqjTFjVMpP5KiuKA9jbqF1IU9hrlf4IGHyLqI1O9cCBS+ZpoothhQjT9fSaCBAv99KtMFA02ghOFwoFoolhQ5QeYLYKB3APUHgAA"
            + "AABJRU5ErkJggg==",
        "palette":
            "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAIBAMAAAA/ygPCAAAAJFBMVEUAAAAQAAgoABA4ABhQAChgADB4ADiIAECgAFCwAFjIAGDYAGhfuYUiAA"
            + "AAAXRSTlMAQObYZgAAABJJREFUeNpjYFR2Te9czUAqBQCxLxAh1W7tDwAAAABJRU5ErkJggg==",
        "gif":
            "R0lGODdhDAAIAIYAANjQsMjQqLDQoKDQkNiwqMiwoLCwkKCwiIjQiHjQgGDQeIiwgHiweGCwaNiQoMiQkLCQiKCQgIiQeHiQaGCQYFDQaDjQYC"
            + "jQWFCwYDiwWCiwUBDQUADQQBCwQACwOFCQWDiQUCiQQBCQOACQMNh4kMh4iLB4gKB4eNhYiMhYgLBYeKBYaIh4aHh4YGB4WIhYYHhYWGBYUFB4"
            + "UDh4QCh4OFBYQDhYOChYMBB4MAB4KBBYKABYGNg4gMg4eLA4aKA4YNgYeMgYaLAYYKAYWNgAaMgAYLAAWKAAUIg4WHg4UGA4QIgYUHgYQGAYOI"
            + "gAQHgAOGAAMFA4ODg4MCg4KFAYMDgYKCgYGBA4GAA4EBAYEAAYCFAAKDgAGCgAEBAACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACwAAAAADAAIAAAIbwC/eO"
            + "nCZQuUJ06OGClCREsWK1WoNGGyZIiQIECwXJkiJYqSJEh++OjBY4eOGzZqxIDxYoWKFChy4KAxQ4aLFixOmChBYoSIECA+UJggIQKEBw48dNCQ"
            + "AUMDBgsOGChAgMOGCxYqKEiAYICAAAACAgA7",
        "gif-interlaced":
            "R0lGODdhDAAIAIYAANjQsMjQqLDQoKDQkNiwqMiwoLCwkKCwiIjQiHjQgGDQeIiwgHiweGCwaNiQoMiQkLCQiKCQgIiQeHiQaGCQYFDQaDjQYCjQ"
            + "WFCwYDiwWCiwUBDQUADQQBCwQACwOFCQWDiQUCiQQBCQOACQMNh4kMh4iLB4gKB4eNhYiMhYgLBYeKBYaIh4aHh4YGB4WIhYYHhYWGBYUFB4UDh4"
            + "QCh4OFBYQDhYOChYMBB4MAB4KBBYKABYGNg4gMg4eLA4aKA4YNgYeMgYaLAYYKAYWNgAaMgAYLAAWKAAUIg4WHg4UGA4QIgYUHgYQGAYOIgAQHgA"
            + "OGAAMFA4ODg4MCg4KFAYMDgYKCgYGBA4GAA4EBAYEAAYCFAAKDgAGCgAEBAACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACwAAAAADAAIAEAIbwC/eOnCZQuUJ06O"
            + "GClCJAcOGjNkuGjB4oSJEiSwXJkiJYqSJEh++OjBw0MHDRkwNGCw4ICBAgS0ZLFShUoTJkuGCAkCZIeOGzZqxIDxYoWKFChGiAgB4gOFCRIiQHjg"
            + "gMOGCxYqKEiAYICAAAACAgA7",
    ]

    private func color(_ column: Int, _ row: Int) -> Color {
        func level(_ value: Int) -> UInt8 { UInt8(value & 0xF8) }
        return Color(red: level(column * 20), green: level(row * 30), blue: level((column + row) * 10))
    }

    private func picture(_ name: String) throws -> Picture {
        let data = try #require(Data(base64Encoded: Self.pictures[name] ?? ""))
        return try #require(Picture(data))
    }

    @Test(arguments: ["rgb", "filters", "interlaced", "sixteen", "gif", "gif-interlaced"])
    func `each point has its colour`(name: String) throws {
        let picture = try picture(name)
        #expect(picture.width == 12 && picture.height == 8)
        #expect(picture.colors(width: 12, height: 8) == (0..<96).map { color($0 % 12, $0 / 12) })
    }

    @Test func `a palette may have transparent colours`() throws {
        let colors = try picture("palette").colors(width: 12, height: 8)
        #expect(colors == (0..<96).map { $0 % 12 == 0 ? nil : color($0 % 12, 0) })
    }

    @Test func `it fits into its area, and is never larger than it is`() throws {
        let picture = try picture("rgb")
        #expect(picture.fitting(columns: 100, rows: 100) == (12, 8))
        #expect(picture.fitting(columns: 6, rows: 100) == (6, 4))
        #expect(picture.fitting(columns: 100, rows: 2) == (6, 4))
        #expect(picture.fitting(columns: 1, rows: 1) == (1, 1))
        #expect(picture.colors(width: 6, height: 4).count == 24)
    }

    @Test func `what is broken ends, wherever it is cut`() throws {
        for text in Self.pictures.values {
            let data = try #require(Data(base64Encoded: text))
            for count in 0..<data.count { _ = Picture(data.prefix(count)) }
            for place in data.indices {
                var changed = data
                changed[place] ^= 0x5A
                _ = Picture(changed)
            }
        }
    }

    @Test func `what is too large is left to other programs`() {
        var header = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
        header += Data([0, 0, 0x80, 0, 0, 0, 0x80, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0])
        #expect(Picture(header) == nil)
    }

    /// A server says what it likes: their product is more than an integer holds.
    @Test func `sizes that no picture has are none`() throws {
        var bytes = [UInt8](try #require(Data(base64Encoded: Self.pictures["rgb"] ?? "")))
        bytes.replaceSubrange(16..<24, with: [UInt8](repeating: 0xFF, count: 8))
        #expect(Picture(Data(bytes)) == nil)
    }

    @Test(arguments: ["rgb", "filters", "interlaced", "sixteen", "palette", "gif"])
    func `a broken picture is none, or another one`(name: String) throws {
        let bytes = [UInt8](try #require(Data(base64Encoded: Self.pictures[name] ?? "")))
        var generator = SeededGenerator(seed: 14)
        var drawn = 0
        for _ in 0..<2_000 {
            var broken = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                broken[Int.random(in: 6..<broken.count, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            if Bool.random(using: &generator) { broken.removeLast(Int.random(in: 0..<broken.count, using: &generator)) }
            if Picture(Data(broken)) != nil { drawn += 1 }
        }
        #expect(drawn > 0)
    }
}
