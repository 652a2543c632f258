/// Reads the first picture of a GIF (CompuServe, version 89a).
enum GIFReader {
    static func raster(_ bytes: [UInt8]) -> Raster? {
        var reader = Reader(bytes: bytes, position: 6)
        guard let width = reader.little(), let height = reader.little(), width > 0, height > 0, let flags = reader.byte() else {
            return nil
        }
        reader.position += 2
        var palette = flags & 0x80 != 0 ? reader.colors(flags) : []
        var transparent: Int?
        while let block = reader.byte() {
            switch block {
            case 0x21:
                guard let label = reader.byte() else { return nil }
                let content = reader.blocks()
                if label == 0xF9, content.count >= 4, content[0] & 1 != 0 { transparent = Int(content[3]) }
            case 0x2C:
                guard let left = reader.little(), let top = reader.little(), let columns = reader.little(),
                    let rows = reader.little(), let flags = reader.byte(), columns > 0, rows > 0, left + columns <= width,
                    top + rows <= height
                else { return nil }
                if flags & 0x80 != 0 { palette = reader.colors(flags) }
                guard let bits = reader.byte(), (1...8).contains(bits) else { return nil }
                let indices = Self.unpacked(reader.blocks(), Int(bits), limit: columns * rows)
                var raster = Raster(width: width, height: height)
                let order = Self.rows(rows, isInterlaced: flags & 0x40 != 0)
                for (index, color) in indices.prefix(columns * rows).enumerated()
                where color != transparent && color < palette.count {
                    let (x, y) = (left + index % columns, top + order[index / columns])
                    let place = (y * width + x) * 4
                    for channel in 0..<3 { raster.pixels[place + channel] = palette[color][channel] }
                    raster.pixels[place + 3] = 255
                }
                return raster
            default: return nil
            }
        }
        return nil
    }

    private struct Reader {
        let bytes: [UInt8]
        var position: Int

        mutating func byte() -> UInt8? {
            guard position < bytes.count else { return nil }
            defer { position += 1 }
            return bytes[position]
        }

        mutating func little() -> Int? {
            guard let low = byte(), let high = byte() else { return nil }
            return Int(low) | Int(high) << 8
        }

        mutating func colors(_ flags: UInt8) -> [[UInt8]] {
            (0..<1 << (Int(flags & 7) + 1)).map { _ in [byte() ?? 0, byte() ?? 0, byte() ?? 0] }
        }

        /// The contents of blocks up to an empty one.
        mutating func blocks() -> [UInt8] {
            var content: [UInt8] = []
            while let count = byte(), count > 0, position < bytes.count {
                let end = min(bytes.count, position + Int(count))
                content += bytes[position..<end]
                position = end
            }
            return content
        }
    }

    private static func rows(_ count: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<count) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: count, by: $0.1)) }
    }

    /// LZW with codes that grow from `bits` + 1 to 12 bits.
    private static func unpacked(_ data: [UInt8], _ bits: Int, limit: Int) -> [Int] {
        let clear = 1 << bits
        var output: [Int] = []
        output.reserveCapacity(limit)
        // Each entry: where a string begins in the output, and how long it is.
        var table: [(start: Int, count: Int)] = []
        var size = bits + 1
        var (buffer, held) = (0, 0)
        var before: (start: Int, count: Int)?
        func reset() {
            table = []
            size = bits + 1
            before = nil
        }
        for byte in data {
            buffer |= Int(byte) << held
            held += 8
            while held >= size {
                let code = buffer & (1 << size - 1)
                buffer >>= size
                held -= size
                if code == clear {
                    reset()
                    continue
                }
                if code == clear + 1 || output.count >= limit { return output }
                let start = output.count
                if code < clear {
                    output.append(code)
                } else if code - clear - 2 < table.count {
                    let entry = table[code - clear - 2]
                    for index in entry.start..<entry.start + entry.count { output.append(output[index]) }
                } else if let before, code - clear - 2 == table.count {
                    for index in before.start..<before.start + before.count { output.append(output[index]) }
                    output.append(output[before.start])
                } else {
                    return output
                }
                // The string before, and the first sign of this one: they stand behind one another.
                if let before, table.count + clear + 2 < 4096 { table.append((before.start, before.count + 1)) }
                before = (start, output.count - start)
                if table.count + clear + 2 == 1 << size, size < 12 { size += 1 }
            }
        }
        return output
    }
}
