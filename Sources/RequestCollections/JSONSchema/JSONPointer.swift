import NetworkLayer

/// RFC 6901, in the fragment of a URI.
enum JSONPointer {
    /// A step as it stands between two slashes.
    static func escaped(_ key: String) -> String {
        // Most names contain none of these characters.
        guard key.utf8.contains(where: { "~/%".utf8.contains($0) }) else { return key }
        return key.replacing(scalars: "%", with: "%25").replacing(scalars: "~", with: "~0").replacing(scalars: "/", with: "~1")
    }

    /// The steps of what stands behind the `#` of a URI.
    static func steps(_ fragment: Substring) -> [String] {
        let pointer = URLCoding.percentDecoded(fragment)
        return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            $0.replacing(scalars: "~1", with: "/").replacing(scalars: "~0", with: "~")
        }
    }
}
