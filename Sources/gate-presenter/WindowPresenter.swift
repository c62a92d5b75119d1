import CGTK
import GateClient
import GateModel
import GateScreens
import GateWindows

/// Presents in windows, for all programs of the device, until it is ended.
@GLibLoop
final class WindowPresenter {
    private let gate: GateClient
    private let bus: SessionBus?
    private lazy var marker = ModeMarker(gate, on: bus) { [unowned self] in window?.show($0) }
    private var machine = ScreenStateMachine(for: .ofEnvironment(year: thisYear()))
    private var open: OpenPresentation?
    private var window: QuestionWindow?
    private let timer = RedrawTimer()

    /// - Parameter bus: of the session; `nil`: it has none.
    init(_ gate: GateClient, on bus: SessionBus?) {
        (self.gate, self.bus) = (gate, bus)
    }

    /// - Returns: why the daemon does not let this user present; `nil`: it was stopped.
    func run() async -> GateError? {
        let abilities = PresenterAbilities(kinds: ScreenStateMachine.kinds, styles: Set(Presentation.Style.allCases))
        // Another screen may sign somebody in meanwhile.
        let watching = Task {
            for await event in gate.events(of: [.signIn, .mode]) {
                if let mode = event.mode { marker.modeChanged(to: mode) }
                switch event {
                case .snapshot(let message), .change(let message), .resumed(let message):
                    if let signIn = message.signIn { machine.signInChanged(to: signIn) }
                case .lost: machine.signInChanged(to: .closed)
                }
                draw()
            }
        }
        defer { watching.cancel() }
        for await event in gate.presentations.events(for: abilities) {
            switch event {
            case .show(let presentation): show(presentation)
            case .close(let id):
                machine.presentationClosed(id)
                draw()
            case .refused(let error): return error
            case .registered, .lost: break
            }
        }
        return nil
    }

    private func show(_ presentation: OpenPresentation) {
        open = presentation
        machine.presentationCame(
            presentation.presentation, userName: LocalAccounts.userName(of: presentation.asked.uid),
            sharesClock: presentation.sharesClock)
        draw()
    }

    private func draw() {
        let now = BootTime.now()
        defer { timer.set(to: machine.nextChange(after: now)) { [weak self] in self?.draw() } }
        guard let picture = machine.picture(at: now) else {
            window?.close()
            window = nil
            open = nil
            return
        }
        if let window, window.shows(picture) {
            window.update(picture)
        } else {
            window?.close()
            window = QuestionWindow(picture, marker.mark) { [weak self] in self?.received($0) }
        }
        guard machine.isWaitingToBeDrawn, let window else { return }
        window.onceDrawn { [weak self] in
            guard let self else { return }
            carryOut(machine.drawn(picture.id, at: .now()))
            draw()
        }
    }

    private func received(_ input: ScreenInput) {
        carryOut(machine.inputReceived(input, at: .now()))
        draw()
    }

    private func carryOut(_ actions: [ScreenStateMachine.Action]) {
        guard let open else { return }
        for action in actions {
            Task { await carryOut(action, on: open) }
        }
    }

    private func carryOut(_ action: ScreenStateMachine.Action, on open: OpenPresentation) async {
        do throws(GateError) {
            switch action {
            case .report(let input): try await open.report(input)
            case .complete(let answer):
                _ = try await open.complete(answer)
                machine.answerTaken(open.id)
            case .logIn(let name, let password):
                // The state closes it.
                try await open.logIn(name: name, password: password)
            case .dismiss:
                try await open.dismiss()
                machine.answerTaken(open.id)
            }
        } catch {
            // That something is shown is told in passing; whether it can be answered is heard elsewhere.
            guard action != .report(.shown) else { return }
            machine.answerRefused(open.id, error, leavesOpen: error.leavesQuestionOpen)
        }
        draw()
    }
}

/// In the calendar of most countries.
private func thisYear() -> Int {
    guard let now = g_date_time_new_now_local() else { return 2026 }
    defer { g_date_time_unref(now) }
    return Int(g_date_time_get_year(now))
}
