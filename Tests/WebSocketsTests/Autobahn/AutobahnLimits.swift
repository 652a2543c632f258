import Testing

/// A case of Autobahn's sections 9 and 10: large ones are made when their turn comes.
struct AutobahnLimit: Sendable, CustomTestStringConvertible {
    var id: String
    var make: @Sendable () -> AutobahnCase

    var testDescription: String { id }

    static let all: [AutobahnLimit] = {
        var limits: [AutobahnLimit] = []
        func add(_ section: String, _ sizes: [Int], _ make: @escaping @Sendable (_ id: String, _ size: Int) -> AutobahnCase) {
            for (index, size) in sizes.enumerated() {
                let id = "\(section).\(index + 1)"
                limits.append(AutobahnLimit(id: id) { make(id, size) })
            }
        }
        // Text in odd sections, bytes in even ones.
        for (offset, opcode) in [(0, UInt8(1)), (1, 2)] {
            add("9.\(1 + offset)", [1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 23, 1 << 24]) { id, size in
                let message = message(opcode, size)
                return .answered(id, [AutobahnCase.frame(opcode, message.payload)], [message])
            }
            add("9.\(3 + offset)", [64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22]) { id, size in
                let message = message(opcode, 1 << 22)
                return .answered(id, AutobahnCase.fragments(opcode, message.payload, of: size), [message])
            }
            add("9.\(5 + offset)", [64, 128, 256, 512, 1024, 2048]) { id, chop in
                let message = message(opcode, 1 << 20)
                return .answered(id, steps: [.send(AutobahnCase.frame(opcode, message.payload), chop: chop)], [message])
            }
            add("9.\(7 + offset)", [0, 16, 64, 256, 1024, 4096]) { id, size in
                let message = message(opcode, size)
                let frame = AutobahnCase.frame(opcode, message.payload)
                let steps = (1...1000).flatMap { [AutobahnCase.Step.send(frame), .await($0)] }
                return .answered(id, steps: steps, Array(repeating: message, count: 1000))
            }
        }
        add("10.1", [1300]) { id, size in
            let message = message(1, 1 << 16)
            return .answered(id, AutobahnCase.fragments(1, message.payload, of: size), [message])
        }
        return limits
    }()

    /// Text whose period divides no size of a frame or a chop.
    private static func message(_ opcode: UInt8, _ size: Int) -> AutobahnCase.Frame {
        let period = Array("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
        var bytes = period
        while bytes.count < size { bytes += bytes }
        return AutobahnCase.Frame(opcode: opcode, payload: Array(bytes.prefix(size)))
    }
}
