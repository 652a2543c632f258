package import Base

// What other programs write lacks what the format calls optional, and at times what it doesn't. All that can be done without is
// read as the format says that what isn't known is written: −1, an empty list, an empty text.

extension HARDocument {
    /// What a file has in it; with a byte order mark, too.
    ///
    /// - Throws: `DecodingError` for what is no JSON, and for an entry without a method, a URL or a status.
    package init(json: Data) throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        self = try JSONDecoder().decode(HARDocument.self, from: json.starts(with: mark) ? json.dropFirst(mark.count) : json)
    }
}

extension HARDocument.Log {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        version = try members.text("version") ?? "1.2"
        creator = try members.decodeIfPresent(HARDocument.Creator.self, forKey: "creator") ?? .init(name: "", version: "")
        entries = try members.decode([HARDocument.Entry].self, forKey: "entries")
    }
}

extension HARDocument.Creator {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        name = try members.text("name") ?? ""
        version = try members.text("version") ?? ""
    }
}

extension HARDocument.Entry {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        startedDateTime = try members.text("startedDateTime") ?? ""
        time = try members.number("time") ?? -1
        request = try members.decode(HARDocument.Request.self, forKey: "request")
        response = try members.decode(HARDocument.Response.self, forKey: "response")
        timings = try members.decodeIfPresent(HARDocument.Timings.self, forKey: "timings") ?? .init()
        serverIPAddress = try members.text("serverIPAddress")
        connection = try members.text("connection")
        comment = try members.text("comment")
        _kind = try members.text("_kind")
        _error = try members.text("_error")
    }
}

extension HARDocument.Request {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        method = try members.decode(String.self, forKey: "method")
        url = try members.decode(String.self, forKey: "url")
        httpVersion = try members.text("httpVersion") ?? ""
        cookies = try members.decodeIfPresent([HARDocument.Cookie].self, forKey: "cookies") ?? []
        headers = try members.decodeIfPresent([HARDocument.Field].self, forKey: "headers") ?? []
        queryString = try members.decodeIfPresent([HARDocument.Field].self, forKey: "queryString") ?? []
        postData = try members.decodeIfPresent(HARDocument.PostData.self, forKey: "postData")
        headersSize = try members.count("headersSize") ?? -1
        bodySize = try members.count("bodySize") ?? -1
    }
}

extension HARDocument.Response {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        status = try members.decode(Int.self, forKey: "status")
        statusText = try members.text("statusText") ?? ""
        httpVersion = try members.text("httpVersion") ?? ""
        cookies = try members.decodeIfPresent([HARDocument.Cookie].self, forKey: "cookies") ?? []
        headers = try members.decodeIfPresent([HARDocument.Field].self, forKey: "headers") ?? []
        content = try members.decodeIfPresent(HARDocument.Content.self, forKey: "content") ?? .init(size: 0, mimeType: "")
        redirectURL = try members.text("redirectURL") ?? ""
        headersSize = try members.count("headersSize") ?? -1
        bodySize = try members.count("bodySize") ?? -1
    }
}

extension HARDocument.Field {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        name = try members.decode(String.self, forKey: "name")
        // A parameter that is a file has none.
        value = try members.text("value") ?? ""
        fileName = try members.text("fileName")
        contentType = try members.text("contentType")
    }
}

extension HARDocument.PostData {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        mimeType = try members.text("mimeType") ?? ""
        params = try members.decodeIfPresent([HARDocument.Field].self, forKey: "params") ?? []
        text = try members.text("text") ?? ""
        comment = try members.text("comment")
    }
}

extension HARDocument.Content {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        size = try members.count("size") ?? -1
        compression = try members.count("compression")
        mimeType = try members.text("mimeType") ?? ""
        text = try members.text("text")
        encoding = try members.text("encoding")
        comment = try members.text("comment")
    }
}

extension HARDocument.Timings {
    /// Timings of which nothing is known.
    fileprivate init() {
        self.init(blocked: -1, dns: -1, connect: -1, send: -1, wait: -1, receive: -1, ssl: -1)
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: Member.self)
        for (name, place) in [
            ("blocked", \Self.blocked), ("dns", \.dns), ("connect", \.connect), ("send", \.send), ("wait", \.wait),
            ("receive", \.receive), ("ssl", \.ssl),
        ] {
            self[keyPath: place] = try members.number(name) ?? -1
        }
    }
}

/// A member's name, as it stands in the file.
private struct Member: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<Member> {
    /// A number is taken as its digits: some write a connection's so.
    fileprivate func text(_ name: String) throws -> String? {
        let key = Member(stringValue: name)
        if let number = try? decodeIfPresent(Int64.self, forKey: key) { return String(number) }
        return try decodeIfPresent(String.self, forKey: key)
    }

    fileprivate func number(_ name: String) throws -> Double? {
        try decodeIfPresent(Double.self, forKey: Member(stringValue: name))
    }

    /// Some write numbers of bytes with a fraction.
    fileprivate func count(_ name: String) throws -> Int64? {
        try number(name).flatMap { Int64(exactly: $0.rounded()) }
    }
}
