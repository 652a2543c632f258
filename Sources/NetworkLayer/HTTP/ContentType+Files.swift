extension ContentType {
    /// What the ending of a file's name says, in any case; `application/octet-stream` for one that says nothing.
    public static func forFile(_ path: String) -> ContentType {
        guard let name = path.pieces(at: "/").last(where: { !$0.isEmpty }), let ending = name.pieces(at: ".").dropFirst().last
        else {
            return .octetStream
        }
        return byEnding[ending.lowercased()] ?? .octetStream
    }

    private static let byEnding: [String: ContentType] = [
        "json": .json, "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": .jpeg, "jpeg": .jpeg,
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "mov": .quickTime, "mp4": "video/mp4",
        "mp3": "audio/mpeg", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "graphql": "application/graphql", "wasm": "application/wasm",
    ]
}
