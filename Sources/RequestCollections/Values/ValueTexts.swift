import Base
import NetworkLayer
import Zlib

/// Addresses as texts.
enum AddressText {
    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}

/// Texts of HTML.
enum HTMLText {
    private static let names: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®", "trade": "™",
        "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "sect": "§", "deg": "°", "plusmn": "±", "times": "×", "middot": "·",
        "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«",
        "raquo": "»", "bull": "•", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
        "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
    ]

    /// Without its `&amp;`, `&#39;` and `&#x26;`; what isn't known stays.
    static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            let name = rest.dropFirst().prefix(32).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
            let end = rest.dropFirst(1 + name.count)
            if let found = character(name), end.first == ";" || name.hasPrefix("#") {
                result += found
                rest = end.first == ";" ? end.dropFirst() : end
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#") else { return names[String(name)] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let number = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10), number > 0 else {
            return nil
        }
        return Unicode.Scalar(number).map { String(Character($0)) } ?? "\u{FFFD}"
    }
}

/// The header field `link` (RFC 8288): `</orders?page=2>; rel="next", </orders?page=9>; rel="last"`
enum LinkField {
    /// Where the first link of a relation leads, as it is written; `nil` without one.
    ///
    /// - Parameter fields: all of the name.
    static func target(of relation: String, in fields: [String]) -> String? {
        for field in fields {
            var rest = field[...].unicodeScalars
            while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
                let target = String(rest[rest.index(after: start)..<end])
                rest = rest[rest.index(after: end)...]
                let parameters = parameters(&rest)
                // Where there are several the first counts, and it may have several words.
                guard let relations = parameters.first(where: { $0.name == "rel" })?.value else { continue }
                if relations.lowercased().split(separator: " ").contains(where: { $0 == relation.lowercased() }) { return target }
            }
        }
        return nil
    }

    /// Those of one link, up to the comma behind it: a text in quotes may have one in it.
    private static func parameters(_ rest: inout Substring.UnicodeScalarView) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        var name = ""
        var value: String?
        var isQuoted = false
        func end() {
            let key = String(name[...].trimmed).lowercased()
            if !key.isEmpty { parameters.append((key, String((value ?? "")[...].trimmed))) }
            (name, value) = ("", nil)
        }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": isQuoted.toggle()
            case "\\" where isQuoted: if let next = rest.popFirst() { value?.unicodeScalars.append(next) }
            case _ where isQuoted: value?.unicodeScalars.append(scalar)
            case ",":
                end()
                return parameters
            case ";": end()
            case "=" where value == nil: value = ""
            default:
                if value == nil { name.unicodeScalars.append(scalar) } else { value?.unicodeScalars.append(scalar) }
            }
        }
        end()
        return parameters
    }
}

/// What a `set-cookie` field says of a cookie (RFC 6265, section 4.1.2, and RFC 6265bis).
package enum CookieAttribute: String, Hashable, Sendable, Codable, CaseIterable {
    case path, domain, secure, expires
    case httpOnly = "http-only"
    case sameSite = "same-site"
    case maxAge = "max-age"

    var kind: MatcherKind { self == .maxAge ? .duration : .text }

    var doc: String {
        switch self {
        case .path, .domain: "Where it is sent."
        case .secure: "`true` when it is sent by TLS alone."
        case .expires: "A date."
        case .httpOnly: "`true` when no script sees it."
        case .sameSite: "`Strict`, `Lax` or `None`."
        case .maxAge: "How long it lives."
        }
    }

    /// As the field names it, in small letters.
    private var fieldName: String {
        switch self {
        case .httpOnly: "httponly"
        case .sameSite: "samesite"
        default: rawValue
        }
    }

    /// - Parameter line: a field's value. Of several attributes of a name the last counts.
    func value(in line: String) -> JSONValue? {
        let parts = line.split(separator: ";", omittingEmptySubsequences: false).dropFirst().map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0.trimmed) }
        }
        let found = parts.last { $0[0].lowercased() == fieldName }
        switch self {
        case .secure, .httpOnly: return .boolean(found != nil)
        case .maxAge:
            guard let text = found?.dropFirst().first, let seconds = Int64(text) else { return nil }
            return .string(seconds <= 0 ? "0s" : DurationText.format(.seconds(seconds)))
        case .expires:
            // Some write it with dashes.
            guard let text = found?.dropFirst().first else { return nil }
            let date = DateText.parse(text) ?? DateText.parse(text.replacing(scalars: "-", with: " "))
            return .string(date.map(DateText.format) ?? text)
        case .path, .domain, .sameSite: return found?.dropFirst().first.map(JSONValue.string)
        }
    }
}

/// Why bytes can't be what they were before gzip compressed them.
struct GzipError: Error, Hashable, Sendable {
    /// What goes on behind `gunzip`.
    var message: String
}

/// The format of gzip (RFC 1952).
enum Gzip {
    /// A few bytes may stand for a thousand times as many: more than these are refused.
    static let mostBytes = 64 << 20

    /// All members, one after the other.
    static func plain(_ data: Data, limit: Int = mostBytes) throws(GzipError) -> Data {
        let bytes = [UInt8](data)
        var plain: [UInt8] = []
        var place = 0
        repeat {
            guard bytes[place...].starts(with: [0x1F, 0x8B, 8]) else {
                throw GzipError(
                    message: place == 0 ? "takes bytes in that format, and these are none" : "found other bytes behind the end")
            }
            let member = Inflated(bytes[place...], in: .gzip, limit: limit - plain.count)
            switch member.end {
            case .whole: break
            case .cut: throw GzipError(message: "comes to no end: some of the bytes are missing")
            case .full: throw GzipError(message: "would make more than \(limit >> 20) MiB")
            case .wrongChecksum: throw GzipError(message: "found a wrong checksum: some of the bytes have changed")
            case .broken: throw GzipError(message: "found bytes that are no compressed data")
            }
            plain += member.bytes
            place += member.consumed
            // Zeros behind the end fill up a block of a tape or disk, and say nothing.
        } while !bytes[place...].allSatisfy { $0 == 0 }
        return Data(plain)
    }
}
