public import FoundationEssentials

extension NetworkError: LocalizedError {
    /// ``message``: what `localizedDescription` of any error gives where it is one of ours.
    public var errorDescription: String? { message }
}
