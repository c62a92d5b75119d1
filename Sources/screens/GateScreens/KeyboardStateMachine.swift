/// The keyboard for names and passwords on a screen without a real one: three alphabets, signs, and digits above each.
package struct KeyboardStateMachine: Hashable, Sendable {
    package enum Layout: Hashable, Sendable, CaseIterable {
        case latin
        case german
        case cyrillic

        /// The text on the key that changes the alphabet.
        package var label: String {
            switch self {
            case .latin: "EN"
            case .german: "DE"
            case .cyrillic: "РУ"
            }
        }

        /// - Parameter language: a BCP 47 tag; `nil` if no language was asked for.
        package static func first(for language: String?) -> Layout {
            switch language?.prefix(2) {
            case "de": .german
            case "ru": .cyrillic
            case _: .latin
            }
        }

        fileprivate var rows: [String] {
            switch self {
            case .latin: ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"]
            case .german: ["1234567890ß", "qwertzuiopü", "asdfghjklöä", "yxcvbnm"]
            case .cyrillic: ["1234567890", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбюё"]
            }
        }
    }

    package enum Key: Hashable, Sendable {
        case character(String)
        case shift
        case erase
        case space
        /// Ends the typing into this field.
        case enter
        case signs
        case layout
    }

    /// What the program has to do after a key.
    package enum Effect: Hashable, Sendable {
        case type(String)
        case erase
        case enter
        /// The keys have changed and have to be drawn again. After `type` too, if `isShifted` has changed.
        case changed
    }

    private enum Shift: Hashable {
        /// Small letters. Can go to: once.
        case off
        /// The next letter is a capital. Can go to: locked, off.
        case once
        /// Capitals until the key is pressed again. Can go to: off.
        case locked
    }

    /// All punctuation of ASCII, and a few other characters that occur in passwords.
    private static let signs = ["1234567890", "!\"§$%&/()=?", "@#*+-_:;,.'€", "`~^<>[]{}\\|"]

    package private(set) var layout: Layout
    package private(set) var showsSigns = false
    private var shift = Shift.off

    package init(layout: Layout) {
        self.layout = layout
    }

    package var isShifted: Bool { shift != .off }

    package var rows: [[Key]] {
        let signs = (showsSigns ? Self.signs : layout.rows).map { row in row.map { Key.character(shown(String($0))) } }
        let last = showsSigns ? signs[3] + [.erase] : [.shift] + signs[3] + [.erase]
        let bottom: [Key] = [.signs, .layout, .space, .character("."), .character("-"), .character("@"), .enter]
        return [signs[0], signs[1], signs[2], last, bottom]
    }

    package func label(of key: Key) -> String {
        switch key {
        case .character(let character): character
        case .shift:
            switch shift {
            case .off: "⇧"
            case .once: "⬆"
            case .locked: "⇪"
            }
        case .erase: "⌫"
        case .space: "␣"
        case .enter: "⏎"
        case .signs: showsSigns ? "abc" : "#+="
        case .layout: layout.label
        }
    }

    package mutating func pressed(_ key: Key) -> Effect {
        switch key {
        case .character(let character):
            if shift == .once { shift = .off }
            return .type(character)
        case .space: return .type(" ")
        case .erase: return .erase
        case .enter: return .enter
        case .shift:
            shift =
                switch shift {
                case .off: .once
                case .once: .locked
                case .locked: .off
                }
            return .changed
        case .signs:
            showsSigns.toggle()
            shift = .off
            return .changed
        case .layout:
            let all = Layout.allCases
            let next = (all.firstIndex(of: layout) ?? 0) + 1
            layout = all[next % all.count]
            showsSigns = false
            return .changed
        }
    }

    /// `ß` stays as it is: its capital is "SS", which is two characters.
    private func shown(_ character: String) -> String {
        let large = character.uppercased()
        return isShifted && large.count == 1 ? large : character
    }
}
