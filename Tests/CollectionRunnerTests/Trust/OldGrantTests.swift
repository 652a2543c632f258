import FoundationEssentials
import RequestCollections
import Testing

/// What was kept by earlier versions: of nine kinds, files in a map, and before that without a use.
@Suite struct `Grants of earlier versions` {
    @Test(arguments: [
        #"{"kind":"env","name":"DEPLOY"}"#, #"{"kind":"read","path":"/home/ada/key.pem"}"#,
        #"{"kind":"run","argv":["pass","show"]}"#,
        #"{"kind":"send","secret":"token","origin":"https://api.example.com"}"#,
        #"{"kind":"env","name":"DEPLOY","use":"unheard-of"}"#, #"{"kind":"carry","from":"http://10.0.0.1","to":"http://a.test"}"#,
        #"{"kind":"run","argv":["sh","x.sh"],"files":{"x.sh":"6b86"},"use":"text"}"#,
        #"{"kind":"route","way":"proxy","value":"http://p.test"}"#,
    ])
    func `are asked for again where they aren't simple`(text: String) throws {
        #expect((try? JSONDecoder().decode(WantRecord.self, from: Data(text.utf8)))?.want == nil)
    }

    @Test(arguments: [
        (#"{"kind":"run","argv":["pass","show"],"use":"secret"}"#, Want.run(CommandWant(["pass", "show"], for: .secret))),
        (#"{"kind":"env","name":"A","use":"text","purpose":"x"}"#, .env(name: "A")),
        (#"{"kind":"send","secret":"t","of":"","origin":"http://a"}"#, .send(secret: "t", origin: "http://a")),
        (#"{"kind":"write","path":"/a/"}"#, .write(path: "/a/")),
    ])
    func `are taken over where they are`(text: String, want: Want) throws {
        #expect(try JSONDecoder().decode(WantRecord.self, from: Data(text.utf8)).want == want)
    }
}
