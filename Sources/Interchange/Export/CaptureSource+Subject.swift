import RequestCollections

// What is captured and what is expected of an answer are the same things.

extension CaptureSource {
    init(_ subject: ExpectationSubject) {
        self =
            switch subject {
            case .filter(let filter): .filter(filter)
            case .header(let name): .header(name)
            case .cookie(let name): .cookie(name)
            case .status: .status
            case .url: .url
            case .body: .body
            default: .subject(subject)
            }
    }

    var subject: ExpectationSubject {
        switch self {
        case .filter(let filter): .filter(filter)
        case .header(let name): .header(name)
        case .cookie(let name): .cookie(name)
        case .status: .status
        case .url: .url
        case .body: .body
        case .subject(let subject): subject
        }
    }
}

extension CaptureDefinition {
    /// What is noted of a secret for a program that captures none; `nil`: it isn't one.
    var exposure: String? { isSecret ? "`capture`: \(name) is a secret, and isn't masked there" : nil }
}
