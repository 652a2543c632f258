extension RouteTable {
    /// Bodies that a viewer must show without harm.
    static let viewer: [Route] = [
        Route(
            "/viewer/escapes", "Terminal escapes",
            "Colours, cursor moves, a window title, the clipboard, the alternate screen, a bell."
        ) { _ in
            .bytes(HostileBytes.escapes, type: "text/plain; charset=utf-8")
        },
        Route("/viewer/nuls", "NULs", "Text with NUL and the other control characters in it.") { _ in
            .bytes(HostileBytes.controls, type: "text/plain")
        },
        Route("/viewer/invalid-utf8", "Invalid UTF-8", "Text that says it is UTF-8, and is not everywhere.") { _ in
            .bytes(HostileBytes.invalidUTF8, type: "text/plain; charset=utf-8")
        },
        Route(
            "/viewer/long-lines", "Long lines", "lines (3) of length (100000) characters.", try: "/viewer/long-lines?length=100000"
        ) { request in
            let length = try request.count("length", default: 100_000, in: 1...100_000_000)
            let lines = try request.count("lines", default: 3, in: 1...1000)
            return .stream(type: "text/plain", length: lines * (length + 1)) { writer in
                let digits = (0..<1000).map { $0 % 10 == 0 ? UInt8(ascii: "|") : UInt8(ascii: "0") + UInt8($0 % 10) }
                for _ in 0..<lines {
                    var rest = length
                    while rest > 0 {
                        let piece = min(rest, 64_000)
                        try await writer.write(Array(repeatElement(digits, count: piece / 1000 + 1).joined().prefix(piece)))
                        rest -= piece
                    }
                    try await writer.write([10])
                }
            }
        },
        Route(
            "/viewer/wide", "Wide characters", "East Asian, emoji, combining marks, right to left, and marks that turn text around."
        ) { _ in
            .text(HostileBytes.wide)
        },
        Route("/viewer/latin1", "ISO 8859-1", "Text in another character set, which Content-Type names.") { _ in
            .bytes(
                Array("Stra\u{DF}e, caf\u{E9}, \u{A3}5, na\u{EF}ve\n".unicodeScalars.map { UInt8($0.value) }),
                type: "text/plain; charset=iso-8859-1")
        },
        Route("/viewer/utf16", "UTF-16", "Text in UTF-16 with a byte order mark.") { _ in
            let units = Array("\u{FEFF}Zürich, 東京 🐦\n".utf16)
            return .bytes(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, type: "text/plain; charset=utf-16")
        },
        Route("/viewer/numbers", "JSON's corners", "Numbers that a Double can't hold, a name twice, escapes, and an empty key.") {
            _ in
            .text(HostileBytes.jsonCorners, type: "application/json")
        },
        Route("/viewer/deep", "Deep JSON", "depth (1000) arrays in each other.", try: "/viewer/deep?depth=1000") { request in
            let depth = try request.count("depth", default: 1000, in: 1...1_000_000)
            return .text(
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "\n", type: "application/json")
        },
        Route("/viewer/mislabelled", "Mislabelled", "JSON that says it is text/html.") { _ in
            .text("{\"type\": \"really JSON\"}\n", type: "text/html")
        },
        Route("/viewer/broken-json", "Broken JSON", "JSON with a mistake in line 4.") { _ in
            .text("{\n  \"one\": 1,\n  \"two\": [1, 2],\n  \"three\": {oops},\n  \"four\": 4\n}\n", type: "application/json")
        },
        Route("/viewer/headers", "Hostile headers", "Header values with escapes, invalid UTF-8, tabs, and 8000 characters.") { _ in
            .takeover { connection in
                let body = "Look at the header fields.\n"
                var bytes = Array(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n"
                        .utf8)
                bytes += Array("X-Escape: \u{1B}[31mred\u{1B}[0m \u{1B}]0;title\u{7}\r\nX-Tab: a\tb\r\nX-Empty:\r\n".utf8)
                bytes += Array("X-Invalid: caf".utf8) + [0xE9, 0xFF] + Array("\r\nX-Utf8: 東京 🐦\r\n".utf8)
                bytes += Array("X-Long: \(String(repeating: "long ", count: 1600))\r\n\r\n\(body)".utf8)
                try await connection.write(bytes)
                await connection.closeGently()
            }
        },
        Route("/viewer/empty", "Empty", "200 with a body of no bytes.") { _ in .bytes([], type: "text/plain") },
    ]
}
