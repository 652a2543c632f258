import Base
import NetworkLayer

/// Reads ``SystemSnapshot``; what isn't there is empty, because interfaces come and go while we read.
struct SystemFiles: Sendable {
    /// Before `/sys` and `/proc`; tests have a folder of their own.
    var root = ""
    /// Asks for the way to it besides, which may take its time.
    var host: HostRoute?

    func read() -> SystemSnapshot {
        SystemSnapshot(
            interfaces: names(in: "\(root)/sys/class/net").map(interface),
            ipv4Routes: text("\(root)/proc/net/route"), ipv6Routes: text("\(root)/proc/net/ipv6_route"),
            hostRoute: host?.look())
    }

    private func interface(_ name: String) -> SystemSnapshot.Interface {
        let folder = "\(root)/sys/class/net/\(name)"
        return SystemSnapshot.Interface(
            name: name, operationalState: word("\(folder)/operstate"), carrier: word("\(folder)/carrier"),
            type: word("\(folder)/type"),
            isWireless: access("\(folder)/wireless", F_OK) == 0 || access("\(folder)/phy80211", F_OK) == 0)
    }

    private func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private func word(_ path: String) -> String {
        text(path).split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    private func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        while true {
            let chunk = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                count = max(0, SystemCall.read(file, buffer.baseAddress, buffer.count))
            }
            if chunk.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk
        }
    }
}
