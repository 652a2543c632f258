import FoundationEssentials
import NetworkLayer
import Presentation
import TerminalUI
import Testing

/// A stream is taken apart while it comes.
@Suite struct StreamReaderTests {
    private func read(
        _ reader: inout StreamReader, _ text: String, _ arrivals: [BodyArrival] = [], isWhole: Bool = false
    ) -> [StreamRecord] {
        reader.read(BodyBytes(Data(text.utf8)), arrivals: arrivals, isWhole: isWhole, limit: 100) { $0 }
    }

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func `an event is there with its empty line, and has the time at which that came`() {
        var reader = StreamReader(.eventStream)
        let first = "retry: 10\n\nid: 1\nevent: tick\ndata: {\"a\":1}\n"
        #expect(read(&reader, first) == [])
        let second = first + "\n: a comment\n\ndata: two\r\ndata: lines\r\n\r\ndata: unfin"
        let arrivals = [
            BodyArrival(end: first.utf8.count, time: time(1)), BodyArrival(end: first.utf8.count + 3, time: time(5)),
            BodyArrival(end: second.utf8.count, time: time(9)),
        ]
        #expect(
            read(&reader, second, arrivals) == [
                StreamRecord(1, arrived: time(5), kind: "tick", id: "1", data: #"{"a":1}"#),
                StreamRecord(2, arrived: time(9), kind: "message", id: "1", data: "two\nlines"),
            ])
        #expect(read(&reader, second, arrivals) == [])
        #expect(read(&reader, second + "ished\n\n", arrivals) == [StreamRecord(3, kind: "message", id: "1", data: "unfinished")])
        // What has no empty line behind it is no event, at the end either.
        #expect(read(&reader, second + "ished\n\ndata: lost\n", isWhole: true) == [])
    }

    @Test(arguments: [1, 2, 3, 5, 1000])
    func `a line may end in a return, in a feed or in both, wherever it is cut`(piece: Int) {
        let bytes = Array("event: a\rdata: one\r\rdata: two\r\n\r\ndata: b\rdata: c\ndata: d\r\n\rdata: three\n\n".utf8)
        var reader = StreamReader(.eventStream)
        var found: [String] = []
        for end in stride(from: piece, to: bytes.count + piece, by: piece) {
            let part = BodyBytes(Data(bytes.prefix(end)))
            found += reader.read(part, arrivals: [], isWhole: end >= bytes.count, limit: 100) { $0 }.map(\.data)
        }
        #expect(found == ["one", "two", "b\nc\nd", "three"])
    }

    @Test func `what has no empty line behind it is counted, and comments are not`() {
        var reader = StreamReader(.eventStream)
        #expect(read(&reader, "data: one\n\n: comment\n", isWhole: true).count == 1)
        #expect(reader.unended == 0)
        reader = StreamReader(.eventStream)
        #expect(read(&reader, "data: one\n\ndata: lost\n", isWhole: true).count == 1)
        #expect(reader.unended == 10)
    }

