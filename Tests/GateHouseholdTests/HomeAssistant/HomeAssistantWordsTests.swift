import GateModel
import Testing

@testable import gate_household

@Suite("The words of a question as Home Assistant reads them (H-07)")
struct HomeAssistantWordsTests {
    private func text(_ purpose: Presentation.Purpose = .authorize, title: LocalizedText = "Buy", details: String)
        -> String
    {
        ClearWords(
            purpose: purpose,
            asked: PresentationContext(
                uid: 1, pid: 2, program: "shop", gatedAction: "shop.buy", title: title, details: details)
        ).text
    }

    @Test("the words are the title and the details in one line, without program and user")
    func line() {
        #expect(text(details: "12 gems, 2.99 €") == "Buy: 12 gems, 2.99 €")
        #expect(text(details: "") == "Buy")
        #expect(text(title: "", details: "12 gems") == "shop.buy: 12 gems")
        #expect(text(.enterParentMode, title: "", details: "") == "Parent mode")
        #expect(text(.extendParentMode, title: "", details: "for 5m").hasSuffix(": for 5m"))
    }

    @Test(
        "an invisible or direction-changing character is replaced by a mark",
        arguments: [
            "\u{202E}", "\u{2066}", "\u{200B}", "\u{AD}", "\u{1B}", "\n", "\u{2028}", "\u{2029}", "\0", "\u{7F}",
            "\u{E0041}", "\u{115F}", "\u{E000}", "\u{FFFE}",
        ])
    func hidden(scalar: String) {
        #expect(text(details: "1\(scalar)2") == "Buy: 1\u{FFFD}2")
        #expect(text(title: LocalizedText("B\(scalar)uy"), details: "") == "B\u{FFFD}uy")
    }

    @Test(
        "words of any script and emoji stay as they are",
        arguments: ["Звёзды", "星星", "نجوم", "❤️", "👩‍👧", "e\u{301}", "<b>"])
    func seen(text word: String) {
        #expect(text(details: word) == "Buy: \(word)")
    }
}
