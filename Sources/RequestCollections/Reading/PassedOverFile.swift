import NetworkLayer

/// A YAML file in a directory that its name keeps from being a request or a collection, so that nobody would miss it.
struct PassedOverFile {
    var path: String
    private let name: String
    private let reason: Reason
    private let stem: String
    /// `yaml` or `yml`.
    private let ending: String

    private enum Reason {
        /// The file of a collection or folder, but for its ending or the size of its letters.
        case settings
        case underline
        case dot
        case ending(String)
    }

    /// - Returns: `nil` for a file that is read, and for one that nobody can have meant for a request.
    init?(_ path: String, name: String) {
        let parts = name.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count > 1, !parts[0].isEmpty, let ending = parts.last, ["yaml", "yml"].contains(ending.lowercased()),
            !["_collection.yaml", "_folder.yaml"].contains(name)
        else { return nil }
        let stem = parts.dropLast().joined(separator: "-")
        if ["_collection", "_folder"].contains(stem.lowercased()) {
            (reason, self.stem, self.ending) = (.settings, stem.lowercased(), "yaml")
        } else {
            self.ending = ending.lowercased()
            if stem.hasPrefix("_") {
                let rest = String(stem.unicodeScalars.drop { $0 == "_" })
                (reason, self.stem) = (.underline, rest.isEmpty ? "request" : rest)
            } else if parts.count > 2 {
                (reason, self.stem) = (.dot, stem)
            } else if ending != ending.lowercased() {
                (reason, self.stem) = (.ending(ending), stem)
            } else {
                return nil
            }
        }
        self.path = path
        self.name = name
    }

    /// Those that none of the requests' files names, and no file that is named.
    static func unnamed(_ files: [PassedOverFile], in requests: [[UInt8]], read: (String) -> [UInt8]?) -> [PassedOverFile] {
        var rest = files
        // As texts, in which bytes are found fast.
        var contents = requests.map { String(decoding: $0, as: UTF8.self) }
        while !contents.isEmpty, !rest.isEmpty {
            let isNamed = rest.map { $0.isNamed(in: contents) }
            // A schema may name another one.
            contents = zip(rest, isNamed).compactMap { file, isNamed in
                isNamed ? read(file.path).map { String(decoding: $0, as: UTF8.self) } : nil
            }
            rest = zip(rest, isNamed).compactMap { $1 ? nil : $0 }
        }
        return rest
    }

    /// Whether one of these files names it, such as for its body: then it is where it belongs. A template may stand before a dot of it.
    private func isNamed(in contents: [String]) -> Bool {
        let dots = name.unicodeScalars.indices.filter { name.unicodeScalars[$0] == "." }
        let ends = dots.map { "}}\(name[$0...])" }
        return contents.contains { text in ends.contains { text.firstRange(ofScalars: $0) != nil } || isNamed(in: text) }
    }

    /// The end of another name, as `b.yaml` is of `a.b.yaml`, names no file.
    private func isNamed(in text: String) -> Bool {
        var rest = text[...]
        while let range = rest.firstRange(ofScalars: name) {
            guard let before = text.unicodeScalars[..<range.lowerBound].last, Self.isPartOfName(before) else { return true }
            rest = text[range.upperBound...]
        }
        return false
    }

    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar)
    }

    /// - Parameters:
    ///   - kind: what it would be.
    ///   - isTaken: whether a name is that of another file beside it.
    func warning(_ kind: String, isTaken: (String) -> Bool) -> CollectionProblem {
        var better = "\(stem).\(ending)"
        var message = "this file isn't read as \(kind), since "
        switch reason {
        case .settings:
            let owner = stem == "_folder" ? "a folder" : "the collection"
            message =
                isTaken(better)
                ? "this file isn't read, since \(better) beside it is \(owner)'s; keep one of them"
                : "this file isn't read, since the name of \(owner)'s own is `\(better)`; rename it"
            return CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: message)
        case .underline: message += "its name begins with `_`"
        case .dot: message += "there is another dot in its name"
        case .ending(let ending): message += "its name ends in `.\(ending)`"
        }
        // A file must not take the place of another one.
        var number = 2
        while ["yaml", "yml"].contains(where: { isTaken("\(better.dropLast(ending.count))\($0)") }) {
            better = "\(stem)-\(number).\(ending)"
            number += 1
        }
        return CollectionProblem(
            location: SourceLocation(path: path, line: 1, column: 1),
            message: "\(message); rename it, such as to `\(better)`")
    }
}

extension RequestCollection {
    /// A warning for each file of a directory of collections that would be one, if its name didn't keep it from that.
    package static func passedOver(at path: String) -> [CollectionProblem] {
        guard FileContents.isDirectory(path), !FileContents.exists(joined(path, "_collection.yaml")),
            let entries = try? FileContents.list(path)
        else { return [] }
        return entries.compactMap { entry in
            let inside = joined(path, entry.name)
            // Here a name may begin with a line below.
            guard !entry.isDirectory, requestName(of: entry.name) == nil, let file = PassedOverFile(inside, name: entry.name),
                let bytes = try? CollectionFiles.onDisk.read(inside),
                bytes.split(separator: 0x0A).contains(where: { $0.starts(with: "turnstone:".utf8) })
            else { return nil }
            return file.warning("a collection") { FileContents.exists(joined(path, $0)) }
        }
    }
}
