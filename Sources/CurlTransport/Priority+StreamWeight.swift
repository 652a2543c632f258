import NetworkLayer

extension Priority {
    /// The weight of an HTTP/2 stream, from 1 to 256: 256 to the power of ``Priority/transportPriority``. So `normal` has 16, as
    /// every stream that names none (RFC 7540, section 5.3.5), and each step is worth about three times the one below.
    ///
    ///     below 1 | veryLow 2 | low 5 | normal 16 | high 49 | veryHigh 147 | above 256
    var streamWeight: Int {
        switch rawValue {
        case ..<(-2): 1
        case -2: 2
        case -1: 5
        case 0: 16
        case 1: 49
        case 2: 147
        default: 256
        }
    }
}
