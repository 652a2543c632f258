import Foundation
import NetworkLayer
import RequestCollections
import Testing
import WebSockets

@testable import CollectionRunner

@Suite struct SessionRecordTests {
    private static func entry(
        _ number: Int, _ content: WebSocket.Entry.Content, _ direction: WebSocket.Entry.Direction = .received
    ) -> WebSocket.Entry {
        WebSocket.Entry(
            number: number, direction: direction, content: content, time: MonotonicTime(nanoseconds: Int64(number) * 1_000_000))
    }

    private static func lines(_ record: SessionRecord) -> [String] {
        String(decoding: record.lines(hiding: Redactor()), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `each entry is a line of JSON`() {
        var record = SessionRecord(opened: .zero)
        record.add(Self.entry(1, .message(.text("a \"b\"")), .sent))
        record.add(Self.entry(20, .message(.binary(Data([0, 1, 2])))))
        record.add(Self.entry(1500, .close(code: 4001, reason: "enough")))
        #expect(
            Self.lines(record).map { JSONParser.parse($0)?.text(pretty: false) } == [
                #"{"direction":"sent","kind":"text","text":"a \"b\"","time":0.001,"size":5}"#,
                #"{"direction":"received","kind":"binary","base64":"AAEC","time":0.02,"size":3}"#,
                #"{"direction":"received","kind":"close","text":"enough","time":1.5,"size":8,"code":4001}"#,
            ])
        #expect(record.received == [.binary(Data([0, 1, 2]))])
    }

    @Test func `of many the first and the last are kept, and the number of the others`() {
        var record = SessionRecord(opened: .zero)
        for number in 1...1234 { record.add(Self.entry(number, .message(.text("\(number)")))) }
        let lines = Self.lines(record)
        #expect(lines.count == 1001)
        #expect(lines[499].contains("\"500\"") && lines[501].contains("\"735\"") && lines[1000].contains("\"1234\""))
        #expect(lines[500] == #"{"kind":"omitted","count":234}"#)
    }

    @Test func `of long ones a MiB is kept, and the last one however long it is`() {
        var record = SessionRecord(opened: .zero)
        let long = String(repeating: "x", count: 300 << 10)
        for number in 1...5 { record.add(Self.entry(number, .message(.text(long)))) }
        #expect(record.received.count == 2 && record.omitted == 3)
        record.add(Self.entry(6, .message(.text(String(repeating: "y", count: 2 << 20)))))
        #expect(record.received.count == 2)
        #expect(record.lines(hiding: Redactor()).count < 1 << 20)
        #expect(Self.lines(record).last?.hasSuffix(#","cut":true}"#) == true)
    }

    /// What is expected of the first and of the last message is about these.
    @Test func `the first and the last message are kept, whatever comes between, behind them and at the end`() {
        let long = String(repeating: "x", count: 600 << 10)
        var record = SessionRecord(opened: .zero)
        record.add(Self.entry(1, .message(.text(long))))
        record.add(Self.entry(2, .close(code: 1000, reason: "")))
        #expect(record.received == [.text(long)] && record.omitted == 0)
        record = SessionRecord(opened: .zero)
        record.add(Self.entry(1, .message(.text(long))))
        for number in 2...1200 { record.add(Self.entry(number, .message(.text("\(number)")))) }
        #expect(record.received.first == .text(long))
        for number in 1201...3000 { record.add(Self.entry(number, .ping(Data()))) }
        #expect(record.received.last == .text("1200") && record.received.count == 501)
        for number in 3001...4000 { record.add(Self.entry(number, .message(.text("ours")), .sent)) }
        #expect(record.received == [.text(long), .text("1200")])
    }

    @Test func `a secret that a cut goes through leaves nothing of it`() {
        var record = SessionRecord(opened: .zero)
        let start = String(repeating: "x", count: (512 << 10) - 4)
        record.add(Self.entry(1, .message(.text(start + "s3cret-key"))))
        #expect(!String(decoding: record.lines(hiding: Redactor(["s3cret-key"])), as: UTF8.self).contains("s3cr"))
    }
}
