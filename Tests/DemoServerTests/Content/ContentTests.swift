import Foundation
import Testing

@testable import DemoServer

@Suite struct ContentTests {
    @Test(arguments: [People.minimumSize, 100, 1000, 65_536, 65_537, 1_000_000])
    func `people are valid JSON of exactly that size`(size: Int) throws {
        let bytes = People(size: size).all()
        #expect(bytes.count == size)
        let people = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
        #expect(people.last?["id"] as? Int == -1)
        #expect(people.dropLast().enumerated().allSatisfy { $0.offset == $0.element["id"] as? Int })
    }

    @Test func `noise is the same however it is cut`() {
        let whole = Noise.bytes(0..<100, seed: 1)
        #expect(Noise.bytes(0..<13, seed: 1) + Noise.bytes(13..<100, seed: 1) == whole)
        #expect(Noise.bytes(0..<100, seed: 2) != whole)
    }

    @Test func `JSON is written with its members in order and every control character escaped`() {
        let value: JSON = ["b": [1, true, nil], "a": ["x": .string("\"\\\n\u{1B}é\u{7F}")], "empty": [:]]
        #expect(
            value.text == """
                {
                  "b": [
                    1,
                    true,
                    null
                  ],
                  "a": {
                    "x": "\\"\\\\\\n\\u001bé\\u007f"
                  },
                  "empty": {}
                }

                """)
    }

    @Test func `a name that occurs twice has a list, in the place of the first`() {
        let grouped = JSON.grouped([Field("a", "1"), Field("b", "2"), Field("a", "3")])
        #expect(grouped == ["a": ["1", "3"], "b": "2"])
    }

    @Test func `the parts of a form`() {
        let body =
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.bin\"\r\nContent-Type: image/png\r\n\r\n\u{0}\r\n\r\n\r\n--B--\r\n"
        let parts = Multipart.parts(of: Array(body.utf8), type: "multipart/form-data; boundary=B")
        #expect(
            parts?.map(\.description) == [
                ["name": "a", "bytes": 1, "text": "1"],
                ["name": "f", "filename": "x.bin", "type": "image/png", "bytes": 5, "text": "\u{0}\r\n\r\n"],
            ])
    }
}