    @Test func `lines of a session say which way, when, and what went through it, without secrets in any form`() {
        var reader = StreamReader(.jsonLines, sessionOpened: time(1_000))
        let lines = """
            {"direction":"sent","kind":"text","text":"a \\"s3cret\\"","time":0.001,"size":10}
            {"direction":"received","kind":"binary","base64":"AAH/","time":0.5,"size":3}
            {"direction":"received","kind":"binary","base64":"czNjcmV0","time":0.5,"size":6}
            {"kind":"omitted","count":7}
            {"direction":"received","kind":"close","text":"enough","time":1.5,"size":8,"code":4001}
            {"direction":"sent","kind":"close","text":"","time":1e300,"size":0,"code":1005}

            """
        let records = reader.read(next: Data(lines.utf8), from: 41) { $0.replacing("s3cret", with: "••••••") }
        #expect(records.map(\.number) == Array(41...46))
        #expect(
            records.map(\.data) == [
                "a \"••••••\"", "00 01 ff", "••••••", "7 entries aren't kept", "4001 enough", "without a code",
            ])
        #expect(records.map(\.kind) == ["text", "binary", "binary", "omitted", "close", "close"])
        #expect(records[0].passage == .init(isSent: true, size: 10) && records[3].passage == nil)
        #expect(records.prefix(2).map(\.arrived) == [time(1_001), time(1_500)])
        let next = reader.read(next: Data("no JSON s3cret\n".utf8), from: 90) { $0.replacing("s3cret", with: "••••••") }
        #expect(next == [StreamRecord(90, data: "no JSON ••••••")])
    }

    @Test func `a mark of UTF-8 and blank lines are no part of the lines of JSON`() {
        var reader = StreamReader(.jsonLines)
        #expect(read(&reader, "\u{FEFF}{\"a\":1}\n \t\n\r\n{\"b\":2}\r\n").map(\.data) == [#"{"a":1}"#, #"{"b":2}"#])
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `however it is cut, the same comes out`(piece: Int) {
        let text = "\u{FEFF}data: one\n\n\n: c\n\nevent: x\ndata:two\n\ndata\n\nid: é\ndata: ünï\n\n"
        var whole = StreamReader(.eventStream)
        let expected = read(&whole, text, isWhole: true).map(\.data)
        #expect(expected == ["one", "two", "", "ünï"])
        var reader = StreamReader(.eventStream)
        var found: [String] = []
        let bytes = Array(text.utf8)
        for end in stride(from: piece, to: bytes.count + piece, by: piece) {
            let part = BodyBytes(Data(bytes.prefix(end)))
            found += reader.read(part, arrivals: [], isWhole: end >= bytes.count, limit: 100) { $0 }.map(\.data)
        }
        #expect(found == expected)
    }

    @Test func `a line of JSON is a record, and the last one needs no end`() {
        var reader = StreamReader(.jsonLines)
        #expect(read(&reader, "{\"a\":1}\n\n\u{1E}[2]\r\n3").map(\.data) == [#"{"a":1}"#, "[2]"])
        #expect(read(&reader, "{\"a\":1}\n\n\u{1E}[2]\r\n3", isWhole: true) == [StreamRecord(3, data: "3")])
    }

    @Test func `what nobody may see is masked`() {
        var reader = StreamReader(.eventStream)
        let records = reader.read(
            BodyBytes(Data("data: token\n\n".utf8)), arrivals: [], isWhole: false, limit: 10
        ) { $0.replacing("token", with: "••••") }
        #expect(records.map(\.data) == ["••••"])
    }

    @Test func `a stream of many megabytes is gone through once`() {
        var reader = StreamReader(.jsonLines)
        let line = #"{"level":"info","text":"a line of a log that is neither short nor long"}"# + "\n"
        var count = 0
        let bytes = BodyBytes(Data(String(repeating: line, count: 20_000).utf8))
        while true {
            let records = reader.read(bytes, arrivals: [], isWhole: true, limit: 5_000) { $0 }
            count += records.count
            if records.count < 5_000 { break }
        }
        #expect(count == 20_000)
    }

    @Test(arguments: [
        (
            #"{"level":"error","user":{"id":7,"name":"a,b"},"tags":["x"],"none":{},"took":118}"#,
            #"{"level":"error","user":{…2},"tags":[…1],"none":{},"took":118}"#
        ),
        ("plain\ttext", "plain␉text"), ("", ""), ("[1, {\"a\": [2, 3]}]", "[1,{…1}]"), (#"{"cut":"in a str"#, #"{"cut":"in a str"#),
        (#"{"open":{"a":[1,"#, #"{"open":{…}"#), ("{oops", "{oops"), ("\"text\"", "\"text\""),
    ])
    func `a value is seen in one line`(value: String, line: String) {
        #expect(JSONGlance.line(value, columns: 200).text == line)
    }

    @Test func `of a long value no more is looked at than is seen`() {
        let value = "[" + String(repeating: "123456789,", count: 100_000) + "0]"
        #expect(JSONGlance.line(value, columns: 80).text.utf8.count < 200)
    }

    @Test(arguments: [
        #"{"a":"x"#, #"{"a":"x\"#, #"{"a":1"#, #"{"a":tr"#, #"{"a""#, #"{"a"#, "{", #"{"a":"x","#, #"[1,[2"#, "", #"{"a":-"#,
    ])
    func `JSON of which more comes has no complaint at its end`(part: String) {
        let document = BodyDocument(BodyBytes(Data(part.utf8)), contentType: "application/json", isPartial: true)
        document.extendIndexToEnd()
        #expect(document.failure == nil)
        let lines = document.lines(0..<document.lineCount.lines, columns: 0..<80).map(\.text)
        #expect(!lines.contains { $0.contains("not valid") })
    }

    @Test func `what is wrong in its middle is told while more comes`() {
        let document = BodyDocument(
            BodyBytes(Data(#"{"a":oops,"b":1,"c":"#.utf8)), contentType: "application/json", isPartial: true)
        document.extendIndexToEnd()
        #expect(document.failure != nil)
    }
}
