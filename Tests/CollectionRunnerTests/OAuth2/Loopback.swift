import Glibc

/// What a browser does to a listener, with a socket of its own.
enum Loopback {
    /// Asks, and doesn't wait for an answer: nobody may look after the socket yet.
    static func knock(_ target: String, port: UInt16) {
        guard let descriptor = ask("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", port: port) else { return }
        close(descriptor)
    }

    /// - Returns: the whole answer; `""` when nobody listens.
    static func get(_ target: String, port: UInt16) -> String {
        guard let descriptor = ask("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", port: port) else { return "" }
        defer { close(descriptor) }
        return rest(of: descriptor)
    }

    /// Sends what it is given.
    static func ask(_ text: String, port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connected(descriptor, port) else {
            close(descriptor)
            return nil
        }
        _ = Array(text.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return descriptor
    }

    private static func connected(_ descriptor: Int32, _ port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func rest(of descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
