/// Names beyond ASCII as they travel (RFC 3492, with the constants of section 5).
enum Punycode {
    /// Every label of a name that needs it, with `xn--` before it: `公司.cn` becomes `xn--55qx5d.cn`. Case isn't folded.
    static func name(_ name: Substring) -> String {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return String(name) }
        return name.split(separator: ".", omittingEmptySubsequences: false).map { label in
            label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + encode(label)
        }.joined(separator: ".")
    }

    private static func encode(_ label: Substring) -> String {
        let input = label.unicodeScalars.map { Int($0.value) }
        var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (0x80, 0, 72, basicCount)
        while handled < input.count {
            guard let smallest = input.filter({ $0 >= next }).min() else { break }
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in input {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var place = 36
        while true {
            let threshold = min(max(place - bias, 1), 26)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? value + Int(UInt8(ascii: "a")) : value - 26 + Int(UInt8(ascii: "0")))
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var place = 0
        while delta > (36 - 1) * 26 / 2 {
            delta /= 36 - 1
            place += 36
        }
        return place + 36 * delta / (delta + 38)
    }
}
