/// 6: UTF-8.
extension AutobahnCase {
    private static let greek = Array("κ\u{1F79}σμε".utf8)
    private static let edited = Array("edited".utf8)

    static let text: [AutobahnCase] = {
        let umlauts = Array("Hello-µ@ßöäüàá-UTF-8!!".utf8)
        let surrogate = greek + [0xED, 0xA0, 0x80] + edited
        let beyond: [UInt8] = [0xF4, 0x90, 0x80, 0x80]
        func message(_ bytes: [UInt8]) -> Frame { Frame(opcode: 1, payload: bytes) }
        func part(_ opcode: UInt8, _ bytes: some Sequence<UInt8>) -> [UInt8] { frame(opcode, Array(bytes), isFinal: false) }
        // The second of three frames is refused at once, so the third one isn't sent. (Waiting for it would be NON-STRICT.)
        let twoFrames = [(1, greek.count, beyond.count), (2, greek.count + 1, 1)].map { row, first, second -> AutobahnCase in
            let bytes = greek + beyond
            let frames = [part(1, bytes[..<first]), part(0, bytes[first...].prefix(second))]
            return failed("6.4.\(row)", frames, chop: .frames, codes: [1007])
        }
        // The same in one frame, which is looked at when it is whole: NON-STRICT.
        let oneFrame = [(3, [2 + greek.count, beyond.count]), (4, [2 + greek.count + 1, 1])].map { row, chops -> AutobahnCase in
            var rest = frame(1, greek + beyond + edited)[...]
            let steps = (chops + [rest.count]).map { count -> [UInt8] in
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
            return failed("6.4.\(row)", steps, chop: .frames, codes: [1007])
        }
        return [
            answered("6.1.1", [frame(1)], [.text("")]),
            answered("6.1.2", [part(1, []), part(0, []), frame(0)], [.text("")]),
            answered("6.1.3", [part(1, []), part(0, edited), frame(0)], [message(edited)]),
            answered("6.2.1", [frame(1, umlauts)], [message(umlauts)]),
            answered("6.2.2", [part(1, umlauts.prefix(15)), frame(0, Array(umlauts[15...]))], [message(umlauts)]),
            answered("6.2.3", fragments(1, umlauts, of: 1), [message(umlauts)]),
            answered("6.2.4", fragments(1, greek, of: 1), [message(greek)]),
            failed("6.3.1", [frame(1, surrogate)], codes: [1007]),
            failed("6.3.2", fragments(1, surrogate, of: 1), codes: [1007]),
        ] + twoFrames + oneFrame + sequences
    }()

    /// 6.5 to 6.23: sequences of Markus Kuhn's test of decoders, each in a frame of its own.
    private static let sequences: [AutobahnCase] = {
        let valid: [Int: [[UInt8]]] = [
            5: ["hello$world", "hello¢world", "hello€world", "hello\u{24B62}world", "κ\u{1F79}σμε"].map { Array($0.utf8) },
            7: bytes("00 c280 e0a080 f0908080"), 9: bytes("7f dfbf efbfbf f48fbfbf"),
            11: bytes("ed9fbf ee8080 efbfbd f48fbfbf"),
            22: bytes("efbfbe efbfbf")
                + (0x1...0x10).flatMap { plane in [0xFFFE, 0xFFFF].map { Array(String(UnicodeScalar(plane << 16 | $0)!).utf8) } },
            23: bytes("efbfb9 efbfba efbfbb efbfbc efbfbd efbfbe efbfbf"),
        ]
        let cut = bytes("c0 e080 f08080 f8808080 fc80808080 df efbf f7bfbf fbbfbfbf fdbfbfbfbf")
        let starts: [ClosedRange<UInt8>] = [0xC0...0xDE, 0xE0...0xEE, 0xF0...0xF6, 0xF8...0xFA, 0xFC...0xFC]
        let invalid: [Int: [[UInt8]]] = [
            8: bytes("f888808080 fc8480808080"), 10: bytes("f7bfbfbf fbbfbfbfbf fdbfbfbfbfbf"),
            12: bytes("80 bf 80bf 80bf80 80bf80bf 80bf80bf80 80bf80bf80bf") + [Array(0x80...0xBE)],
            13: starts.map { $0.flatMap { [$0, 0x20] } }, 14: cut, 15: [cut.flatMap(\.self)], 16: bytes("fe ff fefeffff"),
            17: bytes("c0af e080af f08080af f8808080af fc80808080af"), 18: bytes("c1bf e09fbf f08fbfbf f887bfbfbf fc83bfbfbfbf"),
            19: bytes("c080 e08080 f0808080 f880808080 fc8080808080"),
            20: bytes("eda080 edadbf edae80 edafbf edb080 edbe80 edbfbf"),
            21: ["eda080", "edadbf", "edae80", "edafbf"].flatMap { bytes("\($0)edb080 \($0)edbfbf") },
        ]
        var rows = (1...greek.count).map { ("6.6.\($0)", Array(greek.prefix($0)), [2, 5, 7, 9, 11].contains($0)) }
        for (section, list) in valid { rows += list.enumerated().map { ("6.\(section).\($0 + 1)", $1, true) } }
        for (section, list) in invalid { rows += list.enumerated().map { ("6.\(section).\($0 + 1)", $1, false) } }
        rows.append(("6.11.5", [0xF4, 0x90, 0x80, 0x80], false))
        return rows.map { id, bytes, isValid in
            isValid
                ? answered(id, [frame(1, bytes)], [Frame(opcode: 1, payload: bytes)])
                : failed(id, [frame(1, bytes)], codes: [1007])
        }
    }()

    private static func bytes(_ hex: String) -> [[UInt8]] {
        hex.split(separator: " ").map { word in
            let digits = Array(word)
            return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
        }
    }
}
