import Base
import NetworkLayer

/// The body of one transfer as bytes, one piece after another, and once more after a re-send.
struct RequestBodySource {
    private let body: RequestBody
    private var reader: (any RequestBodyReader)?
    private var rest = Data()
    /// Bytes handed out since the first or, after a rewind, from the beginning again.
    private(set) var count: Int64 = 0
    private(set) var isAtEnd = false

    enum Piece: Equatable {
        case bytes(Int)
        case later
        case end
    }

    init(_ body: RequestBody) {
        self.body = body
    }

    /// Fills the buffer with what there is at the moment.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void
    ) throws(NetworkError) -> Piece {
        if isAtEnd { return .end }
        if rest.isEmpty {
            do {
                switch try openReader().read(atMost: buffer.count, wake: wake) {
                case .bytes(let data): rest = data
                case .later: return .later
                case .end:
                    if let length, count < length {
                        throw NetworkError.bodyReadFailed(
                            "The body ended after \(count) bytes, and was to have \(length). \(Self.advice)")
                    }
                    isAtEnd = true
                    return .end
                }
                if let length, count + Int64(rest.count) > length {
                    throw NetworkError.bodyReadFailed(
                        "The body has more than the \(length) bytes that it was to have. \(Self.advice)")
                }
            } catch let error as NetworkError {
                throw error
            } catch {
                throw .bodyReadFailed("The body could not be read: \(error).")
            }
        }
        let piece = rest.prefix(buffer.count)
        piece.copyBytes(to: buffer)
        rest = rest.dropFirst(piece.count)
        count += Int64(piece.count)
        return .bytes(piece.count)
    }

    /// - Returns: whether the same bytes will come again.
    mutating func rewind() -> Bool {
        guard count > 0 || isAtEnd || reader != nil else { return true }
        guard body.isReplayable else { return false }
        close()
        count = 0
        isAtEnd = false
        return true
    }

    mutating func close() {
        reader?.close()
        reader = nil
        rest = Data()
    }

    /// What the server was told in the head: it would wait for what is missing, and take more for the next request.
    private var length: Int64? { body.length ?? reader?.length }

    private static let advice = "Give it its right length, or none: then it goes out in chunks."

    private mutating func openReader() throws -> any RequestBodyReader {
        if let reader { return reader }
        // A body of no bytes is one that ends at once.
        guard let new = try body.makeReader() ?? RequestBody.data(Data()).makeReader() else {
            preconditionFailure("Data has a reader")
        }
        reader = new
        return new
    }
}

/// The system's words for its error numbers.
enum SystemError {
    /// `connection refused`
    static func text(_ number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
