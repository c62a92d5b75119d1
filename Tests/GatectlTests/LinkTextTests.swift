import GateModel
import Testing

@testable import gatectl

private func opened(_ link: String) -> String? { try? LinkText(link).text }

@Suite("Links that are opened")
struct LinkTextTests {
    @Test(
        "a link is written in one normal form",
        arguments: [
            ("https://example.org", "https://example.org/"),
            ("HTTPS://Example.ORG/Path", "https://example.org/Path"),
            ("http://example.org:80/", "http://example.org/"),
            ("https://example.org:443", "https://example.org/"),
            ("https://example.org:080/", "https://example.org:80/"),
            ("http://example.org:8080?q", "http://example.org:8080/?q"),
            ("http://example.org:/a", "http://example.org/a"),
            ("https://example.org#top", "https://example.org/#top"),
            ("https://example.org/a b\"<>`{}|^\\c", "https://example.org/a%20b%22%3C%3E%60%7B%7D%7C%5E%5Cc"),
            ("https://example.org/%7euser/%2f%zz%", "https://example.org/%7Euser/%2F%25zz%25"),
            ("https://example.org/ä?ö=[1]#ü#2", "https://example.org/%C3%A4?%C3%B6=%5B1%5D#%C3%BC%232"),
            ("https://example.org/a/../b/./c/%2e%2E/d/..", "https://example.org/b/"),
            ("https://example.org/../../etc", "https://example.org/etc"),
            ("https://example.org//a//b", "https://example.org//a//b"),
            ("https://example.org/?a=../b?c", "https://example.org/?a=../b?c"),
            ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
            ("https://my_host.example./x", "https://my_host.example./x"),
            ("http://127.0.0.1:9/", "http://127.0.0.1:9/"),
            ("http://[::0:1]:8/x", "http://[::1]:8/x"),
            ("https://example.org/$'();&*", "https://example.org/$'();&*"),
            ("https://example.org/a@b:c", "https://example.org/a@b:c"),
        ])
    func normal(link: String, text: String) {
        #expect(opened(link) == text)
        #expect(opened(text) == text, "what was written once stays as it is")
    }

    @Test(
        "a link that could be another than it seems is refused",
        arguments: [
            // Other schemes, and texts that are no links.
            "", "example.org", "file:///etc/passwd", "javascript:alert(1)", "ftp://example.org/", "httpx://example.org",
            "https:example.org", "https:/example.org", "-https://example.org", " https://example.org",
            "view-source:http://a",
            // Control characters.
            "https://example.org/\n", "https://exa\tmple.org", "https://example.org/\u{1b}[2J",
            "https://example.org/\u{85}", "https://example.org/a\0b", "https://example.org/\u{7f}",
            // Servers that are missing, or that look like another.
            "https://", "https:///example.org", "https://?q", "https://good.example@evil.example/",
            "https://good.example:pass@evil.example/", "https://good.example\\@evil.example",
            "https://good.example\\evil/", "https://exämple.org/", "https://ехаmple.org/",
            "https://example\u{3002}org/", "https://exam ple.org/",
            "https://exa%6dple.org/", "https://example..org/", "https://.example.org/", "https://./",
            "https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://127.0.0.010/", "https://1.2.3.256/",
            "https://[::1/", "https://[::1]x/", "https://[example]/", "https://[fe80::1%25eth0]/",
            "https://example.org:x/", "https://example.org:0/", "https://example.org:65536/",
            "https://example.org:1:2/",
            "https://\(String(repeating: "a", count: 64)).example/",
        ])
    func refused(link: String) {
        #expect {
            try LinkText(link)
        } throws: { error in
            (error as? GateError)?.exitStatus == 65 && "\(error)".hasPrefix("This link is not opened: ")
        }
    }

    @Test("a link may have 2048 bytes, as it is shown")
    func length() {
        let room = LinkText.maximumBytes - "https://example.org/".utf8.count
        #expect(opened("https://example.org/" + String(repeating: "a", count: room)) != nil)
        #expect(opened("https://example.org/" + String(repeating: "a", count: room + 1)) == nil)
        // The link is short as it is given, and long once it is encoded.
        #expect(opened("https://example.org/" + String(repeating: "ä", count: room / 3)) == nil)
    }

    @Test("no opened link has characters that a shell, a terminal or a reader could misread")
    func sampled() {
        var generator = SplitMix(seed: 7)
        let alphabet = Array("aZ0/?#%.:@[]\\ \"'<>|ä\u{202e}\u{2028}é😀&=~+-")
        for _ in 0..<20_000 {
            let tail = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            guard let text = opened("https://a.example" + String(tail)) else { continue }
            #expect(text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) })
            #expect(text.hasPrefix("https://a.example"))
            #expect(opened(text) == text)
        }
    }
}

/// Small, and the same in every run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
