/// The certificates of the demo server, all but one by the authority in `Collections/demo/transport/tls/authority.pem`. Their keys protect nothing:
/// they are here for everybody to see, and that authority is trusted by the demo's own requests alone.
extension TLSIdentity {
    /// For `localhost` and its addresses, good until 12 April 2015.
    static let expired = TLSIdentity(
        pem: """
            -----BEGIN CERTIFICATE-----
            MIIB9TCCAZygAwIBAgIUfIys0yuG9oyTHFrPhyGlvvOB3KswCgYIKoZIzj0EAwIw
            NzESMBAGA1UECgwJVHVybnN0b25lMSEwHwYDVQQDDBhUdXJuc3RvbmUgRGVtbyBB
            dXRob3JpdHkwHhcNMTQwNDA5MDAwMDAwWhcNMTUwNDEyMjM1OTU5WjAoMRIwEAYD
            VQQKDAlUdXJuc3RvbmUxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEG
            CCqGSM49AwEHA0IABFNSF7OmGe8Equ+YkAXzx+v7yGNM6VNpoodDtVf4+ugQvLyL
            SeV4h2dQ0hiNltLV5d8oZLfrTfnGHOfDXoOoQymjgZQwgZEwLAYDVR0RBCUwI4IJ
            bG9jYWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMAwGA1UdEwEB/wQCMAAw
            EwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFGKU0UfH4AQ7yOw/b8lYu6G6
            qav8MB8GA1UdIwQYMBaAFAMpAZkbKsvF5T29Q4YJRea3Iok6MAoGCCqGSM49BAMC
            A0cAMEQCIBmlLzHn1E87UChwosTzsal6999UShF8/OC+j1wF1eoMAiAzjBQYj8hH
            MJGeVRB1U9OO3LdtmtGhOwieBaiWt5iejQ==
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNiIlEm042XPOH4lB
            E+hmU507pa5bKsi8ir1zDlDDuBuhRANCAARTUhezphnvBKrvmJAF88fr+8hjTOlT
            aaKHQ7VX+ProELy8i0nleIdnUNIYjZbS1eXfKGS36035xhznw16DqEMp
            -----END PRIVATE KEY-----
            """)

    /// For the same names, good until 2114.
    static let good = TLSIdentity(pem: goodPEM)

    /// The same, by TLS 1.2 at most.
    static let old = TLSIdentity(pem: goodPEM, isOld: true)

    /// The same, for clients with a certificate by the authority: `Collections/demo/transport/tls/client.pem` is one.
    static let demanding = TLSIdentity(pem: goodPEM, clients: authority)

    /// For `localhost` and its addresses; nobody vouches for it.
    static let selfSigned = TLSIdentity(
        pem: """
            -----BEGIN CERTIFICATE-----
            MIIBxzCCAWygAwIBAgIUOoiPAWipYUKtdnyEykqBgeGfvG0wCgYIKoZIzj0EAwIw
            KDESMBAGA1UECgwJVHVybnN0b25lMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMTQw
            MTAxMDAwMDAwWhgPMjExNDAxMDEwMDAwMDBaMCgxEjAQBgNVBAoMCVR1cm5zdG9u
            ZTESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
            1AbefPYL2ZMikBhcZ55Z/e7gU/YjTB4s8OejyAaYnQeyrr/SvOfx8UaR9pcDfXih
            ro4SdcYzAAvvjZWH9hb7ZqNyMHAwLAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/AAAB
            hxAAAAAAAAAAAAAAAAAAAAABMAwGA1UdEwEB/wQCMAAwEwYDVR0lBAwwCgYIKwYB
            BQUHAwEwHQYDVR0OBBYEFDa4iosNJBHTKKW7EquMr/lFskIyMAoGCCqGSM49BAMC
            A0kAMEYCIQClfZlYzPqOC/yE/palLMbMKT/0t1wMJEtMWONfOoAKUwIhAPI0YC4V
            KA+OCPb/7c5n1oFI5jAyL1sU/GsK7NLVXolD
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglJEfDwwUnaGrxVkQ
            959UvoG3K3oIAJ1rE+b8vhX1QRWhRANCAATUBt589gvZkyKQGFxnnln97uBT9iNM
            Hizw56PIBpidB7Kuv9K85/HxRpH2lwN9eKGujhJ1xjMAC++NlYf2Fvtm
            -----END PRIVATE KEY-----
            """)

