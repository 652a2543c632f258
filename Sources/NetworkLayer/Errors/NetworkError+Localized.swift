public import Base

extension NetworkError: LocalizedError {
    /// ``message``: what `localizedDescription` of any error gives where it is one of ours.
    public var errorDescription: String? { message }
}

extension NetworkError {
    /// ``message``, also where FoundationEssentials, which has no such member of errors, is all that is imported.
    public var localizedDescription: String { message }
}
