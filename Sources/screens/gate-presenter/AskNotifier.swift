import GateClient
import GateModel
import GateScreens
import GateTexts
import GateWindows
import Glibc

/// Tells of asks, or of apps that ask how old a person is, in a notification of this desktop, and does what its buttons
/// say: "No", or the page of `gate-settings` that has all of them.
@GLibLoop
final class AskNotifier {
    private let gate: GateClient
    private let settings: SettingsOpening
    /// The page that has all of them.
    private let page: SettingsPage.ID
    private var file: ToldFile
    private var machine: AskNoticeStateMachine
    private var notice: Notice?
    private let timer = RedrawTimer()

    /// - Parameter name: the presenter's name on the session bus.
    init(
        _ subject: AskNoticeStateMachine.Subject, _ gate: GateClient, on bus: SessionBus, name: String,
        settings: SettingsOpening
    ) {
        (self.gate, self.settings) = (gate, settings)
        let told: String
        (told, page) =
            switch subject {
            case .waiting: ("asks", .questions)
            case .answered: ("answers", .questions)
            case .apps: ("apps", .ages)
            }
        file = ToldFile(name, told)
        machine = AskNoticeStateMachine(
            subject, for: geteuid(), languages: Localization.languages, remembered: file.lines)
        notice = Notice(on: bus) { [unowned self] button in
            pressed(button)
        } gone: { [unowned self] in
            ended()
        }
    }

    func asksChanged(to asks: [Ask]) {
        machine.minutesEastOfUTC = WallTime.now().secondsEastOfUTC / 60
        machine.asksChanged(to: asks, at: .now())
        draw()
    }

    func appsChanged(to waiting: [AgeApp]) {
        machine.appsChanged(to: waiting, at: .now())
        draw()
    }

    func questionChanged(to id: UInt64?) {
        machine.questionChanged(to: id, at: .now())
        draw()
    }

    private func ended() {
        machine.ended()
        draw()
    }

    private func pressed(_ button: Int) {
        let action = machine.pressed(button)
        draw()
        switch action {
        case .open: settings.open(page)
        case .refuse(let number):
            // If the daemon refuses, the question stays on the page.
            Task { _ = try? await gate.authorization.answerAsk(number, isAllowed: false) }
        case nil: break
        }
    }

    private func draw() {
        machine.timePassed(at: .now())
        notice?.show(machine.notice.map { Notice.Content($0) })
        file.keep(machine.remembered)
        timer.set(to: machine.nextChange) { [weak self] in self?.draw() }
    }
}
