import RequestCollections

/// What a page is decorated with: no request that somebody explores.
enum StaticEntry {
    /// By what the browser says it was for, else by what came; a page and its data never are.
    static func isOne(_ entry: JSONValue) -> Bool {
        guard ["GET", "HEAD"].contains(entry["request"]?["method"]?.string?.uppercased() ?? "GET") else { return false }
        switch entry["_resourceType"]?.string {
        case "image", "font", "stylesheet", "script", "media", "manifest", "texttrack": return true
        case "xhr", "fetch", "document", "websocket", "eventsource": return false
        default: break
        }
        let type = MediaType.essence(entry["response"]?["content"]?["mimeType"]?.string) ?? ""
        return ["image/", "font/", "audio/", "video/"].contains { type.hasPrefix($0) }
            || ["text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/font-woff"]
                .contains(type)
    }
}
