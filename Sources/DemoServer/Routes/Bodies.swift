import Zlib

extension RouteTable {
    static let bodies: [Route] = [
        Route(
            "/json", "JSON of any size",
            "An array of people of exactly size (10kB) bytes, the same every time, made while it is sent. chunked=true leaves Content-Length away.",
            try: "/json?size=10MB"
        ) { request in
            let size = try request.size("size", default: 10_000)
            guard size >= People.minimumSize else { throw Refusal("size=\(size): at least \(People.minimumSize), please.") }
            let isChunked = try request.flag("chunked", default: false)
            return .stream(type: "application/json", length: isChunked ? nil : size) { writer in
                var people = People(size: size)
                while let bytes = people.next() { try await writer.write(bytes) }
            }
        },
        Route("/json/lines", "JSON lines", "count (10) lines of one JSON object each.", try: "/json/lines?count=10") { request in
            let count = try request.count("count", default: 10, in: 0...100_000)
            return .text((0..<count).map { People.person($0) + "\n" }.joined(), type: "application/x-ndjson")
        },
        Route("/xml", "XML", "A small document with attributes, CDATA, a comment and entities.") { _ in
            .text(Samples.xml, type: "application/xml")
        },
        Route("/html", "HTML", "A small page.") { _ in .text(Samples.html, type: "text/html; charset=utf-8") },
        Route("/text", "Plain text", "lines (20) of it.", try: "/text?lines=100") { request in
            let lines = try request.count("lines", default: 20, in: 1...1_000_000)
            return .stream(type: "text/plain; charset=utf-8") { writer in
                for start in stride(from: 1, through: lines, by: 1000) {
                    let numbers = start...min(lines, start + 999)
                    try await writer.write(numbers.map { "\($0): \(Samples.sentences[$0 % Samples.sentences.count])\n" }.joined())
                }
            }
        },
        Route(
            "/bytes/{count}", "Bytes",
            "That many bytes that look random and are the same every time. Knows Range. seed chooses others.",
            try: "/bytes/1kB"
        ) { request in
            try bytesReply(request)
        },
        Route("/image.png", "PNG", "A picture, width by height (256) pixels.", try: "/image.png?width=320&height=200") { request in
            let width = try request.count("width", default: 256, in: 1...4096)
            let height = try request.count("height", default: 256, in: 1...4096)
            return .bytes(PNG.gradient(width: width, height: height), type: "image/png")
        },
        Route("/image.svg", "SVG", "A turnstone, as vectors.") { _ in .text(Samples.svg, type: "image/svg+xml") },
        Route("/gzip", "gzip", "The JSON of /json, size (10kB), compressed, whatever you accept.", try: "/gzip?size=100kB") {
            request in
            try compressed(request, coding: "gzip", in: .gzip)
        },
        Route("/deflate", "deflate", "The same in zlib's format; raw=true without its wrapper, a common mistake.") { request in
            try compressed(request, coding: "deflate", in: request.flag("raw", default: false) ? .none : .zlib)
        },
        Route(
            "/negotiate", "Negotiated", "JSON, compressed with gzip or deflate if your Accept-Encoding has them.", try: "/negotiate"
        ) { request in
            let vary = [Field("Vary", "Accept-Encoding")]
            for (coding, frame) in [("gzip", Zlib.Frame.gzip), ("deflate", .zlib)] {
                let accepted = request.head.values(of: "accept-encoding").joined(separator: ",").lowercased()
                let isAccepted = accepted.split(separator: ",").contains { item in
                    let parts = item.split(separator: ";").map { String($0).trimmed }
                    return parts.first == coding
                        && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
                }
                if isAccepted { return try compressed(request, coding: coding, in: frame, fields: vary) }
            }
            return .bytes(People(size: 10_000).all(), type: "application/json", fields: vary)
        },
    ]

    private static func compressed(
        _ request: DemoRequest, coding: String, in frame: Zlib.Frame, fields: [Field] = []
    ) throws -> Reply {
        let size = max(People.minimumSize, try request.size("size", default: 10_000, atMost: 10_000_000))
        return .bytes(
            Deflater.whole(People(size: size).all(), in: frame), type: "application/json",
            fields: [Field("Content-Encoding", coding)] + fields)
    }

    private static func bytesReply(_ request: DemoRequest) throws -> Reply {
        let count = try request.size("count", default: 1000)
        let seed = UInt64(try request.count("seed", default: 1, in: 0...Int.max))
        var range = 0..<count
        var fields = [Field("Accept-Ranges", "bytes")]
        if let text = request.head["range"] {
            guard let asked = ByteRange.parse(text, of: count) else {
                return .problem(
                    416, "\(text) is not a range of these \(count) bytes.", fields: [Field("Content-Range", "bytes */\(count)")])
            }
            range = asked
            fields.append(Field("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"))
        }
        let part = range
        var reply = Reply.stream(type: "application/octet-stream", length: part.count, fields: fields) { writer in
            var start = part.lowerBound
            while start < part.upperBound {
                let end = min(part.upperBound, start + 1 << 16)
                try await writer.write(Noise.bytes(start..<end, seed: seed))
                start = end
            }
        }
        if part.count != count { reply.status = 206 }
        return reply
    }
}
