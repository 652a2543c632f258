import Testing

@testable import CommandLineInterface

@Suite struct ArgumentTextTests {
    private static func refusal(_ words: [[UInt8]]) -> String? {
        do {
            _ = try ArgumentText.texts([Array("turnstone".utf8)] + words)
            return nil
        } catch let error as CommandFailure {
            #expect(error.status == .usage)
            return error.message
        } catch {
            return "\(error)"
        }
    }

    private static let way =
        ", isn't UTF-8, and would be sent as something else. "
        + "Other bytes are sent from a file, as by --data-binary @FILE or -F NAME=@FILE, and percent-encoded in a URL."

    @Test func `bytes that are no text are refused, with their place and the way out`() {
        let send = Array("send".utf8)
        let data = Array("--data-raw".utf8)
        #expect(
            Self.refusal([send, data, Array("it's ".utf8) + [0xE9, 0x5C, 0x0A]])
                == #"Argument 3, behind --data-raw, $'it\'s \xe9\\\x0a'"# + Self.way)
        #expect(Self.refusal([send, [0x2D, 0x64, 0xFF]]) == #"Argument 2, $'-d\xff'"# + Self.way)
        #expect(Self.refusal([Array("run".utf8), [0xE9]]) == #"Argument 2, $'\xe9'"# + Self.way)
        #expect(Self.refusal([send, Array("http://h/é".utf8)]) == nil)
    }

    @Test func `a password among them is shown to nobody`() {
        let words = [Array("send".utf8), Array("-u".utf8), Array("ada:s3cret".utf8) + [0xE9], Array("http://h/".utf8)]
        #expect(Self.refusal(words) == "Argument 3, behind -u" + Self.way)
    }

    @Test func `texts are what they were`() throws {
        #expect(try ArgumentText.texts([Array("a".utf8), Array("é\u{FFFD}".utf8), []]) == ["a", "é\u{FFFD}", ""])
    }
}
