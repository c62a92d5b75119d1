import GateModel

/// A name and a password as they are typed into two fields, one after the other. The password is wiped when it is taken.
struct SignInFields: Hashable {
    enum Field: Hashable {
        case name
        case password
    }

    /// The event that came of a key.
    enum Event: Hashable {
        /// The fields are others, or the same.
        case edited
        /// Both are full, and the person wants to go on. The name stays, for another try.
        case finished(name: String, password: GateSecret)
        /// The person wants to go on, and this one is empty (F-66).
        case missing(Field)
        /// The person closes it.
        case dismissed
    }

    /// Where the next key goes.
    private(set) var field = Field.name
    private var nameEditor = LineEditor(alphabet: .any)
    private var passwordEditor = LineEditor(alphabet: .any)

    /// As it was typed (F-67).
    var name: String { nameEditor.text }

    /// A dot for each character, and nothing else of it (F-67).
    func dots(_ dot: Character) -> String { String(repeating: dot, count: passwordEditor.characterCount) }

    /// Whether the button does something (F-66).
    var canLogIn: Bool { !nameEditor.isEmpty && !passwordEditor.isEmpty }

    /// - Parameter mayLogIn: nobody else's are being checked just now.
    mutating func keyReceived(_ key: Key, mayLogIn: Bool) -> Event {
        switch key {
        case .tab, .backTab:
            field = field == .name ? .password : .name
            return .edited
        case .enter:
            return entered(mayLogIn: mayLogIn)
        case .escape:
            return .dismissed
        case .press, .release:
            return .edited
        case .byte, .backspace, .clear, .end, .redraw, .up, .down, .pageUp, .pageDown, .back:
            switch field {
            case .name: _ = nameEditor.keyReceived(key)
            case .password: _ = passwordEditor.keyReceived(key)
            }
            return .edited
        }
    }

    /// The person has pressed on it.
    mutating func pressed(_ field: Field) {
        self.field = field
    }

    /// They were wrong, or could not be checked: the password is to be typed again.
    mutating func refused() {
        field = nameEditor.isEmpty ? .name : .password
        passwordEditor = LineEditor(alphabet: .any)
    }

    private mutating func entered(mayLogIn: Bool) -> Event {
        guard !nameEditor.isEmpty else {
            field = .name
            return .missing(.name)
        }
        if field == .name {
            field = .password
            guard canLogIn else { return .edited }
        }
        guard !passwordEditor.isEmpty else { return .missing(.password) }
        guard mayLogIn else { return .edited }
        let name = nameEditor.text
        switch passwordEditor.keyReceived(.enter) {
        case .finished(let password): return .finished(name: name, password: password)
        case .edited, .ended, .dismissed: return .edited
        }
    }
}
