import Foundation
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article UploadingAndDownloading.
@Suite struct UploadingAndDownloading {
    @Test func `files out and in`() async throws {
        let transport = MockTransport()
        let client = NetworkClient(transport: transport)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "knot.jpg").path
        let destination = folder.appending(path: "atlas").path
        try Data("jpeg".utf8).write(to: URL(filePath: path))
        transport.register(.text("atlas"), at: "https://birds.example/atlas")
        var fractions: [Double?] = []

        // snippet
        let photo = Request.put("https://birds.example/photo", body: .file(path: path, contentType: "image/jpeg"))

        var form = MultipartBody()
        form.append("title", "A walk")
        try form.append("photo", file: path)
        let album = Request.post("https://birds.example/album", body: .multipart(form))

        let pieces = AsyncStream<Data> { $0.finish() }
        let live = Request.post("https://birds.example/live", body: .stream(RequestBodyStream(pieces)))
        // end

        #expect(photo.headers == [.contentType: "image/jpeg"])
        #expect(album.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(!live.body.isReplayable)

        // snippet
        let operation = client.download(.get("https://birds.example/atlas"), to: destination)
        for await progress in operation.progress { fractions.append(progress.download.fraction) }
        let response = try await operation.response.requireSuccess()
        // end

        #expect(fractions.last == 1)
        #expect(response.body == Data("atlas".utf8))
        #expect(try String(contentsOfFile: destination, encoding: .utf8) == "atlas")
    }
}
