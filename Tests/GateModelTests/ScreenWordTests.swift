import GateModel
import Testing

@Suite("The secret word on Gate's own screen (S-15)")
struct ScreenWordTests {
    @Test(
        "blanks around the word are removed, and blanks within it become one",
        arguments: [" blauer  Igel ", "blauer Igel\n", "\tblauer\nIgel"])
    func blanks(typed: String) throws {
        #expect(try ScreenWord(typed).text == "blauer Igel")
    }

    @Test(
        "the word has 2 to 40 characters of any script, and emoji count",
        arguments: ["ёж", "刺猬", "🦔🍋", "abcdefghij abcdefghij abcdefghij abcdefg"])
    func lengths(typed: String) throws {
        #expect(try ScreenWord(typed).text == typed)
    }

    @Test(
        "a word that is too short or too long is refused", arguments: ["", " ", "x", String(repeating: "x", count: 41)])
    func tooLong(typed: String) {
        #expect(throws: ScreenWord.Problem.length) { try ScreenWord(typed) }
    }

    @Test(
        "a word with invisible characters is refused",
        arguments: [
            "ig\u{202e}el", "i\u{200b}gel", "\u{1b}[31migel", "igel\u{feff}",
            String(repeating: "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", count: 20),
        ])
    func hidden(typed: String) {
        #expect(throws: ScreenWord.Problem.hidden) { try ScreenWord(typed) }
    }
}
