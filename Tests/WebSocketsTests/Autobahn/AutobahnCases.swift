extension AutobahnCase {
    private static let hello = "Hello, world!"
    private static let bytes: [UInt8] = [0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF]

    /// 1: framing.
    static let framing = [(1, UInt8(1), UInt8(ascii: "*")), (2, 2, 0xFE)].flatMap { section, opcode, byte -> [AutobahnCase] in
        let sizes = [0, 125, 126, 127, 128, 65_535, 65_536, 65_536]
        return sizes.enumerated().map { index, size -> AutobahnCase in
            let payload = [UInt8](repeating: byte, count: size)
            let step = Step.send(frame(opcode, payload), chop: index == 7 ? 997 : .max)
            return answered("1.\(section).\(index + 1)", steps: [step], [Frame(opcode: opcode, payload: payload)])
        }
    }

    /// 2: pings and pongs.
    static let pings: [AutobahnCase] = {
        let long = [UInt8](repeating: 0xFE, count: 125)
        let ten = (0..<10).map { "payload-\($0)" }
        let unsolicited = frame(10, "unsolicited pong payload")
        return [
            answered("2.1", [frame(9)], [.pong("")]),
            answered("2.2", [frame(9, hello)], [.pong(hello)]),
            answered("2.3", [frame(9, bytes)], [Frame(opcode: 10, payload: bytes)]),
            answered("2.4", [frame(9, long)], [Frame(opcode: 10, payload: long)]),
            failed("2.5", [frame(9, long + [0xFE])]),
            answered("2.6", [frame(9, long)], [Frame(opcode: 10, payload: long)], chop: .octets),
            answered("2.7", [frame(10)], []),
            answered("2.8", [unsolicited], []),
            answered("2.9", [unsolicited, frame(9, "ping payload")], [.pong("ping payload")]),
            answered("2.10", ten.map { frame(9, $0) }, ten.map { .pong($0) }),
            answered("2.11", ten.map { frame(9, $0) }, ten.map { .pong($0) }, chop: .octets),
        ]
    }()

    /// 3: reserved bits.
    static let reservedBits: [AutobahnCase] = {
        var cases = [
            failed("3.1", [frame(1, hello, reserved: 1)]),
            failed("3.5", [frame(2, bytes, reserved: 5)]),
            failed("3.6", [frame(2, hello, reserved: 6)]),
            failed("3.7", [frame(8, reserved: 7)]),
        ]
        for (bits, chop) in zip(UInt8(2)..., Chop.allCases) {
            let frames = [frame(1, hello), frame(1, hello, reserved: bits), frame(9)]
            cases.append(failed("3.\(bits)", frames, after: [.text(hello)], chop: chop))
        }
        return cases
    }()

    /// 4: reserved opcodes.
    static let reservedOpcodes = [(1, UInt8(3)), (2, 11)].flatMap { section, opcode -> [AutobahnCase] in
        var cases = [
            failed("4.\(section).1", [frame(opcode)]),
            failed("4.\(section).2", [frame(opcode + 1, "reserved opcode payload")]),
        ]
        for (index, (payload, chop)) in [("", Chop.none), (hello, .none), (hello, .octets)].enumerated() {
            let frames = [frame(1, hello), frame(opcode + 2 + UInt8(index), payload), frame(9)]
            cases.append(failed("4.\(section).\(index + 3)", frames, after: [.text(hello)], chop: chop))
        }
        return cases
    }

    /// 5: fragments.
    static let fragmentation: [AutobahnCase] = {
        func part(_ opcode: UInt8, _ number: Int, isFinal: Bool = false) -> [UInt8] {
            frame(opcode, "fragment\(number)", isFinal: isFinal)
        }
        let whole = Frame.text("fragment1fragment2")
        let ping = frame(9, "ping payload")
        var cases = [
            failed("5.1", [part(9, 1), part(0, 2, isFinal: true)]),
            failed("5.2", [part(10, 1), part(0, 2, isFinal: true)]),
            failed("5.15", [part(1, 1), part(0, 2, isFinal: true), part(0, 3), part(1, 4, isFinal: true)], after: [whole]),
            failed("5.18", [part(1, 1), part(1, 2, isFinal: true)]),
        ]
        for (index, chop) in Chop.allCases.enumerated() {
            cases += [
                answered("5.\(index + 3)", [part(1, 1), part(0, 2, isFinal: true)], [whole], chop: chop),
                answered(
                    "5.\(index + 6)", [part(1, 1), ping, part(0, 2, isFinal: true)], [.pong("ping payload"), whole], chop: chop),
                failed("5.\(index + 9)", [frame(0, "nothing before"), frame(1, hello)], chop: chop),
                failed("5.\(index + 12)", [frame(0, "nothing before", isFinal: false), frame(1, hello)], chop: chop),
            ]
        }
        for (id, isFinal) in [("5.16", false), ("5.17", true)] {
            let frames = [part(0, 1, isFinal: isFinal), part(1, 2), part(0, 3, isFinal: true)]
            cases.append(failed(id, frames + frames))
        }
        for (id, chop) in [("5.19", Chop.none), ("5.20", .frames)] {
            let first = steps([part(1, 1), part(0, 2), frame(9, "pongme 1!")], chop)
            let second = steps([part(0, 3), part(0, 4), frame(9, "pongme 2!"), part(0, 5, isFinal: true)], chop)
            let text = (1...5).map { "fragment\($0)" }.joined()
            cases.append(answered(id, steps: first + [.await(1)] + second, [.pong("pongme 1!"), .pong("pongme 2!"), .text(text)]))
        }
        return cases
    }()

    /// 7: closes.
    static let closes: [AutobahnCase] = {
        let invalid: [UInt8] = Array("κ\u{1F79}σμε".utf8) + [0xED, 0xA0, 0x80] + Array("edited".utf8)
        let long = String(repeating: "BAsd7&jh23", count: 26_215)
        let valid = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
        var cases = [
            answered("7.1.1", [frame(1, hello)], [.text(hello)]),
            closed("7.1.2", [close(1000), close(nil)]),
            closed("7.1.3", [close(1000), frame(9)]),
            closed("7.1.4", [close(1000), frame(1, hello)]),
            closed("7.1.5", [frame(1, "fragment1", isFinal: false), close(1000), frame(0, "fragment2")]),
            AutobahnCase(
                id: "7.1.6", steps: [.send(frame(1, long) + frame(1, hello) + close(1000) + frame(9))],
                answers: [.text(long), .text(hello)], end: .open),
            closed("7.3.1", [close(nil)], codes: [1000, 1005]),
            failed("7.3.2", [frame(8, "a")]),
            closed("7.3.3", [close(1000)]),
            closed("7.3.4", [close(1000, Array(hello.utf8))]),
            closed("7.3.5", [close(1000, [UInt8](repeating: 0x2A, count: 123))]),
            failed("7.3.6", [close(1000, [UInt8](repeating: 0x2A, count: 124))]),
            failed("7.5.1", [close(1000, invalid)], codes: [1002, 1007]),
        ]
        for (index, code) in valid.enumerated() {
            cases.append(closed("7.7.\(index + 1)", [close(code)], codes: [1000, code]))
        }
        for (index, code) in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].enumerated() {
            cases.append(failed("7.9.\(index + 1)", [close(code)]))
        }
        for (index, code) in [5000, 65_535].enumerated() {
            cases.append(
                AutobahnCase(id: "7.13.\(index + 1)", steps: [.send(close(code))], end: .open, codes: [1000, 1002, code]))
        }
        return cases
    }()
}
