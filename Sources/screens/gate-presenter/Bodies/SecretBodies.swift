import CGTK
import GateScreens
import GateWindows

/// A passcode or an authenticator's code: a dot for each character, a keypad, and no clipboard.
@GLibLoop
final class SecretBody: QuestionBody {
    private let interface = Interface(PackageResources.secret_ui)
    private let entry: SecretField
    private let digits: Keypad
    private let onlyDigits: Bool
    private let done: @GLibLoop () -> Void
    private var takesAnswer = false
    var controls: [Widget] { [entry.widget] + digits.buttons }
    var wordFields: [WordField] { onlyDigits ? [] : [WordField(entry: entry, entered: done)] }
    var keypad: Widget? { digits.widget }
    var widget: Widget { interface.widget("root") }

    init(_ question: String, onlyDigits: Bool, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.widget("question").setText(question)
        let entry = SecretField(question, spoken: ScreenWords.typed, capsLock: ScreenWords.capsLock)
        entry.widget.add(style: "typed")
        interface.widget("root").append(entry.widget)
        let done: @GLibLoop () -> Void = { [weak entry] in
            if let entry { told(.typedSecret(entry.take())) }
        }
        entry.onEntered(done)
        let digits = Keypad(for: entry, done)
        interface.widget("root").append(digits.widget)
        self.entry = entry
        self.digits = digits
        self.onlyDigits = onlyDigits
        self.done = done
        entry.onChanged { [weak self] in self?.updateKeypad() }
    }

    func update(_ picture: ScreenModel) {
        takesAnswer = picture.takesAnswer && picture.opening.isEmpty
        updateKeypad()
    }

    func takeFocus() { entry.takeFocus() }

    private func updateKeypad() { digits.update(takesAnswer: takesAnswer, isEmpty: entry.count == 0) }
}

@GLibLoop
final class SignInBody: QuestionBody {
    private let interface = Interface(PackageResources.signin_ui)
    private let name: Widget
    private let password: SecretField
    private let button: Widget
    private let told: @GLibLoop (ScreenInput) -> Void
    private var takesAnswer = false
    var controls: [Widget] { [name, password.widget, interface.widget("add")] }
    var wordFields: [WordField] {
        let password = password
        return [
            WordField(entry: name) { password.takeFocus() },
            WordField(entry: password) { [weak self] in self?.entered() },
        ]
    }
    var widget: Widget { interface.widget("root") }

    init(_ question: String, hint: String, adding: String, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        self.told = told
        name = interface.widget("name")
        password = SecretField(ScreenWords.password, spoken: ScreenWords.typed, capsLock: ScreenWords.capsLock)
        interface.widget("password-column").append(password.widget)
        button = interface.widget("sign-in")
        interface.widget("question").setText(question)
        interface.widget("hint").setText(hint)
        interface.widget("add").setSpoken(description: hint)
        interface.widget("add").on("clicked") { told(.peopleOpened) }
        offer(adding)
        interface.widget("name-label").setText(ScreenWords.name)
        interface.widget("password-label").setText(ScreenWords.password)
        name.setSpoken(name: ScreenWords.name)
        name.takeNames()
        let (name, password) = (name, password)
        name.on("activate") { password.takeFocus() }
        let done: @GLibLoop () -> Void = { [weak self] in self?.entered() }
        password.onEntered(done)
        button.on("clicked", done)
        name.on("changed") { [weak self] in self?.updateButton() }
        password.onChanged { [weak self] in self?.updateButton() }
    }

    func update(_ picture: ScreenModel) {
        guard case .signIn(_, let isChecking, _, let adding) = picture.body else { return }
        offer(adding)
        takesAnswer = picture.takesAnswer && picture.opening.isEmpty
        button.setLabel(isChecking ? ScreenWords.signingIn : ScreenWords.signIn)
        // An invisible spinner keeps its space, so that nothing moves.
        let spinner = interface.widget("spinner")
        gtk_widget_set_opacity(spinner.widget, isChecking ? 1 : 0)
        gtk_spinner_set_spinning(spinner.pointer, isChecking ? 1 : 0)
        updateButton()
    }

    func makeRoomForKeyboard() {
        let (root, fields) = (interface.widget("root"), interface.widget("fields"))
        gtk_box_set_spacing(UnsafeMutablePointer(root.pointer), 6)
        gtk_orientable_set_orientation(fields.pointer, GTK_ORIENTATION_HORIZONTAL)
        gtk_box_set_homogeneous(UnsafeMutablePointer(fields.pointer), 1)
    }

    func takeFocus() {
        if name.text.isEmpty { name.takeFocus() } else { password.takeFocus() }
    }

    /// Shows the button with this label; without a label, the sentence that says who can add a person.
    private func offer(_ adding: String) {
        let add = interface.widget("add")
        if !adding.isEmpty { add.setLabel(adding) }
        add.setVisible(!adding.isEmpty)
        interface.widget("hint").setVisible(adding.isEmpty)
    }

    private func entered() {
        guard button.isSensitive else { return }
        told(.signedIn(name: name.text, password: password.take()))
    }

    private func updateButton() {
        let isMissing = name.text.isEmpty || password.count == 0
        button.setSensitive(takesAnswer && !isMissing)
    }
}
