import GateModel
import Testing

@Suite("Which site a link leads to (W-04)")
struct WebOriginTests {
    @Test("scheme, host and port are the site, and the usual port is left out")
    func sites() {
        for link in [
            "https://a.org", "https://a.org/", "https://a.org/b/c", "https://a.org?q=1", "https://a.org#top",
            "https://a.org:443/", "https://a.org/@b", "https://a.org/käse", "https://a.org/?u=https://b.org/",
        ] {
            #expect(WebOrigin(link)?.text == "https://a.org", "\(link)")
        }
        #expect(WebOrigin("http://a.org:80/")?.text == "http://a.org")
        #expect(WebOrigin("http://a.org:443/")?.text == "http://a.org:443")
        #expect(WebOrigin("https://a.org:8443/x")?.text == "https://a.org:8443")
        #expect(WebOrigin("https://www.a-1.org/")?.text == "https://www.a-1.org")
        #expect(WebOrigin("http://localhost/")?.text == "http://localhost")
        #expect(WebOrigin("http://127.0.0.1:631/")?.text == "http://127.0.0.1:631")
        #expect(WebOrigin("https://xn--kse-qla.de/")?.text == "https://xn--kse-qla.de")
    }

    @Test(
        "what somebody could read in another way has no site",
        arguments: [
            // Users, and what browsers take for a slash or skip.
            "https://a.org@evil.org/", "https://a.org:443@evil.org/", "https://@a.org/", "https://a.org\\@evil.org/",
            "https://a.org/\\evil.org", "https:\\\\a.org/", "https://a.org\t.evil.org/", "https://a.\norg/",
            " https://a.org/", "https://a.org/ ", "https://a.org/a b", "https://a.org\u{7F}/",
            // Spellings of one host.
            "https://A.org/", "HTTPS://a.org/", "https://a.org./", "https://a..org/", "https://.a.org/",
            "https://a%2Eorg/", "https://а.org/", "https://ａ.org/", "https://käse.de/", "https://a。org/",
            "https://a.org\u{200B}/", "https://a_b.org/", "https://-a.org/", "https://a-.org/",
            // Numbers that some programs read as an address.
            "https://127.1/", "https://2130706433/", "https://0x7f.0.0.1/", "https://0x7f000001/", "https://a.0x7f/",
            "https://1.2.3.04/", "https://1.2.3.256/", "https://1.2.3.4.5/", "https://[::1]/",
            // Ports.
            "https://a.org:/", "https://a.org:0/", "https://a.org:65536/", "https://a.org:0443/", "https://a.org:+443/",
            "https://a.org:443:443/", "https://a.org:٤٤٣/", "https://a.org:8x/",
            // No link to a site at all.
            "", "a.org", "//a.org/", "https:a.org", "https:/a.org/", "https://", "https:///a.org/", "https://:443/",
            "ftp://a.org/", "file:///etc/passwd", "javascript:https://a.org/", "https+x://a.org/",
            "the page https://a.org/",
        ])
    func none(link: String) {
        #expect(WebOrigin(link) == nil)
    }

    @Test("names are no longer than names of the DNS")
    func long() {
        let label = String(repeating: "a", count: 63)
        #expect(WebOrigin("https://\(label).org/") != nil)
        #expect(WebOrigin("https://\(label)a.org/") == nil)
        let host = Array(repeating: label, count: 3).joined(separator: ".")
        #expect(WebOrigin("https://\(host).\(String(repeating: "b", count: 61))/") != nil)
        #expect(WebOrigin("https://\(host).\(String(repeating: "b", count: 62))/") == nil)
    }
}
