import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

@Suite struct CookieJarsTests {
    let directory: TemporaryDirectory
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws { directory = try TemporaryDirectory() }

    var cookies: [Cookie] {
        [
            Cookie(
                name: "session", value: "a=b", domain: "example.org", expires: Date(timeIntervalSince1970: 4_000_000_000),
                isSecure: true, isHostOnly: false, created: now),
            Cookie(
                name: "theme", value: "dark", domain: "shop.example.org", path: "/p", isHTTPOnly: true, sameSite: .strict,
                created: now),
            Cookie(name: "empty", value: "", domain: "example.org", created: now),
        ]
    }

    static let text = """
        # Netscape HTTP Cookie File
        # Written by turnstone. Keep it to yourself: it opens your sessions.
        .example.org\tTRUE\t/\tTRUE\t4000000000\tsession\ta=b
        # SameSite=strict
        #HttpOnly_shop.example.org\tFALSE\t/p\tFALSE\t0\ttheme\tdark
        example.org\tFALSE\t/\tFALSE\t0\tempty\t

        """

    @Test func `ckisto a jar is a file that curl reads`() {
        #expect(CookieFile.text(CookieJar(cookies)) == Self.text)
        #expect(CookieFile.parse(Self.text, at: now) == CookieJar(cookies))
    }

    @Test func `ckisto lines that can't be read are passed over`() {
        let text =
            "nonsense\n\na\tTRUE\t/\tTRUE\tx\tn\tv\na.test\tFALSE\tp\tFALSE\t0\tn\tv\r\n..a.test\tTRUE\t/\tFALSE\t0\tn\tv\n.b.test\tTRUE\t/\tFALSE\t0\tlost\n"
        #expect(
            CookieFile.parse(text, at: now).cookies == [
                Cookie(name: "lost", value: "", domain: "b.test", isHostOnly: false, created: now)
            ])
    }

    /// A line separator of Unicode is none of the file's, and a tab in a path would be one of its.
    @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}"])
    func `ckisto no answer writes a line of another site into the file`(separator: String) throws {
        var jar = CookieJar()
        let url = try #require(URL(string: "http://evil.test/x"))
        jar.receive([.setCookie: "a=1; Path=/x\(separator).victim.test\tTRUE\t/"], from: url, at: now)
        jar.receive([.setCookie: "b=2\(separator)3; Path=/\(separator)x"], from: url, at: now)
        let again = CookieFile.parse(CookieFile.text(jar), at: now)
        #expect(again == jar)
        #expect(again.cookies.map(\.name) == ["b"])
    }

    @Test func `ckisto a cookie that no line can hold isn't written`() {
        let cookies = ["a\nb", "a\tb", "a\r\nb"].map { Cookie(name: "n", value: $0, domain: "a.test", created: now) }
        let paths = ["/\n", "/\t"].map { Cookie(name: "n", value: "v", domain: "a.test", path: $0, created: now) }
        for cookie in cookies + paths { #expect(CookieFile.text(CookieJar([cookie])) == CookieFile.text(CookieJar())) }
    }

    @Test func `ckisto each jar has a file of its own, saved in one step, for its user alone`() throws {
        let path = directory.path + "/deep/jars"
        let jars = CookieJars(directory: path)
        jars.edit("default") { jar in cookies.forEach { jar.set($0) } }
        jars.edit("a/b é") { $0.set(cookies[0]) }
        try jars.save()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [
                "a%2Fb%20%C3%A9.cookies.txt", "a%2Fb%20%C3%A9.cookies.txt.lock", "default.cookies.txt", "default.cookies.txt.lock",
            ])
        #expect(try Data(contentsOf: URL(filePath: path + "/default.cookies.txt")) == Data(Self.text.utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: path + "/default.cookies.txt")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = CookieJars(directory: path)
        #expect(again.names == ["a/b é", "default"])
        #expect(again["default"].cookies.map(\.identity) == cookies.map(\.identity))
        #expect(again["none"] == CookieJar())
        again.edit("default") { $0.removeAll() }
        try again.save()
        #expect(CookieJars(directory: path)["default"] == CookieJar())
    }

    @Test func `ckisto of two who save one jar neither loses what the other did`() throws {
        let (left, right) = (CookieJars(directory: directory.path), CookieJars(directory: directory.path))
        left.edit("default") { jar in cookies.prefix(2).forEach { jar.set($0) } }
        try left.save()
        #expect(right["default"].cookies.map(\.name) == ["session", "theme"])
        left.edit("default") { $0.removeAll(of: "shop.example.org") }
        right.edit("default") { $0.set(cookies[2]) }
        try left.save()
        try right.save()
        #expect(CookieJars(directory: directory.path)["default"].cookies.map(\.name) == ["session", "empty"])
        var renewed = cookies[0]
        renewed.value = "c"
        left.edit("default") { $0.set(renewed) }
        try left.save()
        right.edit("default") { $0.removeAll(of: "none.test") }
        try right.save()
        #expect(CookieJars(directory: directory.path)["default"].cookies.map(\.value) == ["c", ""])
    }

    @Test func `ckisto a jar that can't be read is left alone, and says so`() throws {
        let path = directory.path + "/default.cookies.txt"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let jars = CookieJars(directory: directory.path)
        jars.edit("default") { $0.set(cookies[0]) }
        try jars.save()
        #expect(jars["default"].cookies.count == 1)
        #expect(jars.problem?.message == "\(path) can't be read: Is a directory.")
        #expect(directory.files == ["default.cookies.txt"])
    }

    @Test func `ckisto without a directory nothing is saved`() throws {
        let jars = CookieJars()
        jars.edit("default") { $0.set(cookies[0]) }
        try jars.save()
        #expect(jars.names == ["default"])
        #expect(jars.problem == nil)
    }
}
