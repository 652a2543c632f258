/// System calls whose names methods have as well, or which C libraries declare differently.
package enum SystemCall {
    package static func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { systemOpen(path, flags, mode) }

    /// Begins anew when a signal came between.
    package static func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        while true {
            let got = systemRead(file, buffer, count)
            if got >= 0 || errno != EINTR { return got }
        }
    }

    package static func close(_ file: Int32) { systemClose(file) }

    package static func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { systemWrite(file, bytes, count) }

    package static func rename(_ path: String, _ other: String) -> Int32 { systemRename(path, other) }

    // MARK: Sockets

    /// A socket that child processes don't inherit.
    ///
    /// - Returns: -1, and `errno`, when there is none.
    package static func socket(_ family: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
        #if canImport(Glibc)
            return systemSocket(family, type | Int32(SOCK_CLOEXEC.rawValue), protocolNumber)
        #elseif canImport(Musl)
            return systemSocket(family, type | SOCK_CLOEXEC, protocolNumber)
        #else
            let descriptor = systemSocket(family, type, protocolNumber)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return descriptor
        #endif
    }

    /// `SOCK_DGRAM`
    package static var datagrams: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_DGRAM.rawValue)
        #else
            SOCK_DGRAM
        #endif
    }

    /// `SOCK_RAW`
    package static var rawPackets: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_RAW.rawValue)
        #else
            SOCK_RAW
        #endif
    }

    // MARK: Limits

    /// How many descriptors the process may have; `nil` where the system doesn't say.
    package static var descriptorLimit: rlim_t? {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return result == 0 ? limit.rlim_cur : nil
    }
}

// Outside of a type, the plain names mean the C library's functions, whatever the platform calls that library.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(file, buffer, count) }
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
private func systemClose(_ file: Int32) { _ = close(file) }
private func systemRename(_ path: String, _ other: String) -> Int32 { rename(path, other) }
private func systemSocket(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 { socket(family, type, number) }
