import Foundation

/// A certificate that signed itself, and nothing else.
enum TestCertificate {
    static let base64 = """
        MIIBczCCARmgAwIBAgIURFRCg6E1haVgRAlwcJwKNr//U7UwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEVGVzdDAeFw0yNjExMjExNTM2MThaFw0zNjExMTgxNTM2MTha
        MA8xDTALBgNVBAMMBFRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARevIOF
        VuKe6Ja4BMkVqq1fCxh+hXmwji0QB9ZcaFNVcGpqoDUvPPWrj6ozJX6j/RjVFAQu
        xgagbGVqSU6ge1hco1MwUTAdBgNVHQ4EFgQUc76bQOFwCoI0jfxw5ODVlwvA/g0w
        HwYDVR0jBBgwFoAUc76bQOFwCoI0jfxw5ODVlwvA/g0wDwYDVR0TAQH/BAUwAwEB
        /zAKBggqhkjOPQQDAgNIADBFAiEA1yhTY4znf4FoMJnG6R39nUYfF2845IWvV3hH
        gBmUcIgCIAqWJgwsFsVE8qdlxAe3fBmGd2GLX/HfToFSC1muYpWQ
        """

    static let pem = "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"

    static let der = Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
}
