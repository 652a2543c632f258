import FoundationEssentials
import Testing

@testable import NetworkLayer

@Suite struct DigestFunctionTests {
    @Test(arguments: [
        ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
        ),
        (String(repeating: "a", count: 111), "0239e429f98d0ed61ee8e2a7c30afe98c1c3a80ce5dff62a107e9c538f7632ce"),
        (String(repeating: "a", count: 112), "9216b5303edb66504570bee90e48ea5beaa5e9fe9f760bbd3e0460559fc005f6"),
        (String(repeating: "a", count: 127), "2fe3b2a6ee7e12f6fe4ba82166541ad9b4ed882c493581cbe300d68f3757b778"),
        (String(repeating: "a", count: 128), "b88f97e274f9c1d49f181c8cbd01a9c74930ad055a46ac4499a1d601f1c80bf2"),
        (String(repeating: "a", count: 1000), "40eb4a70d4d69815407a9e272f0101cd67e3d11262a4a0bfc087712749c7fb53"),
    ])
    func `the hash of a message`(message: String, hash: String) {
        #expect(DigestFunction.sha512Truncated256.hash(Data(message.utf8)).hexadecimal == hash)
    }

    @Test func `a slice counts from its own start`() {
        let data = Data("xxabc".utf8)
        #expect(DigestFunction.sha512Truncated256.hash(data[2...]) == DigestFunction.sha512Truncated256.hash(Data("abc".utf8)))
    }

    /// RFC 4231, test cases 2 and 6; RFC 2202, test case 1; an empty key by Python's `hmac`.
    @Test(arguments: [
        (
            DigestFunction.sha256, Data("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            .sha256, Data(repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (.sha1, Data(repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (.sha256, Data(), "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `a code made with a key`(function: DigestFunction, key: Data, message: String, code: String) {
        #expect(function.authenticationCode(for: Data(message.utf8), key: key).hexadecimal == code)
    }

    @Test(arguments: DigestFunction.allCases)
    func `a copy of a hash under way goes its own way`(function: DigestFunction) {
        var one = DigestFunction.Hashing(function)
        one.update(Data("a".utf8))
        var other = one
        one.update(Data("bc".utf8))
        other.update(Data("x".utf8))
        #expect(one.digest == function.hash(Data("abc".utf8)))
        #expect(one.digest == function.hash(Data("abc".utf8)))
        #expect(other.digest == function.hash(Data("ax".utf8)))
    }
}
