import Foundation
import GateModel
import GatePolicy
import Testing

/// The certificates that providers.yaml names, in a configuration directory.
@Suite("Root certificates")
struct RootFilesTests {
    private static let der = TestCertificate.der
    private static let pem = TestCertificate.pem

    private static func providers(_ roots: String) -> String { "storekit:\n  bundle-ids: [a]\n  roots: [\(roots)]\n" }

    @Test("roots in DER and PEM are read from below the directory, and all become DER")
    func read() throws {
        let directory = try ConfigurationDirectory(["providers.yaml": Self.providers("roots/a.cer, b.pem, roots/c/d")])
        try directory.write("roots/a.cer", Self.der)
        try directory.write("b.pem", Array(Self.pem.utf8))
        try directory.write("roots/c/d", Array("Certificate:\n  Text for people\r\n\(Self.pem)".utf8))
        let policy = try directory.read()
        #expect(policy.providers.storeKit?.roots == [Self.der, Self.der, Self.der])
        #expect(policy.files == ["\(directory.path)/providers.yaml"])
    }

    @Test(
        "a path that leads out of the directory is refused before anything is opened",
        arguments: [
            "/etc/gate/a.cer", "../a.cer", "roots/../../a.cer", "./a.cer", "roots//a.cer", "a.cer/", #""a\0b""#,
        ])
    func elsewhere(path: String) throws {
        let directory = try ConfigurationDirectory(["providers.yaml": Self.providers(path)])
        let problems = directory.problems()
        try #require(problems.count == 1)
        #expect(problems[0].hasPrefix("providers.yaml:3:11: "))
        #expect(
            problems[0].hasSuffix(
                "Name a file in the directory of providers.yaml or below, like roots/AppleRootCA-G3.cer, and put it there."
            ))
    }

    @Test("a root file that does not exist is reported where it is named")
    func missing() throws {
        let directory = try ConfigurationDirectory(["providers.yaml": Self.providers("a.cer, roots/a.cer")])
        #expect(
            directory.problems() == [
                "providers.yaml:3:11: 'a.cer': There is no such file. Put it there, or correct its name.",
                "providers.yaml:3:18: 'roots/a.cer': There is no such file. Put it there, or correct its name.",
            ])
    }

    @Test("a root file that others can write to, or whose directory they can write to, is refused")
    func writable() throws {
        let directory = try ConfigurationDirectory(["providers.yaml": Self.providers("roots/a.cer")])
        try directory.write("roots/a.cer", Self.der)
        try directory.chmod("roots/a.cer", 0o664)
        #expect(
            directory.problems() == [
                "providers.yaml:3:11: 'roots/a.cer': Others may write to it, and so could change the policy. Look at what is in "
                    + "it, then run: chmod go-w '\(directory.path)/roots/a.cer'"
            ])
        try directory.chmod("roots/a.cer", 0o644)
        try directory.chmod("roots", 0o777)
        #expect(
            directory.problems() == [
                "providers.yaml:3:11: 'roots/a.cer': Others may write to it, and so could change the policy. Look at what is in "
                    + "it, then run: chmod go-w '\(directory.path)/roots'"
            ])
        try directory.chmod("roots", 0o755)
        #expect(directory.problems() == [])
    }

    @Test("root files that are links, pipes or directories are refused, and reading does not block on a pipe")
    func noOrdinaryFiles() throws {
        let directory = try ConfigurationDirectory(["providers.yaml": Self.providers("a.cer, else/a.cer, pipe, real")])
        try directory.write("real/a.cer", Self.der)
        try directory.link("a.cer", to: "real/a.cer")
        try directory.link("else", to: "real")
        #expect(mkfifo("\(directory.path)/pipe", 0o600) == 0)
        #expect(
            directory.problems() == [
                "providers.yaml:3:11: 'a.cer': This is a symbolic link, and Gate can't tell who may change its target. Put the "
                    + "file itself here.",
                "providers.yaml:3:18: 'else/a.cer': This is not a directory, or is only a link to one. Move it away.",
                "providers.yaml:3:30: 'pipe': This is not an ordinary file. Move it away.",
                "providers.yaml:3:36: 'real': This is not an ordinary file. Move it away.",
            ])
    }

    @Test("providers.yaml must be as trusted as a policy")
    func providersFile() throws {
        let directory = try ConfigurationDirectory(["providers.yaml": ""])
        try directory.chmod("providers.yaml", 0o666)
        #expect(directory.problems().map { $0.prefix(38) } == ["providers.yaml: Others may write to it"])
        try directory.remove("providers.yaml")
        try directory.link("providers.yaml", to: "/dev/null")
        #expect(directory.problems().map { $0.prefix(39) } == ["providers.yaml: This is a symbolic link"])
    }

    @Test("a providers.yaml in policy.d or questions.d is reported, because nothing reads it there")
    func misplaced() throws {
        let directory = try ConfigurationDirectory(["policy.d/providers.yaml": "", "questions.d/providers.yaml": ""])
        #expect(
            directory.problems() == [
                "policy.d/providers.yaml: This file stands beside policy.yaml. Move it there.",
                "questions.d/providers.yaml: This file stands beside policy.yaml. Move it there.",
            ])
    }

    @Test(
        "a root file that is not exactly one whole certificate is refused",
        arguments: [
            ("", "This is not a whole certificate."),
            ("nonsense", "This is not a whole certificate."),
            (pem + pem, "It does not hold exactly one certificate."),
            (
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "It does not hold exactly one certificate."
            ),
            (
                pem + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "It does not hold exactly one certificate."
            ),
            (String(pem.dropLast(40)), "This certificate is cut off, or is not base64."),
            (pem.replacing("MIIB", with: "M!IB"), "This certificate is cut off, or is not base64."),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "This is not a whole certificate."
            ),
        ])
    func noCertificates(text: String, message: String) throws {
        let directory = try ConfigurationDirectory(["providers.yaml": Self.providers("a")])
        try directory.write("a", Array(text.utf8))
        let problems = directory.problems()
        try #require(problems.count == 1)
        #expect(problems[0].hasPrefix("providers.yaml:3:11: 'a': \(message)"), "\(problems)")
    }

    @Test("a certificate in DER that was shortened or lengthened is refused, and no beginning of one traps")
    func damagedDER() throws {
        func isTaken(_ bytes: [UInt8]) -> Bool {
            PolicyReader.providersProblems(Self.providers("a"), rootFiles: ["a": bytes]).isEmpty
        }
        #expect(isTaken(Self.der))
        for count in Array(0..<16) + Array(Self.der.indices.suffix(4)) {
            #expect(!isTaken(Array(Self.der.prefix(count))))
        }
        #expect(!isTaken(Self.der + [0]))
        // Lengths of nothing, of more bytes than there are, and of more than an Int can hold.
        for second: UInt8 in [0, 1, 2, 0x7f, 0x80, 0x81, 0x82, 0x83, 0x84, 0x88, 0x89, 0xff] {
            for length in [0, 1, 2, 4, 8, 12] {
                #expect(!isTaken([0x30, second] + Array(repeating: 0xff, count: length)))
            }
        }
    }

    @Test("a file has at most 16 KiB, and there are at most 16")
    func sizes() throws {
        let directory = try ConfigurationDirectory(["providers.yaml": Self.providers("a")])
        let text = String(repeating: "#", count: (16 << 10) - Self.pem.utf8.count - 1) + "\n" + Self.pem
        try directory.write("a", Array(text.utf8))
        #expect(directory.problems() == [])
        try directory.write("a", Array("#\(text)".utf8))
        #expect(
            directory.problems() == [
                "providers.yaml:3:11: 'a': The file is larger than 16 KiB. Take a file with one certificate."
            ])
        let many = Array(repeating: "a", count: 17).joined(separator: ", ")
        #expect(
            PolicyReader.providersProblems(Self.providers(many), rootFiles: ["a": Self.der])
                == ["3:10: 'roots' has 17 entries; at most 16 are read."])
    }

    @Test("a single providers.yaml names root files beside itself, no matter who can write to them")
    func files() throws {
        let directory = try ConfigurationDirectory([
            "draft/providers.yaml": Self.providers("roots/a.cer"), "draft/policy.yaml": "",
        ])
        try directory.write("draft/real.cer", Self.der)
        try directory.write("draft/roots/other", [])
        try directory.link("draft/roots/a.cer", to: "../real.cer")
        try directory.chmod("draft/real.cer", 0o666)
        let files = ["draft/policy.yaml", "draft/providers.yaml"].map { "\(directory.path)/\($0)" }
        #expect(try PolicyReader.read(files: files).providers.storeKit?.roots == [Self.der])
        try directory.remove("draft/real.cer")
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read(files: files) }
        #expect(
            error?.description
                == "\(files[1]):3:11: 'roots/a.cer': There is no such file. Put it there, or correct its name.")
    }
}
