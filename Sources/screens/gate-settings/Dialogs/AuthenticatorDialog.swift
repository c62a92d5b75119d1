import CGTK
import GateModel
import GateScreens
import GateTexts
import GateWindows

/// Sets up an authenticator: shows a new key to scan or to type, and asks for a code as the proof that the
/// authenticator has the key.
@GLibLoop
final class AuthenticatorDialog {
    private let enrolment: AuthenticatorKey
    private let window: DialogWindow
    private let code: SecretField
    private let send: @GLibLoop (_ key: GateSecret, _ code: GateSecret) async -> GateError?
    private var isBusy = false

    init(
        _ enrolment: AuthenticatorKey, over parent: Widget, closed: @escaping @GLibLoop () -> Void,
        send: @escaping @GLibLoop (GateSecret, GateSecret) async -> GateError?
    ) {
        self.enrolment = enrolment
        self.send = send
        window = DialogWindow(
            over: parent, title: SettingsWords.setUpAuthenticator, text: SettingsWords.scan,
            button: SettingsWords.setUp, closed: closed)
        // Every program on the accessibility bus can read labels and descriptions, so none of them has the key.
        let unsaid = SettingsWords.keyIsNotSpoken
        if let picture = QRCode(enrolment.link) {
            window.addPicture(
                .code(size: picture.size, name: SettingsWords.keyAsCode, description: unsaid) { picture[$0, $1] })
        }
        window.addPicture(
            .drawnText(
                SettingsWords.key("\n\(Self.lines(enrolment.groupedKey))"), name: SettingsWords.keyInLetters,
                description: unsaid))
        window.describe(unsaid)
        code = window.addSecret(SettingsWords.code)
        code.onEntered { [weak self] in self?.done() }
        window.onDone { [weak self] in self?.done() }
        window.open()
        code.takeFocus()
    }

    func close() { window.close() }

    /// Two lines, the first with four groups, because drawn text does not wrap.
    private static func lines(_ groupedKey: String) -> String {
        let groups = groupedKey.split(separator: " ")
        return [groups.prefix(4), groups.dropFirst(4)].map { $0.joined(separator: " ") }.joined(separator: "\n")
    }

    private func done() {
        guard !isBusy else { return }
        // Authenticators show a code in groups, so people type spaces.
        let typed = GateSecret(code.take().withBytes { Array($0) }.filter { $0 != UInt8(ascii: " ") })
        isBusy = true
        window.setBusy(true)
        Task { [self] in
            let error = await send(enrolment.key, typed)
            isBusy = false
            guard window.isOpen else { return }
            window.setBusy(false)
            guard let error else { return close() }
            window.say(error.reason == .wrongAnswer ? SettingsWords.wrongCode : RefusalText.sentence(error))
            code.takeFocus()
        }
    }
}
