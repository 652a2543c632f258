import Foundation
import Glibc
package import TerminalUI

extension PseudoTerminal {
    struct SpawnError: Error, CustomStringConvertible {
        var description: String
    }

    /// By Linux's own interface: the platform's module leaves `posix_openpt` and its relatives out.
    package static func open(_ size: Size) throws -> (control: Int32, slave: Int32, name: String) {
        let control = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
        guard control >= 0, ioctl(control, setLock, &locked) == 0, ioctl(control, getNumber, &number) == 0 else {
            throw SpawnError(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        let name = "/dev/pts/\(number)"
        let slave = Glibc.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &window)
        return (control, slave, name)
    }

    /// In a session of its own; the first terminal that it opens, as standard input, becomes its controlling terminal.
    static func spawn(_ arguments: [String], on terminal: String, _ environment: [String: String], _ directory: String?) throws
        -> pid_t
    {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let newSession: Int32 = 0x80
        posix_spawnattr_setflags(&attributes, Int16(newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = directory.map { ["env", "-C", $0] + arguments } ?? arguments
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &variables)
        guard status == 0 else { throw SpawnError(description: "\(arguments[0]): \(String(cString: strerror(status)))") }
        return process
    }
}
