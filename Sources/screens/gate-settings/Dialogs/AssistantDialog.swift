import CGTK
import GateScreens
import GateWindows

/// The assistant that sets a device up, one page after the other in a window of its own.
@GLibLoop
final class AssistantDialog {
    private let command: [String]?
    private let window: DialogWindow
    private var machine: AssistantStateMachine
    private var process: GatectlProcess?
    private var fields: FieldRows?
    private var rows: [RowDrawing] = []
    /// The page that is shown.
    private var shown: AssistantPage?

    /// - Parameters:
    ///   - command: starts `gatectl setup --for-window` as root; `nil`: nothing can.
    ///   - closed: called when the window is closed, whether anything was set up or not.
    init(_ command: [String]?, over parent: Widget, closed: @escaping @GLibLoop () -> Void) {
        self.command = command
        machine = AssistantStateMachine(canBegin: command != nil)
        window = DialogWindow(
            over: parent, title: AssistantWords.title, text: "", button: "", height: 480, closed: closed)
        window.onDone { [weak self] in self?.goOn() }
        window.onLeave { [weak self] in self?.leave() }
        draw()
        window.open()
    }

    /// The window is closed: tells gatectl that nobody answers any more. If the plan was not agreed to yet, it ends;
    /// what was agreed to is done all the same.
    func hangUp() { process?.hangUp() }

    private func begin() {
        guard let command, process == nil else { return }
        process = GatectlProcess(command) { [weak self] line in
            guard let self, let message = SetupMessage(line: line) else { return }
            machine.came(message)
            draw()
        } ended: { [weak self] status in
            self?.machine.ended(status)
            self?.draw()
        }
        machine.began()
        if process == nil { machine.ended(nil) }
        draw()
    }

    private func goOn() {
        guard process != nil else { return begin() }
        do throws(SettingsDialog.Mistake) {
            guard let line = try machine.answered(fields?.taken() ?? SettingsDialog.Filled()) else { return }
            process?.send(line)
            draw()
        } catch {
            window.say(error.text)
            fields?.takeFocusAgain()
        }
    }

    /// Goes back to the question before, or closes the window if there is none.
    private func leave() {
        guard let line = machine.wentBack() else { return window.close() }
        process?.send(line)
        draw()
    }

    private func draw() {
        let page = machine.page
        guard window.isOpen, page != shown else { return }
        shown = page
        window.turn(toText: page.text, button: page.next, leave: AssistantWords.leave(page.leaving))
        fields =
            page.fields.isEmpty
            ? nil : FieldRows(page.fields, page.initial, in: window) { [weak self] in self?.goOn() }
        if let secret = fields?.secrets[.newPassword] { window.weigh(secret) }
        rows = page.rows.map { RowDrawing($0) { _ in } }
        for row in rows { window.add(row.widget) }
        window.say(page.problem)
        if let fields { fields.takeFocus() } else { window.takeFocus() }
    }
}
