import NetworkLayer

/// The directories whose files travel with a collection: its own, and that of the git repository around it.
struct CommandGround {
    let place: CollectionPlace
    let directory: String
    let repository: String?
    /// The place that names of files are relative to.
    private let base: CollectionPlace

    init(_ place: CollectionPlace) {
        self.place = place
        directory = place.directory
        repository = place.repository
        base = CollectionPlace(directory)
    }

    /// All of them are below it.
    var root: String { repository ?? directory }

    /// - Parameter real: a path without links.
    func travels(_ real: String) -> Bool {
        real.rest(below: directory) != nil || repository.flatMap { real.rest(below: $0) } != nil
    }

    /// Whether it lies beside a collection of one file, where there is much that it has nothing to do with, such as what its commands
    /// leave there.
    func isBeside(_ real: String) -> Bool { repository == nil && real.rest(below: place.path) == nil }

    /// The name of a file, seen from the collection's directory: in two directories, the same name is two files. Links are followed when
    /// the file is read, so that one which leads elsewhere by then is noticed. It has no signs but those of ASCII, the bytes of others
    /// percent-encoded, since of two names that Swift takes for equal a dictionary would keep one.
    ///
    /// - Parameter directory: what the name is relative to.
    func key(of name: String, in directory: String) -> String {
        let real = RealPath.of(directory)
        let isInside = real == place.directory || name.unicodeScalars.first == "/"
        return isInside ? Self.encoded(name) : Self.encoded(joined(base.portable(real, home: nil), name))
    }

    /// The same for a path without links.
    func key(ofReal path: String) -> String { Self.encoded(base.portable(path, home: nil)) }

    private static func encoded(_ path: String) -> String {
        URLCoding.percentEncoded(path.utf8) { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    }
}
