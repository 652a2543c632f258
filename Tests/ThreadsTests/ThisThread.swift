import Foundation

/// What the system knows of the calling thread.
enum ThisThread {
    /// Its directory, which is there for as long as the thread is.
    static var path: String { "/proc/" + ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "") }
}
