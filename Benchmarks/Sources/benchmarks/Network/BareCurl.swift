import CBareCurl
import Foundation

/// libcurl's multi interface and a loop around it: the least that anything built on libcurl has to do.
final class BareCurl: Contestant {
    let name = "bare libcurl"
    private let multi: OpaquePointer
    private var handles: [UnsafeMutableRawPointer] = []
    private var buffers: [UnsafeMutableRawPointer: Buffer] = [:]

    private final class Buffer {
        var bytes: [UInt8] = []
        var count = 0
        var keeps = true
    }

    init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        multi = OpaquePointer(curl_multi_init()!)
    }

    private var pointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(multi) }

    private func handle(_ index: Int, _ url: String) -> UnsafeMutableRawPointer {
        while handles.count <= index {
            let handle = curl_easy_init()!
            let buffer = Buffer()
            buffers[handle] = buffer
            handles.append(handle)
            bare_set_long(handle, CURLOPT_NOSIGNAL, 1)
            bare_set_write(handle) { bytes, size, count, context in
                let buffer = Unmanaged<Buffer>.fromOpaque(context!).takeUnretainedValue()
                buffer.count += size * count
                if buffer.keeps {
                    buffer.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
                }
                return size * count
            }
            bare_set_pointer(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(buffer).toOpaque())
        }
        bare_set_text(handles[index], CURLOPT_URL, url)
        return handles[index]
    }

    private func start(_ handle: UnsafeMutableRawPointer, keeps: Bool = true) {
        let buffer = buffers[handle]!
        buffer.bytes = []
        buffer.count = 0
        buffer.keeps = keeps
        curl_multi_add_handle(pointer, handle)
    }

    /// Waits until transfers are over, and says which.
    private func finished() throws -> [UnsafeMutableRawPointer] {
        var finished: [UnsafeMutableRawPointer] = []
        while finished.isEmpty {
            var running: Int32 = 0
            curl_multi_perform(pointer, &running)
            var result = CURLE_OK
            while let handle = bare_next_finished(pointer, &result) {
                guard result == CURLE_OK else { throw BenchmarkError("libcurl: \(String(cString: curl_easy_strerror(result)))") }
                curl_multi_remove_handle(pointer, handle)
                finished.append(handle)
            }
            if finished.isEmpty { curl_multi_poll(pointer, nil, 0, 1000, nil) }
        }
        return finished
    }

    func requests(_ url: String, concurrency: Int, until end: ContinuousClock.Instant) async throws -> Int {
        try loop(url, concurrency: concurrency, until: end)
    }

    private func loop(_ url: String, concurrency: Int, until end: ContinuousClock.Instant) throws -> Int {
        for index in 0..<concurrency { start(handle(index, url)) }
        var running = concurrency
        var count = 0
        while running > 0 {
            for handle in try finished() {
                guard buffers[handle]?.count == Nginx.smallSize else { throw BenchmarkError("libcurl: a body of another size") }
                count += 1
                if ContinuousClock.now < end { start(handle) } else { running -= 1 }
            }
        }
        return count
    }

    func download(_ url: String, keep: Bool) async throws -> Int {
        let handle = handle(0, url)
        start(handle, keeps: keep)
        _ = try finished()
        return buffers[handle]!.count
    }
}
