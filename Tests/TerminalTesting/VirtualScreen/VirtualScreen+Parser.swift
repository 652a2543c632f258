extension VirtualScreen {
    /// One thing that a program asks for.
    enum Action: Hashable {
        case print(Character)
        case control(UInt8)
        /// `ESC intermediates final`.
        case escape(intermediates: [UInt8], final: UInt8)
        /// `CSI prefix parameters intermediates final`; a parameter that is left out is `nil`.
        case sequence(prefix: UInt8?, parameters: [Int?], intermediates: [UInt8], final: UInt8)
        case command([UInt8])
        case broken([UInt8])
    }

    /// Cuts a stream of bytes into actions, wherever the chunks end.
    struct Parser: Sendable {
        private enum State: Sendable {
            case ground, escape, sequence, command, commandEscape, ignored, ignoredEscape
            case character(needed: Int)
        }

        private var state = State.ground
        private var bytes: [UInt8] = []

        mutating func take(_ byte: UInt8) -> Action? {
            switch state {
            case .ground: return ground(byte)
            case .character(let needed): return character(byte, needed)
            case .escape: return escape(byte)
            case .sequence: return sequence(byte)
            case .command:
                if byte == 0x07 { return finish(.command(bytes)) }
                if byte == 0x1B {
                    state = .commandEscape
                } else {
                    bytes.append(byte)
                }
            case .commandEscape: return finish(byte == UInt8(ascii: "\\") ? .command(bytes) : .broken(bytes))
            case .ignored: if byte == 0x1B { state = .ignoredEscape }
            case .ignoredEscape: state = byte == UInt8(ascii: "\\") ? .ground : .ignored
            }
            return nil
        }

        private mutating func finish(_ action: Action) -> Action {
            state = .ground
            bytes = []
            return action
        }

        private mutating func ground(_ byte: UInt8) -> Action? {
            switch byte {
            case 0x1B: state = .escape
            case 0..<0x20, 0x7F: return .control(byte)
            case 0x20..<0x7F: return .print(Character(Unicode.Scalar(byte)))
            case 0xC2...0xF4:
                bytes = [byte]
                state = .character(needed: byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2)
            default: return .broken([byte])
            }
            return nil
        }

        private mutating func character(_ byte: UInt8, _ needed: Int) -> Action? {
            guard byte & 0xC0 == 0x80 else {
                let broken = bytes + [byte]
                return finish(.broken(broken))
            }
            bytes.append(byte)
            guard bytes.count == needed else { return nil }
            return finish(.print(String(decoding: bytes, as: UTF8.self).first ?? "\u{FFFD}"))
        }

        private mutating func escape(_ byte: UInt8) -> Action? {
            switch byte {
            case UInt8(ascii: "["): state = .sequence
            case UInt8(ascii: "]"): state = .command
            case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "k"): state = .ignored
            case 0x20...0x2F: bytes.append(byte)
            case 0x30...0x7E: return finish(.escape(intermediates: bytes, final: byte))
            default: return finish(.broken([0x1B, byte]))
            }
            return nil
        }

        private mutating func sequence(_ byte: UInt8) -> Action? {
            switch byte {
            case 0x20...0x3F:
                bytes.append(byte)
                return nil
            case 0x40...0x7E:
                var rest = bytes[...]
                let prefix = rest.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
                if prefix != nil { rest = rest.dropFirst() }
                let numbers = rest.prefix { $0 >= 0x30 }
                let parameters: [Int?] = numbers.split(omittingEmptySubsequences: false) { $0 == 0x3B || $0 == 0x3A }.map {
                    Int(String(decoding: $0, as: UTF8.self))
                }
                return finish(
                    .sequence(
                        prefix: prefix, parameters: numbers.isEmpty ? [] : parameters,
                        intermediates: Array(rest.dropFirst(numbers.count)), final: byte))
            default:
                return finish(.broken([0x1B, UInt8(ascii: "[")] + bytes + [byte]))
            }
        }
    }
}
