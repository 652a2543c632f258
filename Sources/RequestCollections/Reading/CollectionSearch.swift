import FoundationEssentials

/// Which collections open when nobody names one.
package enum CollectionSearch {
    /// Those in `Collections` here, else in the nearest folder above that has one.
    ///
    /// - Parameter directory: absolute.
    /// - Returns: empty when there is none up to the root.
    package static func nearest(to directory: String) -> [String] {
        var directory = directory
        while true {
            let path = directory == "/" ? "/Collections" : "\(directory)/Collections"
            if isDirectory(path), let found = try? RequestCollection.collections(at: path), !found.isEmpty { return found }
            guard directory != "/", let slash = directory.lastIndex(of: "/") else { return [] }
            directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
    }
}
