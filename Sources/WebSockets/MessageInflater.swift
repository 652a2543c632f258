import CZlib

/// Inflates the messages of one session (RFC 7692, section 7.2.2).
///
/// Sendable, unchecked: it belongs to one reader, which one thread at a time uses.
final class MessageInflater: @unchecked Sendable {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let keepsContext: Bool

    init(keepsContext: Bool) {
        self.keepsContext = keepsContext
        stream.initialize(to: z_stream())
        // The largest window reads what was made with a smaller one.
        let status = turnstone_inflate_init(stream, -15)
        precondition(status == Z_OK, "out of memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// - Parameter limit: how many bytes may come of it: a few may stand for a thousand times as many.
    func inflate(_ message: [UInt8], limit: Int) throws(WebSocketViolation) -> [UInt8] {
        // What the sender has cut off.
        let input = message + [0, 0, 0xFF, 0xFF]
        var output: [UInt8] = []
        var consumed = 0
        let end = input.withUnsafeBufferPointer { input in
            while true {
                stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + consumed) }
                stream.pointee.avail_in = UInt32(input.count - consumed)
                var status = Z_OK
                let room = min((1 << 16) - 1, limit - output.count) + 1
                output += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    status = CZlib.inflate(stream, Z_SYNC_FLUSH)
                    count = room - Int(stream.pointee.avail_out)
                }
                consumed = input.count - Int(stream.pointee.avail_in)
                if output.count > limit { return End.full }
                switch status {
                // The last block of a stream needn't be the last of the message.
                case Z_STREAM_END where consumed < input.count: restart(keepsWindow: true)
                case Z_OK, Z_BUF_ERROR, Z_STREAM_END:
                    if consumed == input.count {
                        // zlib's bit for the end of a block: what was cut off ends one. A further call, with nothing to read, would clear it.
                        if stream.pointee.data_type & 128 != 0 { return End.whole }
                        if stream.pointee.avail_out > 0 { return End.broken }
                    }
                    if status == Z_BUF_ERROR { return End.broken }
                default: return End.broken
                }
            }
        }
        switch end {
        case .whole: break
        case .full:
            throw WebSocketViolation(
                1009, "sent \(message.count) bytes that stand for more than \(limit), the limit", "RFC 6455, section 7.4.1")
        case .broken:
            throw WebSocketViolation(1007, "sent a message that can't be decompressed", "RFC 7692, section 7.2.2")
        }
        if !keepsContext { restart(keepsWindow: false) }
        return output
    }

    private enum End { case whole, full, broken }

    private func restart(keepsWindow: Bool) {
        var window = [UInt8](repeating: 0, count: keepsWindow ? 1 << 15 : 0)
        var count = UInt32(0)
        if keepsWindow { inflateGetDictionary(stream, &window, &count) }
        inflateReset(stream)
        if count > 0 { inflateSetDictionary(stream, window, count) }
    }
}
