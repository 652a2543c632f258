import NetworkLayer

/// One request of a `.http` file: what stands between two lines of `###`.
struct HTTPFileBlock {
    /// Behind the `###`.
    var title = ""
    /// `# @name login`, and others of the kind, in order.
    var tags: [(name: String, value: String)] = []
    var comments: [String] = []
    /// `@name = value`.
    var variables: [(name: String, value: String, line: Int)] = []
    /// The method, the URL and their continuation; empty without a request.
    var target = ""
    var headers: [String] = []
    var body: [String] = []
    /// What isn't sent: scripts, other files.
    var losses: [String] = []
    /// From 1.
    var line = 1
}

/// Takes a `.http` file apart, line by line.
struct HTTPFileReader {
    private(set) var blocks: [HTTPFileBlock] = []
    private var block = HTTPFileBlock()
    private var state = State.before
    /// A script whose end is looked for.
    private var isInScript = false

    private enum State {
        case before, headers, body
    }

    init(_ text: String) {
        for (number, line) in text.lines.enumerated() {
            read(String(line), number + 1)
        }
        end()
    }

    private mutating func end() {
        while block.body.last?.trimmingSpace.isEmpty == true { block.body.removeLast() }
        // What is said about the next request stands in this one's body.
        if block.body.allSatisfy({ $0.trimmingSpace.isEmpty || Self.comment($0.trimmingSpace) != nil }) { block.body = [] }
        blocks.append(block)
        block = HTTPFileBlock()
        state = .before
        isInScript = false
    }

    private mutating func read(_ line: String, _ number: Int) {
        if isInScript {
            if line.contains("%}") { isInScript = false }
            return
        }
        if line.hasPrefix("###") {
            end()
            block.title = String(line.drop { $0 == "#" }).trimmingSpace
            block.line = number
            return
        }
        let trimmed = line.trimmingSpace
        if isScript(trimmed) { return }
        switch state {
        case .before: readBefore(trimmed, number)
        case .headers: readHeader(line, trimmed)
        case .body: block.body.append(line)
        }
    }

    /// `< {% … %}` before a request, `> {% … %}` behind it, and files with the same.
    private mutating func isScript(_ line: String) -> Bool {
        if line.hasPrefix("> {%") || line.hasPrefix("< {%") {
            isInScript = !line.contains("%}")
            block.losses.append(
                "the \(line.hasPrefix(">") ? "response" : "pre-request") script: JavaScript isn't run, but `capture`, `expect` and `hydrate` do what scripts mostly do"
            )
            return true
        }
        if line.hasPrefix("<>") { return state != .before }
        if line.hasPrefix(">>"), state != .before { return true }
        if line.hasPrefix("> "), line.hasSuffix(".js") || line.hasSuffix(".ts") {
            block.losses.append("the response script \(line.dropFirst(2)): JavaScript isn't run")
            return true
        }
        if line.hasPrefix("< "), state == .before {
            block.losses.append("the pre-request script \(line.dropFirst(2)): JavaScript isn't run")
            return true
        }
        return false
    }

    private mutating func readBefore(_ line: String, _ number: Int) {
        if line.isEmpty { return }
        if let comment = Self.comment(line) { return readComment(comment) }
        if let match = line.wholeMatch(of: /@([^\s=]+)\s*=\s*(.*)/) {
            block.variables.append((String(match.1), String(match.2), number))
            return
        }
        if line.hasPrefix("import ") || line.hasPrefix("run ") {
            block.losses.append("the line `\(line)`: import the other file beside this one")
            return
        }
        block.target = line
        block.line = number
        state = .headers
    }

    private static func comment(_ line: String) -> String? {
        if line.hasPrefix("#") { return String(line.drop { $0 == "#" }).trimmingSpace }
        return line.hasPrefix("//") ? String(line.drop { $0 == "/" }).trimmingSpace : nil
    }

    private mutating func readComment(_ comment: String) {
        if let match = comment.wholeMatch(of: /@([A-Za-z-]+)[\s=]*(.*)/) {
            block.tags.append((String(match.1), String(match.2)))
        } else if !comment.isEmpty, !comment.allSatisfy({ "-=*#/".contains($0) }) {
            block.comments.append(comment)
        }
    }

    private mutating func readHeader(_ line: String, _ trimmed: String) {
        if trimmed.isEmpty {
            state = .body
        } else if block.headers.isEmpty, line.first?.isWhitespace == true || trimmed.hasPrefix("?") || trimmed.hasPrefix("&") {
            block.target += trimmed
        } else if let comment = Self.comment(trimmed) {
            // Mostly a header that is off; what is said about a request stands above it.
            if comment.hasPrefix("@") { readComment(comment) }
        } else {
            block.headers.append(trimmed)
        }
    }
}
