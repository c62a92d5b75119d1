import CGTK
import GateClient
import GateModel
import GateScreens
import GateWindows

/// Gate's own screen. It gets the monitor when a question comes, and gives it back.
@GLibLoop
final class OwnScreen {
    /// Whether it shows all questions and not only secrets, because it is the only screen.
    let takesAllQuestions: Bool
    private let wordFile: WordFile
    private let returnFile = ReturnFile()
    private let logind: Logind?
    private var machine: ScreenSwitchStateMachine
    private let timer = RedrawTimer()
    private var written: ScreenSwitchStateMachine.Place?
    private let waiting = WaitingWindow()

    init(takesAllQuestions: Bool, wordFile: WordFile) {
        self.takesAllQuestions = takesAllQuestions
        self.wordFile = wordFile
        logind = Logind()
        machine = ScreenSwitchStateMachine(own: logind?.own ?? .terminal(0))
        if logind == nil {
            PresenterProgram.complain(
                "logind does not give this program the monitor: it has no session. Start it as gate-screen.service.")
        }
        returnFile.write(nil)
        waiting.onKey { [weak self] in self?.changed { $0.keyPressed(at: .now()) } }
        waiting.onBack { [weak self] in self?.brought { $0.backPressed() } }
        logind?.onChange { [weak self] in self?.lookWhoIsActive() }
        lookWhoIsActive()
    }

    /// The word to show; `nil` if none was chosen.
    var word: String? { wordFile.word?.text }

    func questionCame() { brought { $0.questionCame() } }

    /// Can be called more than once for a question.
    func questionClosed(wasTakenBack: Bool) { changed { $0.questionClosed(wasTakenBack: wasTakenBack, at: .now()) } }

    private func lookWhoIsActive() {
        guard let logind else { return }
        changed { $0.activeChanged(to: logind.active, at: .now()) }
    }

    private func changed(_ event: (inout ScreenSwitchStateMachine) -> Void) {
        event(&machine)
        update()
    }

    private func brought(_ event: (inout ScreenSwitchStateMachine) -> ScreenSwitchStateMachine.Place?) {
        let place = event(&machine)
        // The file is written before the monitor changes, because this program could die in between.
        update()
        if let place { logind?.bring(place) }
    }

    private func update() {
        waiting.update(wasTakenBack: machine.wasTakenBack, canGoBack: machine.canGoBack)
        if machine.placeAfterDeath != written {
            written = machine.placeAfterDeath
            returnFile.write(written)
        }
        timer.set(to: machine.nextChange) { [weak self] in self?.brought { $0.timePassed(at: .now()) } }
    }
}

/// The window behind the questions. It does not show the word, because anybody can switch to this screen.
@GLibLoop
private final class WaitingWindow {
    private let interface = Interface(PackageResources.waiting_ui)
    private let window: Widget

    init() {
        window = interface.widget("window")
        interface.widget("back").setLabel(ScreenWords.back)
        // It can't be closed, because there is nothing behind it.
        window.onCloseRequest {}
        update(wasTakenBack: false, canGoBack: false)
        gtk_window_maximize(UnsafeMutablePointer(window.pointer))
        gtk_window_present(UnsafeMutablePointer(window.pointer))
    }

    func onKey(_ pressed: @escaping @GLibLoop () -> Void) {
        window.onKey { _ in
            pressed()
            return false
        }
    }

    func onBack(_ pressed: @escaping @GLibLoop () -> Void) { interface.widget("back").on("clicked", pressed) }

    func update(wasTakenBack: Bool, canGoBack: Bool) {
        let text = wasTakenBack ? ScreenWords.takenBack : ScreenWords.nothingAsked
        interface.widget("text").setText(text)
        window.setSpoken(name: text)
        // The button is disabled while the person may still be typing, because Space or Return would press it.
        let back = interface.widget("back")
        back.setVisible(canGoBack)
        back.setSensitive(!wasTakenBack)
    }
}
