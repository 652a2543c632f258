import FoundationEssentials
import Testing

@testable import NetworkLayer

@Suite struct PublicSuffixTests {
    let list = PublicSuffixList(parsing: "// ICANN\ncom\n\nuk \t comment\nco.uk\n*.ck\n!www.ck\n公司.cn\ncn\n")

    @Test(arguments: [
        ("com", true), ("example.com", false), ("co.uk", true), ("a.co.uk", false), ("b.ck", true), ("a.b.ck", false),
        ("www.ck", false), ("xn--55qx5d.cn", true), ("unknown", true), ("a.unknown", false),
    ])
    func `rules, wildcards and exceptions`(domain: String, isSuffix: Bool) {
        #expect(list.isPublicSuffix(domain) == isSuffix)
    }

    @Test(arguments: [
        ("www.example.com", "example.com"), ("a.b.co.uk", "b.co.uk"), ("co.uk", nil), ("x.www.ck", "www.ck"), ("127.0.0.1", nil),
        ("localhost", nil), ("::1", nil),
    ])
    func `what is registered is the suffix and a label`(host: String, domain: String?) {
        #expect(list.registrableDomain(of: host) == domain)
    }

    @Test func `without a list it is cautious`() {
        let names = ["com", "co.uk", "com.au", "example.com", "shop.co.uk", "github.io"]
        #expect(names.filter(PublicSuffixList.cautious.isPublicSuffix) == ["com", "co.uk", "com.au"])
    }

    @Test(
        .enabled(if: PublicSuffixList.systemPaths.contains { FileManager.default.fileExists(atPath: $0) }),
        arguments: [("github.io", true), ("co.uk", true), ("example.com", false), ("xn--55qx5d.cn", true)])
    func `the system's list is read`(domain: String, isSuffix: Bool) {
        #expect(PublicSuffixList.system.isPublicSuffix(domain) == isSuffix)
    }
}
