import Foundation
import Testing

@testable import CommandLineInterface

@Suite struct PartSpoolTests {
    @Test(arguments: [10, 200_000])
    func `parts come back whole, in memory and from a file`(length: Int) throws {
        let spool = PartSpool(count: 30)
        for index in (0..<30).reversed() where index != 7 {
            try spool.put(String(repeating: "\(index)é ", count: length / 4), at: index)
        }
        #expect(spool.indices == (0..<30).filter { $0 != 7 })
        for index in spool.indices {
            #expect(try spool.text(at: index) == String(repeating: "\(index)é ", count: length / 4))
        }
    }

    @Test func `an empty part is one`() throws {
        let spool = PartSpool(count: 2)
        try spool.put("", at: 1)
        #expect(spool.indices == [1])
        #expect(try spool.text(at: 1) == "")
    }
}
