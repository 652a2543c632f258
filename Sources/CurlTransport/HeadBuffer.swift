import Base

/// The lines of a head while they come in. It stays with its handle, so that a request allocates nothing for it.
struct HeadBuffer: ~Copyable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    init() {}

    deinit {
        free(start)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        if capacity - count < bytes.count {
            capacity = max(1024, 2 * (count + bytes.count))
            start = realloc(start, capacity)
        }
        guard let start else { preconditionFailure("no memory for a response's head") }
        memcpy(start + count, source, bytes.count)
        count += bytes.count
    }

    mutating func removeAll() {
        count = 0
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}
