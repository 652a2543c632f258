import HTTPTypes
import NetworkLayer
import Testing

@Suite struct StatusMeaningTests {
    @Test func `REQ-9 a definitive success is a 2xx but 202, 203, 207, 208 and 226`() {
        let definitive = (100...599).filter { HTTPResponse.Status(code: $0).isDefinitiveSuccess }
        #expect(definitive == (200...299).filter { ![202, 203, 207, 208, 226].contains($0) })
    }

    @Test(arguments: [(100, 0), (199, 0), (200, 1), (299, 1), (300, 2), (399, 2), (400, 3), (499, 3), (500, 4), (599, 4)])
    func `REQ-9 a status belongs to the class of its first digit`(code: Int, place: Int) {
        let status = HTTPResponse.Status(code: code)
        let classes = [
            status.isInformational, status.isSuccess, status.isRedirection, status.isClientError, status.isServerError,
        ]
        #expect(classes == (0..<5).map { $0 == place })
    }
}
