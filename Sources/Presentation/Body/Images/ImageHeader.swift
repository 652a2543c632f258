package import Base
package import TerminalUI

/// What the first bytes of an image say: its format and its size.
package struct ImageHeader: Hashable, Sendable {
    package var format: String
    /// The size in pixels; `nil` where the first bytes don't say it.
    package var size: (width: Int, height: Int)? {
        width > 0 && height > 0 ? (width, height) : nil
    }

    private var width = 0
    private var height = 0

    /// - Parameter bytes: of the beginning; 64 KiB are enough for photographs with what cameras write before the picture.
    /// - Returns: `nil`: it is no image that is known here.
    package init?(_ bytes: [UInt8]) {
        func begins(_ text: String, at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
        func big(_ place: Int, _ count: Int) -> Int {
            place + count <= bytes.count ? bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) } : 0
        }
        func little(_ place: Int, _ count: Int) -> Int {
            place + count <= bytes.count ? bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) } : 0
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            format = "PNG"
            (width, height) = (big(16, 4), big(20, 4))
        } else if begins("GIF87a") || begins("GIF89a") {
            format = "GIF"
            (width, height) = (little(6, 2), little(8, 2))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = "JPEG"
            // Segments follow each other; the one that begins a frame has the size.
            var place = 2
            while place + 9 < bytes.count, bytes[place] == 0xFF {
                let kind = bytes[place + 1]
                if (0xC0...0xCF).contains(kind), ![0xC4, 0xC8, 0xCC].contains(kind) {
                    (height, width) = (big(place + 5, 2), big(place + 7, 2))
                    break
                }
                place += kind == 0xFF ? 1 : 2 + max(2, big(place + 2, 2))
            }
        } else if begins("RIFF"), begins("WEBP", at: 8) {
            format = "WebP"
            if begins("VP8X", at: 12) {
                (width, height) = (little(24, 3) + 1, little(27, 3) + 1)
            } else if begins("VP8L", at: 12), bytes.count >= 25 {
                let bits = little(21, 4)
                (width, height) = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
            } else if begins("VP8 ", at: 12) {
                (width, height) = (little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF)
            }
        } else if begins("BM"), little(14, 4) >= 40 {
            format = "BMP"
            (width, height) = (little(18, 4), abs(Int(Int32(truncatingIfNeeded: little(22, 4)))))
        } else {
            return nil
        }
    }

    /// `PNG image, 640×480`
    package var summary: String { "\(format) image" + (size.map { ", \($0.width)×\($0.height)" } ?? "") }
}

/// An image that a terminal can show by itself: a PNG file of a few megabytes.
package struct Picture: Hashable, Sendable {
    package let file: ImageFile
    private let width: Int
    private let height: Int

    /// A terminal is given it whole, while the keys wait.
    private static let mostBytes = 4 << 20

    /// `nil`: it is of another kind, or too large.
    package init?(_ data: Data) {
        guard data.count <= Self.mostBytes, let header = ImageHeader(Array(data.prefix(32))), header.format == "PNG",
            let size = header.size
        else { return nil }
        (width, height) = size
        file = ImageFile(png: Array(data))
    }

    /// The cells that it takes in an area of so many columns and rows: of a point a column and two points a row, or fewer.
    package func fitting(columns: Int, rows: Int) -> Rect {
        let scale = min(1, Double(columns) / Double(width), Double(rows * 2) / Double(height))
        let lines = max(1, Int(Double(height) * scale))
        return Rect(column: 0, row: 0, columns: max(1, Int(Double(width) * scale)), rows: (lines + 1) / 2)
    }
}
