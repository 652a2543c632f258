import FoundationEssentials
import RequestCollections
import Testing

/// What was allowed before a want said what it is for: a key for TLS, a variable for a secret.
@Suite struct `Grants without a use` {
    @Test(arguments: [
        #"{"kind":"env","name":"DEPLOY"}"#, #"{"kind":"read","path":"/home/ada/key.pem"}"#,
        #"{"kind":"run","argv":["pass","show"]}"#,
        #"{"kind":"send","secret":"token","origin":"https://api.example.com"}"#,
        #"{"kind":"env","name":"DEPLOY","use":"unheard-of"}"#,
    ])
    func `allow nothing, and are asked for again`(text: String) throws {
        #expect(try JSONDecoder().decode(WantRecord.self, from: Data(text.utf8)).want == nil)
    }

    @Test func `have another hash than the same want as a text`() throws {
        let new = try JSONEncoder().encode(WantRecord(.env(name: "DEPLOY", for: .text)))
        #expect(String(decoding: new, as: UTF8.self).contains(#""use":"text""#))
    }
}
