extension NetworkError {
    /// Code 419.
    static func cellularNotAllowed(_ conditions: NetworkConditions, request: Request) -> NetworkError {
        let interface = conditions.interfaces.first { $0.kind == .cellular }.map { ", \($0.name)" } ?? ""
        return NetworkError(
            .cellularNotAllowed, phase: .preparation, type: ErrorType.cellularNotAllowed,
            message:
                "\(request.target) wasn't sent: the only way out is cellular\(interface), and the request doesn't allow that (allowsCellularAccess). Connect by cable or wifi, or allow it."
        )
    }
}
