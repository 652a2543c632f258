import Zlib

/// Reads PNG (ISO/IEC 15948): each kind of colour and depth, interlaced or not. What is missing at the end stays transparent.
enum PNGReader {
    private struct Header {
        var width = 0
        var height = 0
        var depth = 8
        var kind = 0
        var isInterlaced = false
        /// Red, green, blue and how opaque.
        var palette: [[UInt8]] = []
        var transparent: [Int] = []

        var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind] ?? 0 }
        var bitsPerPixel: Int { channels * depth }
        func rowBytes(_ width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
    }

    /// Where the pixels of each pass of an interlaced picture stand: the first column and row, and the steps.
    private static let passes = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    static func raster(_ bytes: [UInt8]) -> Raster? {
        var header = Header()
        var packed: [UInt8] = []
        var position = 8
        while position + 12 <= bytes.count {
            let count = big(bytes, position)
            let content = position + 8
            guard count >= 0, content + count <= bytes.count else { break }
            let part = bytes[content..<content + count]
            switch String(decoding: bytes[position + 4..<content], as: UTF8.self) {
            case "IHDR":
                // The header stands where its size has been read already.
                guard count >= 13, position == 8 else { return nil }
                (header.width, header.height) = (big(bytes, content), big(bytes, content + 4))
                header.depth = Int(bytes[content + 8])
                header.kind = Int(bytes[content + 9])
                header.isInterlaced = bytes[content + 12] == 1
            case "PLTE":
                let colors = Array(part)
                header.palette = stride(from: 0, to: colors.count - 2, by: 3).map { Array(colors[$0..<$0 + 3]) + [255] }
            case "tRNS":
                let values = Array(part)
                if header.kind == 3 {
                    for (index, value) in values.enumerated() where index < header.palette.count {
                        header.palette[index][3] = value
                    }
                } else {
                    header.transparent = stride(from: 0, to: values.count - 1, by: 2).map {
                        Int(values[$0]) << 8 | Int(values[$0 + 1])
                    }
                }
            case "IDAT": packed += part
            default: break
            }
            position = content + count + 4
        }
        guard header.width > 0, header.height > 0, header.channels > 0, [1, 2, 4, 8, 16].contains(header.depth) else { return nil }
        let passes = header.isInterlaced ? Self.passes : [(0, 0, 1, 1)]
        let sizes = passes.map { x, y, across, down in
            (width: (header.width - x + across - 1) / across, height: (header.height - y + down - 1) / down)
        }
        let whole = sizes.reduce(0) { $0 + ($1.width > 0 ? $1.height * (header.rowBytes($1.width) + 1) : 0) }
        // What came of it is drawn, though the rest is missing or broken.
        let data = Inflated(packed[...], in: .zlib, limit: whole).bytes
        guard !data.isEmpty else { return nil }
        var raster = Raster(width: header.width, height: header.height)
        var offset = 0
        for (pass, size) in zip(passes, sizes) where size.width > 0 && size.height > 0 {
            var above = [UInt8](repeating: 0, count: header.rowBytes(size.width))
            for row in 0..<size.height {
                guard offset + above.count < data.count else { return raster }
                let line = unfiltered(Array(data[offset..<offset + above.count + 1]), above, max(1, header.bitsPerPixel / 8))
                offset += above.count + 1
                for column in 0..<size.width {
                    let place = ((pass.1 + row * pass.3) * header.width + pass.0 + column * pass.2) * 4
                    put(pixel(line, column, header), at: place, in: &raster)
                }
                above = line
            }
        }
        return raster
    }

    private static func put(_ pixel: (UInt8, UInt8, UInt8, UInt8), at place: Int, in raster: inout Raster) {
        raster.pixels[place] = pixel.0
        raster.pixels[place + 1] = pixel.1
        raster.pixels[place + 2] = pixel.2
        raster.pixels[place + 3] = pixel.3
    }

    private static func pixel(_ line: [UInt8], _ column: Int, _ header: Header) -> (UInt8, UInt8, UInt8, UInt8) {
        func sample(_ channel: Int) -> Int {
            let index = column * header.channels + channel
            switch header.depth {
            case 8: return Int(line[index])
            case 16: return Int(line[index * 2]) << 8 | Int(line[index * 2 + 1])
            default:
                let bit = index * header.depth
                return Int(line[bit / 8]) >> (8 - header.depth - bit % 8) & (1 << header.depth - 1)
            }
        }
        func level(_ value: Int) -> UInt8 {
            header.depth == 16 ? UInt8(value >> 8) : UInt8(value * 255 / (1 << header.depth - 1))
        }
        switch header.kind {
        case 0:
            let value = sample(0)
            return (level(value), level(value), level(value), header.transparent.first == value ? 0 : 255)
        case 2:
            let isTransparent = !header.transparent.isEmpty && header.transparent == [sample(0), sample(1), sample(2)]
            return (level(sample(0)), level(sample(1)), level(sample(2)), isTransparent ? 0 : 255)
        case 3:
            let index = sample(0)
            guard header.palette.indices.contains(index) else { return (0, 0, 0, 255) }
            let color = header.palette[index]
            return (color[0], color[1], color[2], color[3])
        case 4: return (level(sample(0)), level(sample(0)), level(sample(0)), level(sample(1)))
        default: return (level(sample(0)), level(sample(1)), level(sample(2)), level(sample(3)))
        }
    }

    /// Each byte was stored as its difference from a guess by its neighbours.
    private static func unfiltered(_ filtered: [UInt8], _ above: [UInt8], _ distance: Int) -> [UInt8] {
        var line = [UInt8](repeating: 0, count: above.count)
        for index in 0..<above.count {
            let left = index >= distance ? Int(line[index - distance]) : 0
            let up = Int(above[index])
            let corner = index >= distance ? Int(above[index - distance]) : 0
            let guess: Int
            switch filtered[0] {
            case 1: guess = left
            case 2: guess = up
            case 3: guess = (left + up) / 2
            case 4:
                let sum = left + up - corner
                let (first, second, third) = (abs(sum - left), abs(sum - up), abs(sum - corner))
                guess = first <= second && first <= third ? left : second <= third ? up : corner
            default: guess = 0
            }
            line[index] = filtered[index + 1] &+ UInt8(guess)
        }
        return line
    }

    private static func big(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
