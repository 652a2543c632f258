package import Base

/// A jar in the form of Netscape's `cookies.txt`, which curl, wget and browsers' extensions read.
///
///     # Netscape HTTP Cookie File
///     .example.org	TRUE	/	TRUE	1795208400	session	abc
///     # SameSite=lax
///     #HttpOnly_example.org	FALSE	/	FALSE	0	theme	dark
///
/// The fields: domain, whether names below it match, path, whether https only, seconds since 1970 or 0 for a session, name, value.
/// The form knows no `SameSite`: a comment before the line says it, which other programs pass over.
enum CookieFile {
    private static let header =
        "# Netscape HTTP Cookie File\n# Written by turnstone. Keep it to yourself: it opens your sessions.\n"
    private static let sameSiteMark = "# SameSite="
    private static let httpOnlyMark = "#HttpOnly_"

    static func text(_ jar: CookieJar) -> String {
        jar.cookies.reduce(into: header) { text, cookie in
            guard [cookie.name, cookie.value, cookie.domain, cookie.path].allSatisfy(isHeld) else { return }
            if cookie.sameSite != .unspecified { text += "\(sameSiteMark)\(cookie.sameSite.rawValue)\n" }
            if cookie.isHTTPOnly { text += httpOnlyMark }
            // One that began with # would be a comment; no host does.
            // An address has no names below it.
            let isAlone = cookie.isHostOnly || Cookie.isAddress(cookie.domain)
            let fields = [
                isAlone ? cookie.domain : ".\(cookie.domain)", isAlone ? "FALSE" : "TRUE", cookie.path,
                cookie.isSecure ? "TRUE" : "FALSE", seconds(cookie.expires), cookie.name, cookie.value,
            ]
            text += fields.joined(separator: "\t") + "\n"
        }
    }

    /// Whether a field can hold the text: a tab would end it, and a line end all of them.
    private static func isHeld(_ text: String) -> Bool {
        !text.utf8.contains { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    /// What can't be read is passed over, line by line.
    ///
    /// Only a line feed ends a line: what else Unicode takes for one may come in a cookie, and begin a line of another site.
    ///
    /// - Parameter now: becomes the time at which the cookies were made, which the form doesn't know; their order stays.
    static func parse(_ text: String, at now: Date) -> CookieJar {
        var jar = CookieJar()
        var sameSite = Cookie.SameSite.unspecified
        for bytes in text.utf8.split(separator: 0x0A) {
            let line = Substring(bytes.last == 0x0D ? bytes.dropLast() : bytes)
            if line.isEmpty { continue }
            if line.begins(with: sameSiteMark) {
                sameSite =
                    Cookie.SameSite(
                        rawValue: Substring(line.unicodeScalars.dropFirst(sameSiteMark.unicodeScalars.count)).lowercased())
                    ?? .unspecified
                continue
            }
            if var cookie = cookie(line, at: now), !cookie.isExpired(at: now) {
                cookie.sameSite = sameSite
                jar.set(cookie)
            }
            sameSite = .unspecified
        }
        return jar
    }

    private static func cookie(_ line: Substring, at now: Date) -> Cookie? {
        let isHTTPOnly = line.begins(with: httpOnlyMark)
        let line = isHTTPOnly ? Substring(line.unicodeScalars.dropFirst(httpOnlyMark.unicodeScalars.count)) : line
        guard !line.begins(with: "#") else { return nil }
        let fields = line.pieces(at: "\t")
        // A value that is empty may have lost its tab in an editor.
        guard fields.count == 7 || fields.count == 6, fields[2].begins(with: "/"), let seconds = Double(fields[4]),
            seconds.isFinite
        else { return nil }
        let domain = fields[0].begins(with: ".") ? Substring(fields[0].unicodeScalars.dropFirst()) : fields[0]
        // With another dot it would be written as one that has lost the first, and with a # as a comment.
        guard !domain.isEmpty, !domain.begins(with: "."), !domain.begins(with: "#") else { return nil }
        return Cookie(
            name: String(fields[5]), value: fields.count == 7 ? String(fields[6]) : "", domain: domain.lowercased(),
            path: String(fields[2]), expires: seconds == 0 ? nil : Date(timeIntervalSince1970: min(seconds, latest)),
            isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly, isHostOnly: fields[1].uppercased() != "TRUE",
            created: now)
    }

    private static func seconds(_ date: Date?) -> String {
        guard let date else { return "0" }
        // 0 would mean a session.
        return String(Int64(max(1, min(date.timeIntervalSince1970, latest))))
    }

    /// The end of the year 9999: a file may say anything.
    private static let latest = 253_402_300_799.0
}

extension CookieJar {
    /// From the text of a `cookies.txt`, as curl, wget and browsers' extensions write it. A line that can't be read is passed over.
    ///
    /// - Parameter now: becomes the time at which the cookies were made, which the form doesn't know; their order stays.
    package init(netscape text: String, at now: Date) {
        self = CookieFile.parse(text, at: now)
    }

    /// The text of a `cookies.txt`. It opens sessions: whoever writes it down keeps it to its owner.
    package var netscape: String { CookieFile.text(self) }
}
