import Testing

@testable import Interchange

@Suite struct CertificateArgumentTests {
    @Test(
        arguments: [
            ("me.pem", "me.pem", nil), ("me.pem:secret", "me.pem", "secret"), ("me.pem:a:b\\c", "me.pem", "a:b\\c"),
            (#"a\:b.pem:x"#, "a:b.pem", "x"), (#"a\\b.pem"#, #"a\b.pem"#, nil), (#"a\b.pem"#, #"a\b.pem"#, nil),
            ("me.pem:", "me.pem", nil), ("me.pem:\u{301}x", "me.pem", "\u{301}x"),
            ("pkcs11:object=x;type=cert", "pkcs11:object=x;type=cert", nil), (#"end\"#, #"end\"#, nil),
        ] as [(String, String, String?)])
    func `a colon parts the file from its pass phrase, and a backslash keeps one`(text: String, file: String, passphrase: String?) {
        let argument = CertificateArgument(text)
        #expect(argument.file == file)
        #expect(argument.passphrase == passphrase)
    }
}
