import Testing

@testable import GateDaemon

@Suite("Names that programs give themselves")
struct ProgramNameTests {
    @Test(
        "characters that are invisible, or could mislead, are removed from a name",
        arguments: [
            ("gatectl", "gatectl"), ("Bilder für Opa", "Bilder für Opa"), ("照片", "照片"), ("", ""),
            ("a\nb\tc\u{0}d\u{7f}", "abcd"), ("\u{1b}[31mred", "[31mred"), ("\u{85}\u{9b}x", "x"),
            ("abc\u{202e}fdp.exe\u{202c}", "abcfdp.exe"), ("\u{2066}a\u{2069}\u{200f}b\u{61c}", "ab"),
            ("one\u{2028}two\u{2029}", "onetwo"), ("zero\u{200b}width\u{feff}", "zerowidth"),
        ])
    func cleaned(name: String, expected: String) {
        #expect(ProgramName.cleaned(name, byteLimit: 64) == expected)
    }

    @Test("a name that is too long is cut, between characters of UTF-8")
    func cut() {
        #expect(ProgramName.cleaned(String(repeating: "x", count: 100), byteLimit: 64).utf8.count == 64)
        #expect(ProgramName.cleaned(String(repeating: "ä", count: 100), byteLimit: 7) == "äää")
        #expect(ProgramName.cleaned("a😀b", byteLimit: 4) == "a")
    }
}
