import Zlib

/// Small documents of the usual kinds.
enum Samples {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Waders that turn stones. -->
        <birds xmlns="https://example.com/birds" xmlns:t="https://example.com/taxonomy">
          <bird id="1" t:family="Scolopacidae">
            <name xml:lang="en">Ruddy turnstone</name>
            <name xml:lang="de">Steinwälzer</name>
            <weight unit="g">110</weight>
            <note><![CDATA[Eats <almost> anything & everything.]]></note>
          </bird>
          <bird id="2" t:family="Scolopacidae">
            <name xml:lang="en">Black turnstone</name>
            <range>Alaska &#8211; Baja California</range>
            <photo/>
          </bird>
        </birds>

        """

    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
          <meta charset="utf-8">
          <title>Ruddy turnstone</title>
          <style>body { font-family: serif; } h1 > small { color: gray; }</style>
          <script>if (1 < 2 && "a" > "A") { console.log("<p>not a tag</p>"); }</script>
        </head>
        <body>
          <h1>Ruddy turnstone <small>Arenaria interpres</small></h1>
          <p>It <em>flips stones</em> &mdash; and shells &amp; seaweed &mdash; to see what is underneath.<br>
          <a href="/image.svg" title='A "drawing"'>A drawing</a></p>
          <ul><li>Length: 21&ndash;26 cm</li><li hidden>Weight: 84&ndash;190 g</li></ul>
          <!-- <p>A comment.</p> -->
        </body>
        </html>

        """

    static let svg = """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80" role="img" aria-label="A turnstone">
          <ellipse cx="52" cy="38" rx="30" ry="17" fill="#a0522d"/>
          <circle cx="84" cy="26" r="10" fill="#fff" stroke="#222" stroke-width="2"/>
          <path d="M93 26 l14 5 l-14 1 z" fill="#222"/>
          <path d="M46 54 v14 M58 54 v14" stroke="#ff8c00" stroke-width="3"/>
          <ellipse cx="106" cy="70" rx="11" ry="6" fill="#777"/>
        </svg>

        """

    static let sentences = [
        "A turnstone flips stones to see what is underneath.",
        "Every request is an operation; every transfer of it is an attempt.",
        "A redirect hop is an attempt of its own, with its own phases.",
        "The slowest phase is rarely the one you suspect.",
        "What is old is never shown as new.",
    ]
}

/// A picture in the PNG format (ISO/IEC 15948): 8 bits a channel, red, green and blue.
enum PNG {
    static func gradient(width: Int, height: Int) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (width * 3 + 1))
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                rows.append(UInt8(x * 255 / width))
                rows.append(UInt8(y * 255 / height))
                rows.append((x / 16 + y / 16) % 2 == 0 ? 96 : 160)
            }
        }
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", Deflater.whole(rows, in: .zlib))
            + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(Zlib.crc32(body))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
    }
}

/// Bytes that look random, any of which can be made without those before it.
enum Noise {
    static func bytes(_ range: Range<Int>, seed: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            var word: UInt64 = 0
            var index = range.lowerBound
            while index < range.upperBound {
                if index % 8 == 0 || index == range.lowerBound { word = mixed(UInt64(index / 8) &+ seed &* 0x9E37_79B9_7F4A_7C15) }
                buffer[count] = UInt8(truncatingIfNeeded: word >> UInt64(index % 8 * 8))
                index += 1
                count += 1
            }
        }
    }

    /// The finalizer of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
