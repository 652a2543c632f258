import Base

extension RequestBody {
    /// Opens the body for one attempt; `nil` when there is none. For transports.
    ///
    /// Files are opened here, and their length is read (``RequestBodyReader/length``).
    public func makeReader() throws(NetworkError) -> (any RequestBodyReader)? {
        switch self {
        case .none: return nil
        case .data(let data): return DataBodyReader(data)
        case .file(let file): return try FileBodyReader(file)
        case .stream(let stream):
            do {
                return try stream.open()
            } catch let error as NetworkError {
                throw error
            } catch {
                throw .bodyUnreadable("The stream of the body can't be opened: \(error)")
            }
        }
    }
}

extension NetworkError {
    /// Code 415, for bodies that could not be read while they were sent.
    static func bodyUnreadable(_ message: String, errno: Int32? = nil) -> NetworkError {
        NetworkError(
            .bodyReadFailed, phase: .request, type: "http.request.body.unreadable", message: message, systemErrno: errno)
    }
}
