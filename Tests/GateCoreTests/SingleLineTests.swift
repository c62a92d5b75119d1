import GateModel
import Testing

@testable import GateCore

@Suite("One line, as it is shown")
struct SingleLineTests {
    @Test(
        "letters, symbols and emoji of any script are accepted",
        arguments: [
            "", " ", "https://example.org/?a=b~", "café", "3,99 €", "Привет", "写真を消す", "صور", "👍🏽", "❤\u{fe0f}",
            "👨\u{200d}👩\u{200d}👧\u{200d}👦", "🏳\u{fe0f}\u{200d}🌈", "1\u{fe0f}\u{20e3}",
            // Persian and Hindi, which need joiners and what keeps letters apart; Hebrew with its marks.
            "می\u{200c}خواهم", "ه\u{200d}", "क्\u{200d}ष", "שָׁ֑לוֹם", "ế",
        ])
    func plain(text: String) {
        #expect(text.isSingleLine)
    }

    @Test(
        "invisible characters, ones that change the direction, and ones drawn differently everywhere are refused",
        arguments: [
            "\u{0}", "\n", "\u{7f}", "\u{85}", "\u{2028}", "\u{2029}",
            // Format: soft hyphen, zero width, directions, joiners, tags.
            "\u{ad}", "\u{200b}", "\u{200d}", "\u{200e}", "\u{202e}", "\u{2066}", "\u{61c}", "\u{feff}", "\u{e0041}",
            // Private use, and nothing at all.
            "\u{e000}", "\u{f0000}", "\u{10fffd}", "\u{378}", "\u{ffff}",
            // Joiners where there is nothing to join.
            "\u{200c}", "x\u{200d}y", "👨\u{200d}x", "م\u{200c}x", "م\u{200d}\u{200d}م",
            // What is drawn as nothing.
            "\u{3164}", "\u{115f}", "\u{1160}", "\u{ffa0}", "\u{2800}", "x\u{fe0f}", "\u{fe00}", "\u{34f}",
            // More marks than any letter has, and marks on nothing.
            "e" + String(repeating: "\u{301}", count: 1500), "e\u{301}\u{302}\u{303}\u{304}\u{305}", " \u{301}",
        ])
    func refused(text: String) {
        #expect(!text.isSingleLine && !"a\(text)é".isSingleLine && !"é\(text)".isSingleLine)
    }

    @Test("a text that is too long is cut between characters, with a mark, to no more than its room")
    func cut() {
        #expect("abcdef".cut(toByteCount: 6) == "abcdef")
        #expect("abcdefg".cut(toByteCount: 6) == "abc…")
        #expect("aééééé".cut(toByteCount: 7) == "aé…" && "aééééé".cut(toByteCount: 8) == "aéé…")
        let joined = "e" + String(repeating: "\u{301}", count: 100)
        #expect("ab\(joined)".cut(toByteCount: 50) == "ab…")
    }
}
