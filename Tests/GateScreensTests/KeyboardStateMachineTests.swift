import GateScreens
import Testing

extension KeyboardStateMachine {
    /// The character that the key with this label types; `nil` if there is no such key, or it types nothing.
    fileprivate mutating func types(_ label: String) -> String? {
        guard let key = rows.joined().first(where: { self.label(of: $0) == label }) else { return nil }
        if case .type(let text) = pressed(key) { return text }
        return nil
    }

    /// All characters that can be typed with the keys that are shown.
    fileprivate var characters: Set<String> {
        Set(rows.joined().compactMap { if case .character(let character) = $0 { character } else { nil } })
    }
}

@Suite("A keyboard on the screen (S-15)")
struct KeyboardStateMachineTests {
    @Test("every ASCII character can be typed with each alphabet", arguments: KeyboardStateMachine.Layout.allCases)
    func ascii(layout: KeyboardStateMachine.Layout) {
        var keyboard = KeyboardStateMachine(layout: .latin)
        var all = keyboard.characters.union([" "])
        _ = keyboard.pressed(.shift)
        all.formUnion(keyboard.characters)
        keyboard = KeyboardStateMachine(layout: layout)
        all.formUnion(keyboard.characters)
        _ = keyboard.pressed(.signs)
        all.formUnion(keyboard.characters)
        for code in UInt8(32)...126 { #expect(all.contains(String(UnicodeScalar(code))), "\(UnicodeScalar(code))") }
    }

    @Test(
        "each alphabet has all its letters, in lower and upper case",
        arguments: [
            (KeyboardStateMachine.Layout.latin, "abcdefghijklmnopqrstuvwxyz"),
            (.german, "abcdefghijklmnopqrstuvwxyzäöüß"), (.cyrillic, "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
        ])
    func letters(layout: KeyboardStateMachine.Layout, letters: String) {
        var keyboard = KeyboardStateMachine(layout: layout)
        #expect(keyboard.characters.isSuperset(of: letters.map { String($0) }))
        _ = keyboard.pressed(.shift)
        let large = letters.map { $0 == "ß" ? "ß" : String($0).uppercased() }
        #expect(keyboard.characters.isSuperset(of: large))
    }

    @Test("shift is for one letter, and pressed twice until it is pressed again")
    func shift() {
        var keyboard = KeyboardStateMachine(layout: .german)
        #expect(keyboard.types("⇧") == nil)
        #expect(keyboard.types("Ö") == "Ö" && keyboard.types("ö") == "ö")
        _ = keyboard.types("⇧")
        _ = keyboard.types("⬆")
        #expect(keyboard.types("A") == "A" && keyboard.types("B") == "B")
        #expect(keyboard.types("⇪") == nil && keyboard.types("b") == "b")
    }

    @Test("the key of alphabets leads from one to the next, also from signs, and its label names the current one")
    func layouts() {
        var keyboard = KeyboardStateMachine(layout: .first(for: "de-CH"))
        #expect(keyboard.layout == .german && keyboard.types("ü") == "ü")
        _ = keyboard.pressed(.signs)
        #expect(keyboard.types("€") == "€" && keyboard.types("ü") == nil)
        _ = keyboard.types("DE")
        #expect(keyboard.layout == .cyrillic && keyboard.types("щ") == "щ")
        _ = keyboard.types("РУ")
        #expect(keyboard.layout == .latin && keyboard.types("q") == "q")
        #expect(KeyboardStateMachine.Layout.first(for: "ru") == .cyrillic)
        #expect(
            KeyboardStateMachine.Layout.first(for: nil) == .latin
                && .first(for: "zh-CN") == KeyboardStateMachine.Layout.latin)
    }

    @Test(
        "no row has more than the twelve keys that fit with 44 pixels each",
        arguments: KeyboardStateMachine.Layout.allCases)
    func size(layout: KeyboardStateMachine.Layout) {
        var keyboard = KeyboardStateMachine(layout: layout)
        for _ in 0..<2 {
            #expect(keyboard.rows.count == 5 && keyboard.rows.allSatisfy { $0.count <= 12 })
            #expect(Set(keyboard.rows.joined()).count == keyboard.rows.joined().count - doubles(keyboard))
            _ = keyboard.pressed(.signs)
        }
        #expect(keyboard.types("⌫") == nil && keyboard.pressed(.erase) == .erase)
    }

    /// Full stop, hyphen and at sign are beside the space bar, and among the signs too.
    private func doubles(_ keyboard: KeyboardStateMachine) -> Int { keyboard.showsSigns ? 3 : 0 }
}
