import CGTK
import GateClient
import GateModel
import GateScreens
import GateTexts

// The dialogs of the window. One is open at a time.

extension SettingsController {
    func openFields(_ fields: SettingsDialog) {
        guard dialog == nil, let window else { return }
        dialog = .fields(
            FieldsDialog(
                fields, over: window.window, closed: { [weak self] in self?.fieldsClosed() },
                left: { [weak self] act in
                    self?.afterDialog = act
                    self?.closeDialog()
                }
            ) { [weak self] request in
                guard let self else { return nil }
                if case .changeGate(let change) = request { return await check(change) }
                if case .openDevice(let device, let mode) = request {
                    return await command(.open, .override(mode), to: [device])
                }
                let error = await gate.refusal(of: request)
                done()
                return error
            })
    }

    /// Asks the daemon what a change of a gate would do. The person is asked when the dialog is closed.
    private func check(_ change: ChosenGate) async -> GateError? {
        let asking = fieldsDialog
        switch await gate.checked(change) {
        case .success(let next):
            // The person may have closed the dialog meanwhile, and opened another one.
            if let asking, asking === fieldsDialog { afterDialog = next }
            return nil
        case .failure(let error): return error
        }
    }

    private var fieldsDialog: FieldsDialog? { if case .fields(let dialog)? = dialog { dialog } else { nil } }

    private func fieldsClosed() {
        dialog = nil
        let next = afterDialog
        afterDialog = nil
        if let next { received(.pressed(next)) }
    }

    func openAuthenticator() {
        guard dialog == nil, let window else { return }
        dialog = .authenticator(
            AuthenticatorDialog(
                AuthenticatorKey(account: Self.hostName), over: window.window,
                closed: { [weak self] in self?.dialog = nil }
            ) { [gate] key, code in
                do throws(GateError) {
                    try await gate.secrets.enrolTOTP(key: key, code: code)
                    return nil
                } catch {
                    return error
                }
            })
    }

    func openRows(_ id: UInt64, _ rows: [SettingsRow]) {
        guard dialog == nil, let window else { return }
        dialog = .rows(
            RowsDialog(SettingsWords.response(id), rows, over: window.window) { [weak self] in self?.dialog = nil })
    }

    /// The daemon is lost, so nothing that is filled in can be sent.
    func closeDialog() {
        switch dialog {
        case .fields(let dialog): dialog.close()
        case .authenticator(let dialog): dialog.close()
        case .rows(let dialog): dialog.close()
        // Setting up may start the daemon again.
        case .assistant, nil: break
        }
    }

    func openAssistant() {
        guard dialog == nil, let window else { return }
        dialog = .assistant(
            AssistantDialog(setup, over: window.window) { [weak self] in self?.assistantClosed() })
    }

    private func assistantClosed() {
        if case .assistant(let assistant)? = dialog { assistant.hangUp() }
        dialog = nil
        done()
    }

    private static var hostName: String { g_get_host_name().map { String(cString: $0) } ?? "" }
}
