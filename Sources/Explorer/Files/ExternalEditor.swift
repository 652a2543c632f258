package import Base

/// The user's own editor.
package protocol ExternalEditor: Sendable {
    /// Shows the text until the user has left the editor; the terminal is the editor's then.
    ///
    /// - Parameter fileExtension: tells the editor how to colour.
    /// - Returns: the text as it was saved.
    func edit(_ text: String, fileExtension: String) throws -> String

    /// Opens a file where it lies.
    ///
    /// - Parameter line: where the cursor goes, from 1, as far as the editor is known.
    func open(_ path: String, line: Int) throws

    /// Shows a text in the pager, and anything else with the program that the desktop has for it.
    ///
    /// - Returns: the file that is left for that program; `nil`: there is none any more.
    func show(_ contents: Data, fileExtension: String, isText: Bool) throws -> String?
}

extension ExternalEditor {
    package func open(_ path: String, line: Int) throws {}
    package func show(_ contents: Data, fileExtension: String, isText: Bool) throws -> String? { nil }
}

/// `$VISUAL`, else `$EDITOR`, else `vi`: as a shell understands it, so that it may have options.
package struct SystemEditor: ExternalEditor {
    private let command: String
    private let pager: String
    private let hasDesktop: Bool

    package init(environment: [String: String]) {
        command = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        pager = environment["PAGER"].flatMap { $0.isEmpty ? nil : $0 } ?? "less"
        hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package func edit(_ text: String, fileExtension: String) throws -> String {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "edit.\(fileExtension)")
        try Data(text.utf8).write(to: file)
        let status = try run([file.path(percentEncoded: false)])
        guard status == 0 else {
            throw Failure(
                description: "the editor `\(command)` ended with status \(status); nothing was changed (set EDITOR to another)")
        }
        var edited = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        // Editors end the last line with a line feed; a text that had none at its end doesn't get one.
        if edited.hasSuffix("\n"), !text.hasSuffix("\n") { edited.removeLast() }
        return edited
    }

    /// Requests have secrets: nobody else may look.
    private func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    package func show(_ contents: Data, fileExtension: String, isText: Bool) throws -> String? {
        guard isText || hasDesktop else {
            throw Failure(description: "there is no desktop here whose programs could open it: save it to a file instead")
        }
        let folder = try makeFolder()
        let file = folder.appending(path: "body.\(fileExtension)")
        try contents.write(to: file)
        let path = file.path(percentEncoded: false)
        // The desktop's program may read the file long after this one has moved on.
        defer { if isText { try? FileManager.default.removeItem(at: folder) } }
        let program = isText ? pager : "xdg-open"
        let status = try run([path], with: program)
        guard status == 0 else {
            throw Failure(description: "`\(program)` ended with status \(status)" + (isText ? " (set PAGER to another)" : ""))
        }
        return isText ? nil : path
    }

    package func open(_ path: String, line: Int) throws {
        let status = try run(arguments(path, line: line))
        guard status == 0 else {
            throw Failure(description: "the editor `\(command)` ended with status \(status) (set EDITOR to another)")
        }
    }

    /// How an editor is told of a line differs; one that isn't known gets the file alone.
    private func arguments(_ path: String, line: Int) -> [String] {
        let word = command.split(separator: " ").first ?? ""
        switch word.split(separator: "/").last.map(String.init) {
        case "vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "mg", "ne", "mcedit":
            return ["+\(line)", path]
        case "hx", "helix", "subl", "zed": return ["\(path):\(line)"]
        case "code", "codium", "cursor": return ["--goto", "\(path):\(line)"]
        default: return [path]
        }
    }

    private func run(_ files: [String], with program: String? = nil) throws -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Whatever is blocked or ignored here, the editor gets its signals as a shell would give them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var ignored = sigset_t()
        sigemptyset(&ignored)
        sigaddset(&ignored, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments: [String] = ["sh", "-c", "\(program ?? command) \"$@\"", "sh"] + files
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, "/bin/sh", nil, &attributes, &words, environ)
        guard error == 0 else { throw Failure(description: "/bin/sh could not be started: \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
