import Base
import CCurl
import NetworkLayer

/// Writes what libcurl shows of a transfer, in the form of curl's `--trace`.
final class TraceFile {
    private let descriptor: Int32
    private let trace: WireTrace

    init(_ trace: WireTrace) throws(NetworkError) {
        self.trace = trace
        descriptor = open(trace.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .invalid("The trace can't be written to \(trace.path): \(String(cString: strerror(errno))).")
        }
    }

    deinit { close(descriptor) }

    func add(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        let start = trace.showsTime ? Self.time() : ""
        if kind == CURLINFO_TEXT {
            var text = "\(start)== Info: ".utf8.map(\.self) + bytes
            if bytes.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
            return write(text)
        }
        guard let title = Self.titles[kind] else { return }
        let count = bytes.count
        write(
            Array("\(start)\(title), \(count) bytes (0x\(String(count, radix: 16)))\n".utf8)
                + Self.dump(bytes, isText: trace.isText))
    }

    private static let titles: [curl_infotype: String] = [
        CURLINFO_HEADER_OUT: "=> Send header", CURLINFO_DATA_OUT: "=> Send data", CURLINFO_SSL_DATA_OUT: "=> Send SSL data",
        CURLINFO_HEADER_IN: "<= Recv header", CURLINFO_DATA_IN: "<= Recv data", CURLINFO_SSL_DATA_IN: "<= Recv SSL data",
    ]

    /// Sixteen bytes a line with their hexadecimal digits, or 64 without, which a line end of HTTP ends, too.
    static func dump(_ bytes: UnsafeRawBufferPointer, isText: Bool) -> [UInt8] {
        let width = isText ? 64 : 16
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let offset = String(index, radix: 16)
            output += String(repeating: "0", count: max(0, 4 - offset.utf8.count)).utf8
            output += offset.utf8
            output += ": ".utf8
            let line = bytes[index..<min(bytes.count, index + width)]
            if !isText {
                for byte in line { output += [digits[Int(byte >> 4)], digits[Int(byte & 15)], UInt8(ascii: " ")] }
                output += repeatElement(UInt8(ascii: " "), count: 3 * (width - line.count))
            }
            var next = line.endIndex
            for position in line.indices {
                if isText, isLineEnd(bytes, at: position) {
                    next = position + 2
                    break
                }
                output.append((0x20..<0x7F).contains(bytes[position]) ? bytes[position] : UInt8(ascii: "."))
                // Its line would begin with the line end alone.
                if isText, position + 1 == line.endIndex, isLineEnd(bytes, at: position + 1) { next = position + 3 }
            }
            output.append(UInt8(ascii: "\n"))
            index = next
        }
        return output
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func isLineEnd(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index] == UInt8(ascii: "\r") && bytes[index + 1] == UInt8(ascii: "\n")
    }

    /// `12:53:07.123456 `
    private static func time() -> String {
        var now = timeval()
        gettimeofday(&now, nil)
        var local = tm()
        localtime_r(&now.tv_sec, &local)
        func padded(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let clock = [local.tm_hour, local.tm_min, local.tm_sec].map { padded(Int($0), 2) }.joined(separator: ":")
        return "\(clock).\(padded(Int(now.tv_usec), 6)) "
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SystemCall.write(descriptor, $0.baseAddress, $0.count) }
            // A trace that can't be written is no reason to end the transfer.
            guard count > 0 || count < 0 && errno == EINTR else { return }
            if count > 0 { rest = rest.dropFirst(count) }
        }
    }
}
