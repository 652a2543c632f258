extension NetworkError {
    /// - Parameter circle: each would wait for the next, the last for the first.
    static func dependencyCycle(_ circle: [OperationID]) -> NetworkError {
        var numbers = circle.map { "\($0.rawValue)" }
        let first = numbers.first ?? ""
        if numbers.count > 8 { numbers.replaceSubrange(4..<numbers.count - 3, with: ["…"]) }
        let message =
            numbers.count < 2
            ? "Operation \(first) can't wait for itself."
            : "Operation \(first) can't wait for operation \(numbers[1]): they would wait for each other for ever ("
                + (numbers + [first]).joined(separator: " → ") + ")."
        return NetworkError(.dependencyCycle, phase: .queue, type: "queue.dependency.cycle", message: message)
    }

    static func queueFull(_ identifier: String, waiting: Int) -> NetworkError {
        NetworkError(
            .queueFull, phase: .queue, type: "queue.full",
            message:
                "The queue \"\(identifier)\" is full: \(waiting) operations wait, as many as it takes; enqueue again when some are over, or raise its maxWaiting."
        )
    }
}
