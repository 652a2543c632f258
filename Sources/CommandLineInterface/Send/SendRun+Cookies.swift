import Base
import HTTPTypes
import NetworkLayer

extension SendRun {
    /// In memory, filled from the files of `-b`. One that isn't there yet is an empty one, so that `-b jar -c jar` works from the start.
    func readCookies() throws {
        for path in arguments.cookieFiles where FilePaths.exists(path) && session.reads(cookieFile: path) {
            let text = try InputFiles(standardInput: context.standardInput).text(path)
            var read = CookieJar(netscape: text, at: Date())
            // curl takes the fields of an answer, too: here they are this origin's.
            read.receive(Self.setCookieFields(text), from: plan.request.url, at: Date())
            session.jars.edit(plan.configuration.cookies.jar) { jar in
                for cookie in read.cookies where cookie.expires != nil || !arguments.dropsSessionCookies { jar.set(cookie) }
            }
        }
    }

    private static func setCookieFields(_ text: String) -> HTTPFields {
        var fields = HTTPFields()
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard fields.count < HTTPFields.limit else { break }
            guard parts.count == 2, parts[0].lowercased() == "set-cookie" else { continue }
            fields.append(HTTPField(name: .setCookie, value: String(parts[1].drop { $0 == " " })))
        }
        return fields
    }
}
