import GateModel

/// The two fields of a sign-in. The password is wiped when it is taken.
struct SignInFields: Hashable {
    enum Field: Hashable {
        case name
        case password
    }

    enum Event: Hashable {
        case edited
        /// Both fields are filled, and the person wants to go on. The name stays for another try.
        case finished(name: String, password: GateSecret)
        /// The person wants to go on, but this field is empty.
        case missing(Field)
        case dismissed
    }

    /// The field that gets the next key.
    private(set) var field = Field.name
    private var nameEditor = LineEditor(alphabet: .any)
    private var passwordEditor = LineEditor(alphabet: .any)

    /// Exactly as it was typed.
    var name: String { nameEditor.text }

    /// One dot for each character, and nothing else about the password.
    func dots(_ dot: Character) -> String { String(repeating: dot, count: passwordEditor.characterCount) }

    var canLogIn: Bool { !nameEditor.isEmpty && !passwordEditor.isEmpty }

    mutating func keyReceived(_ key: Key) -> Event {
        switch key {
        case .tab, .backTab:
            field = field == .name ? .password : .name
            return .edited
        case .enter:
            return entered()
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

    mutating func pressed(_ field: Field) {
        self.field = field
    }

    /// The name and the password were wrong, or could not be checked. The password has to be typed again.
    mutating func refused() {
        field = nameEditor.isEmpty ? .name : .password
        passwordEditor = LineEditor(alphabet: .any)
    }

    private mutating func entered() -> Event {
        guard !nameEditor.isEmpty else {
            field = .name
            return .missing(.name)
        }
        if field == .name {
            field = .password
            guard canLogIn else { return .edited }
        }
        guard !passwordEditor.isEmpty else { return .missing(.password) }
        let name = nameEditor.text
        switch passwordEditor.keyReceived(.enter) {
        case .finished(let password): return .finished(name: name, password: password)
        case .edited, .ended, .dismissed: return .edited
        }
    }
}
