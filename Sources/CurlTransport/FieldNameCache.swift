import HTTPTypes

/// Names of header fields by their bytes: servers send the same few again and again, and checking one anew costs more than
/// finding it here.
///
/// Used on the loop's thread only. A server can't make it grow without limit.
final class FieldNameCache {
    private static let limit = 512
    private var names: [UInt64: HTTPField.Name] = [:]

    /// The name as it was received, or `nil` when it isn't one.
    func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        // Two names may share a hash.
        if let name = names[hash], name.rawName.utf8.elementsEqual(bytes) { return name }
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else { return nil }
        if names.count < Self.limit { names[hash] = name }
        return name
    }
}
