import TerminalUI
import Testing

@Suite struct ASCIIFallbackTests {
    @Test func `lines, bars and signs have a stand-in of one column`() {
        #expect(String("┌─┐│█▌▏ ✓✗▸…␛é漢".map(ASCIIFallback.character)) == "+-+|##: vx>.[??")
    }
}