    /// For `other.example`.
    static let otherHost = TLSIdentity(
        pem: """
            -----BEGIN CERTIFICATE-----
            MIIB5jCCAYygAwIBAgIUQafl2u8sSePVbky2qjo6FUpAkYYwCgYIKoZIzj0EAwIw
            NzESMBAGA1UECgwJVHVybnN0b25lMSEwHwYDVQQDDBhUdXJuc3RvbmUgRGVtbyBB
            dXRob3JpdHkwIBcNMTQwMTAxMDAwMDAwWhgPMjExNDAxMDEwMDAwMDBaMCwxEjAQ
            BgNVBAoMCVR1cm5zdG9uZTEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqG
            SM49AgEGCCqGSM49AwEHA0IABAWt5jYxhmXGCT8e1DqVIwlLOk949XU92jrUobJu
            F2QR9Xg3bWsBn+cvHArXrbzC2eJuuYyAKcmHJ2JV9VzEIsCjfzB9MBgGA1UdEQQR
            MA+CDW90aGVyLmV4YW1wbGUwDAYDVR0TAQH/BAIwADATBgNVHSUEDDAKBggrBgEF
            BQcDATAdBgNVHQ4EFgQUqHo3tUJgSMNBypBU8dPI+7/FAkgwHwYDVR0jBBgwFoAU
            AykBmRsqy8XlPb1DhglF5rciiTowCgYIKoZIzj0EAwIDSAAwRQIhANx34R/H4uju
            WLXVrFY0fSlTEZ3JIeZsvNIL/NvqNqrIAiBgOehPbk0PuEj5yD6uYOrepiEZH9aH
            DINQoaEOPf+KOQ==
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGn8EkWsnr9bM4Gan
            E9Mbo7bsLiDeV80BCZbm9cminPmhRANCAAQFreY2MYZlxgk/HtQ6lSMJSzpPePV1
            Pdo61KGybhdkEfV4N21rAZ/nLxwK1628wtnibrmMgCnJhydiVfVcxCLA
            -----END PRIVATE KEY-----
            """)

    private static let goodPEM = """
        -----BEGIN CERTIFICATE-----
        MIIB9zCCAZ6gAwIBAgIUTSzPD1SxDclXpKs0w84b7wN1NVMwCgYIKoZIzj0EAwIw
        NzESMBAGA1UECgwJVHVybnN0b25lMSEwHwYDVQQDDBhUdXJuc3RvbmUgRGVtbyBB
        dXRob3JpdHkwIBcNMTQwMTAxMDAwMDAwWhgPMjExNDAxMDEwMDAwMDBaMCgxEjAQ
        BgNVBAoMCVR1cm5zdG9uZTESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAElkP9h9aAXBShuKrBBfjmcpYdhAxgMgegO1PoJBqeJtnF
        GC8qwRGlV0BHmXt/aC7SjBB/oTEZu349q4ntePdqG6OBlDCBkTAsBgNVHREEJTAj
        gglsb2NhbGhvc3SHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAEwDAYDVR0TAQH/BAIw
        ADATBgNVHSUEDDAKBggrBgEFBQcDATAdBgNVHQ4EFgQUSl/r3Z6aRYIvjPrll7lZ
        Vc4pN8gwHwYDVR0jBBgwFoAUAykBmRsqy8XlPb1DhglF5rciiTowCgYIKoZIzj0E
        AwIDRwAwRAIgBlYG4RVpzy2L7F+Idgq1pj3HSx3fq1BcA4gzT8XXrnMCIA51rrvn
        IXy4NNPWeTsKgS3wrvwhcUgTUSW5PHNuBlU6
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgE+Kd/iwTshiJZjSX
        f7Zq7PhmcFYdqrSSQWr4OwgSkjuhRANCAASWQ/2H1oBcFKG4qsEF+OZylh2EDGAy
        B6A7U+gkGp4m2cUYLyrBEaVXQEeZe39oLtKMEH+hMRm7fj2rie1492ob
        -----END PRIVATE KEY-----
        """

    private static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBtDCCAVqgAwIBAgIUNkq2u2I28fOCktFYWh8kjS5PTrQwCgYIKoZIzj0EAwIw
        NzESMBAGA1UECgwJVHVybnN0b25lMSEwHwYDVQQDDBhUdXJuc3RvbmUgRGVtbyBB
        dXRob3JpdHkwIBcNMTQwMTAxMDAwMDAwWhgPMjExNDAxMDEwMDAwMDBaMDcxEjAQ
        BgNVBAoMCVR1cm5zdG9uZTEhMB8GA1UEAwwYVHVybnN0b25lIERlbW8gQXV0aG9y
        aXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWsAwvUQTr5q23lKlsfZzQqgC
        ndmSyJvXf2H3irvF3+9Hyvhyj+dQXOIsA/SFzBHBeiIeGCyr0Fp88h39AekP8qNC
        MEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFAMp
        AZkbKsvF5T29Q4YJRea3Iok6MAoGCCqGSM49BAMCA0gAMEUCIQChboKTVzgn/ujL
        iblUiAuctLHfxgyP7DiY/Ub5TGNsAQIgCd+DrKKWGma5ZWkFe3r7LlqPqt/QLVHG
        Kx/a0tfoJxc=
        -----END CERTIFICATE-----
        """
}
