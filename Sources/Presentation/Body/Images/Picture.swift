package import Base
package import TerminalUI

/// A picture, as far as a terminal can show it: no more than so many points each way.
package struct Picture: Hashable, Sendable {
    package let width: Int
    package let height: Int
    /// Red, green, blue and how opaque, row by row.
    private let points: [UInt8]
    /// The file as it came, where a terminal could show that.
    package private(set) var file: ImageFile?

    package static let mostPoints = 240
    /// What is larger takes longer than anybody waits.
    private static let mostPixels = 16_000_000
    private static let mostBytes = 32 << 20
    private static let mostFileBytes = 4 << 20

    /// PNG, and the first picture of a GIF; `nil`: it is another one, or broken, or too large.
    package init?(_ data: Data) {
        guard data.count <= Self.mostBytes, let header = ImageHeader(Array(data.prefix(32))), let size = header.size,
            // Four bytes each way: their product may be more than an integer holds.
            size.width <= Self.mostPixels / size.height
        else { return nil }
        let bytes = Array(data)
        let raster: Raster? =
            switch header.format {
            case "PNG": PNGReader.raster(bytes)
            case "GIF": GIFReader.raster(bytes)
            default: nil
            }
        guard let raster, raster.width > 0, raster.height > 0 else { return nil }
        self.init(raster)
        // A terminal is given it whole, while the keys wait.
        if header.format == "PNG", bytes.count <= Self.mostFileBytes { file = ImageFile(png: bytes) }
    }

    init(_ raster: Raster) {
        let longest = max(raster.width, raster.height)
        let scale = min(1, Double(Self.mostPoints) / Double(longest))
        width = max(1, Int((Double(raster.width) * scale).rounded()))
        height = max(1, Int((Double(raster.height) * scale).rounded()))
        points = Self.scaled(raster.pixels, raster.width, raster.height, to: width, height)
    }

    /// The colours of so many points, row by row; `nil` where it is transparent. Never larger than it is.
    package func colors(width: Int, height: Int) -> [Color?] {
        let pixels = Self.scaled(points, self.width, self.height, to: width, height)
        return (0..<width * height).map { index in
            let place = index * 4
            guard pixels[place + 3] >= 128 else { return nil }
            // Colours that nobody can tell apart share one: terminals have a number of them.
            return Color(red: pixels[place] & 0xF8, green: pixels[place + 1] & 0xF8, blue: pixels[place + 2] & 0xF8)
        }
    }

    /// The size in which it fits into an area of so many columns and rows, two points a row.
    package func fitting(columns: Int, rows: Int) -> (width: Int, height: Int) {
        let scale = min(1, Double(columns) / Double(width), Double(rows * 2) / Double(height))
        return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
    }

    /// Each point is the mean of those that it stands for, weighted by how opaque they are.
    private static func scaled(_ source: [UInt8], _ width: Int, _ height: Int, to newWidth: Int, _ newHeight: Int) -> [UInt8] {
        if width == newWidth, height == newHeight { return source }
        var result = [UInt8](repeating: 0, count: newWidth * newHeight * 4)
        source.withUnsafeBufferPointer { source in
            for row in 0..<newHeight {
                let rows = row * height / newHeight..<max(row * height / newHeight + 1, (row + 1) * height / newHeight)
                for column in 0..<newWidth {
                    let first = column * width / newWidth
                    let last = max(first + 1, (column + 1) * width / newWidth)
                    var (red, green, blue, opacity, count) = (0, 0, 0, 0, 0)
                    for y in rows {
                        for x in first..<last {
                            let place = (y * width + x) * 4
                            let weight = Int(source[place + 3])
                            red += Int(source[place]) * weight
                            green += Int(source[place + 1]) * weight
                            blue += Int(source[place + 2]) * weight
                            opacity += weight
                            count += 1
                        }
                    }
                    let place = (row * newWidth + column) * 4
                    guard opacity > 0 else { continue }
                    result[place] = UInt8(red / opacity)
                    result[place + 1] = UInt8(green / opacity)
                    result[place + 2] = UInt8(blue / opacity)
                    result[place + 3] = UInt8(opacity / count)
                }
            }
        }
        return result
    }
}

/// All pixels of a picture: red, green, blue and how opaque.
struct Raster {
    var width: Int
    var height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: 0, count: width * height * 4)
    }
}
