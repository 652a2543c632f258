import Foundation
import Synchronization

@testable import RequestCollections

/// The system's operations, up to one that fails, or is never done, and nothing after it either.
final class FaultyFiles: FileOperations {
    enum Fault: Hashable, Sendable {
        /// The program ends before the call.
        case crash
        /// Only this call fails.
        case fails
        /// The same with an error of its own, for calls of this name.
        case refuses(String, Int32)
    }

    private struct State {
        var left: Int
        var hasHappened = false
        var log: [String] = []
        var unsynced: [String: Set<String>] = [:]
    }

    private let system = SystemFileOperations()
    /// What another program does just before a call.
    private let meddle: @Sendable (_ call: String) -> Void
    private let state: Mutex<State>
    private let fault: Fault

    init(after calls: Int = .max, _ fault: Fault = .crash, meddling: @escaping @Sendable (_ call: String) -> Void = { _ in }) {
        state = Mutex(State(left: calls))
        self.fault = fault
        meddle = meddling
    }

    var log: [String] { state.withLock { $0.log } }
    var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// What a machine without power may do to a file that was never synced, under each of its names.
    func loseWhatIsNotSynced() {
        guard fault == .crash else { return }
        for path in state.withLock({ $0.unsynced.values.flatMap { $0 } }) where FileManager.default.fileExists(atPath: path) {
            truncate(path, 0)
        }
    }

    private func call(_ name: String) throws(SystemCallError) {
        meddle(name)
        let fails = state.withLock { state in
            state.log.append(name)
            if state.hasHappened, fault == .crash { return true }
            if case .refuses(let call, _) = fault { return name.hasPrefix(call) }
            guard !state.hasHappened, state.left == 0 else {
                state.left -= 1
                return false
            }
            state.hasHappened = true
            return true
        }
        if fails { throw SystemCallError(error) }
    }

    private var error: Int32 {
        if case .refuses(_, let error) = fault { error } else { ENOSPC }
    }

    private func short(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let parts = name.split(separator: ".")
        return parts.count > 2 ? "\(parts[0]).\(parts[1]).…" : name
    }

    func createTemporary(beside path: String, isPrivate: Bool) throws(SystemCallError) -> TemporaryFile {
        try call("create \(short(path)).…")
        return try system.createTemporary(beside: path, isPrivate: isPrivate)
    }

    func write(_ bytes: [UInt8], to file: TemporaryFile) throws(SystemCallError) {
        try call("write")
        try system.write(bytes, to: file)
        state.withLock { $0.unsynced[file.path] = [file.path] }
    }

    func copyAttributes(of path: String, to file: TemporaryFile) throws(SystemCallError) {
        try call("attributes")
        try system.copyAttributes(of: path, to: file)
    }

    func sync(_ file: TemporaryFile) throws(SystemCallError) {
        try call("sync")
        try system.sync(file)
        state.withLock { $0.unsynced[file.path] = nil }
    }

    func close(_ file: TemporaryFile) {
        state.withLock { $0.log.append("close") }
        system.close(file)
    }

    func rename(_ path: String, to other: String) throws(SystemCallError) {
        try call("rename \(short(other))")
        try system.rename(path, to: other)
        _ = state.withLock { $0.unsynced[path]?.insert(other) }
    }

    func rename(_ path: String, toNew other: String) throws(SystemCallError) {
        try call("rename \(short(other)), if new")
        try system.rename(path, toNew: other)
        _ = state.withLock { $0.unsynced[path]?.insert(other) }
    }

    func exchange(_ path: String, with other: String) throws(SystemCallError) {
        try call("exchange \(short(other))")
        try system.exchange(path, with: other)
        state.withLock { state in
            let unsynced = state.unsynced
            state.unsynced[path] = unsynced[other].map { _ in [path] }
            state.unsynced[other] = unsynced[path].map { _ in [other] }
        }
    }

    func overwrite(_ path: String, with bytes: [UInt8]) throws(SystemCallError) {
        do throws(SystemCallError) {
            try call("overwrite \(short(path))")
        } catch {
            // It gets as far as it gets.
            if fault == .crash { try? system.overwrite(path, with: Array(bytes.prefix(bytes.count / 2))) }
            throw error
        }
        try system.overwrite(path, with: bytes)
    }

    func isBeingWritten(_ path: String) -> Bool { system.isBeingWritten(path) }

    func pause(milliseconds: UInt32) { meddle("pause") }

    func unlink(_ path: String) throws(SystemCallError) {
        try call("unlink \(short(path))")
        try system.unlink(path)
    }

    func createDirectory(_ path: String) throws(SystemCallError) {
        try call("directory \(short(path))")
        try system.createDirectory(path)
    }

    func removeDirectory(_ path: String) throws(SystemCallError) {
        try call("remove \(short(path))")
        try system.removeDirectory(path)
    }

    func syncDirectory(_ path: String) {
        guard (try? call("sync \(short(path))")) != nil else { return }
        system.syncDirectory(path)
    }
}
