import HTTPTypes
import NetworkLayer
import Testing

@Suite struct StatusMeaningTests {
    @Test func `REQ-9 a definitive success is a 2xx but 202, 203, 207, 208 and 226`() {
        let definitive = (100...599).filter { HTTPResponse.Status(code: $0).isDefinitiveSuccess }
        #expect(definitive == (200...299).filter { ![202, 203, 207, 208, 226].contains($0) })
    }
}
