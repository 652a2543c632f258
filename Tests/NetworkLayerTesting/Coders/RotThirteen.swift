package import NetworkLayer

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Turns ASCII letters by 13 places: a coding of the same length both ways, whose pieces don't depend on each other. After the
/// end of a body it may say a last word, to show that the end is asked for.
package struct RotThirteen: ContentEncoder, ContentDecoder {
    package var contentEncoding: String
    package var lastWord: String

    package init(_ contentEncoding: String = "rot13", lastWord: String = "") {
        self.contentEncoding = contentEncoding
        self.lastWord = lastWord
    }

    package func encode(_ body: Data) throws -> Data? { Self.turn(body) }

    package func makeDecoding() throws -> any ContentDecoding { Decoding(lastWord: lastWord) }

    private struct Decoding: ContentDecoding {
        let lastWord: String

        func decode(_ piece: Data) throws -> Data { RotThirteen.turn(piece) }

        func finish() throws -> Data { Data(lastWord.utf8) }
    }

    package static func turn(_ data: Data) -> Data {
        Data(
            data.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): (byte - UInt8(ascii: "a") + 13) % 26 + UInt8(ascii: "a")
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): (byte - UInt8(ascii: "A") + 13) % 26 + UInt8(ascii: "A")
                default: byte
                }
            })
    }
}
