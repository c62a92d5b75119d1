/// A keyboard on the screen, for names and passwords where there is no other (S-15): letters of three alphabets, signs, and digits
/// above all of them.
package struct KeyboardStateMachine: Hashable, Sendable {
    /// The letters of a language.
    package enum Layout: Hashable, Sendable, CaseIterable {
        case latin
        case german
        case cyrillic

        /// As it stands on the key that changes it.
        package var label: String {
            switch self {
            case .latin: "EN"
            case .german: "DE"
            case .cyrillic: "РУ"
            }
        }

        /// The one that a person of this language begins with.
        ///
        /// - Parameter language: a BCP 47 tag; `nil`: none was asked for.
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

    /// A key.
    package enum Key: Hashable, Sendable {
        case character(String)
        case shift
        case erase
        case space
        /// The field has all that it is to have.
        case enter
        /// To the signs, and back.
        case signs
        /// To the letters of the next alphabet.
        case layout
    }

    /// The result of a key.
    package enum Effect: Hashable, Sendable {
        case type(String)
        case erase
        case enter
        /// Other keys stand there now.
        case changed
    }

    private enum Shift: Hashable {
        /// Small letters. Can go to: once.
        case off
        /// The next letter is a large one. Can go to: locked, off.
        case once
        /// Large letters until it is pressed again. Can go to: off.
        case locked
    }

    /// All signs of ASCII, and some more that passwords have.
    private static let signs = ["1234567890", "!\"§$%&/()=?", "@#*+-_:;,.'€", "`~^<>[]{}\\|"]

    /// The alphabet.
    package private(set) var layout: Layout
    /// Whether signs stand in place of letters.
    package private(set) var showsSigns = false
    private var shift = Shift.off

    /// Begins with the letters of a language.
    package init(layout: Layout) {
        self.layout = layout
    }

    /// Whether large letters stand there.
    package var isShifted: Bool { shift != .off }

    /// All keys, row by row from the top.
    package var rows: [[Key]] {
        let signs = (showsSigns ? Self.signs : layout.rows).map { row in row.map { Key.character(shown(String($0))) } }
        let last = showsSigns ? signs[3] + [.erase] : [.shift] + signs[3] + [.erase]
        let bottom: [Key] = [.signs, .layout, .space, .character("."), .character("-"), .character("@"), .enter]
        return [signs[0], signs[1], signs[2], last, bottom]
    }

    /// The label of a key.
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

    /// A key was pressed.
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

    /// `ß` has no large letter of one character that keyboards type.
    private func shown(_ character: String) -> String {
        let large = character.uppercased()
        return isShifted && large.count == 1 ? large : character
    }
}
