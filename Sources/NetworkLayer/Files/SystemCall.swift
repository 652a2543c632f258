#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Darwin)
    package import Darwin
#endif

/// System calls whose names methods of ours have as well, or which C libraries write in ways of their own.
package enum SystemCall {
    package static func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, flags, mode)
        #elseif canImport(Musl)
            Musl.open(path, flags, mode)
        #else
            Darwin.open(path, flags, mode)
        #endif
    }

    /// Begins anew when a signal came between.
    package static func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        while true {
            #if canImport(Glibc)
                let got = Glibc.read(file, buffer, count)
            #elseif canImport(Musl)
                let got = Musl.read(file, buffer, count)
            #else
                let got = Darwin.read(file, buffer, count)
            #endif
            if got >= 0 || errno != EINTR { return got }
        }
    }

    package static func close(_ file: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(file)
        #elseif canImport(Musl)
            _ = Musl.close(file)
        #else
            _ = Darwin.close(file)
        #endif
    }

    package static func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, bytes, count)
        #elseif canImport(Musl)
            Musl.write(file, bytes, count)
        #else
            Darwin.write(file, bytes, count)
        #endif
    }

    // MARK: Sockets

    /// A socket that programs which this one starts don't inherit.
    ///
    /// - Returns: -1, and `errno`, when there is none.
    package static func socket(_ family: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
        #if canImport(Glibc)
            return Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), protocolNumber)
        #elseif canImport(Musl)
            return Musl.socket(family, type | SOCK_CLOEXEC, protocolNumber)
        #else
            let descriptor = Darwin.socket(family, type, protocolNumber)
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

    /// How many descriptors the process may have; `nil` where nobody says.
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
