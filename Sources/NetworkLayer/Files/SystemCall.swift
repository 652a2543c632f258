#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// System calls whose names methods of ours have as well.
enum SystemCall {
    static func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, flags, mode)
        #elseif canImport(Musl)
            Musl.open(path, flags, mode)
        #else
            Darwin.open(path, flags, mode)
        #endif
    }

    /// Begins anew when a signal came between.
    static func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
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

    static func close(_ file: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(file)
        #elseif canImport(Musl)
            _ = Musl.close(file)
        #else
            _ = Darwin.close(file)
        #endif
    }
}
