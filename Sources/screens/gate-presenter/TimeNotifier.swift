import GateClient
import GateModel
import GateScreens
import GateTexts
import GateWindows
import Glibc

/// Shows a notification on this desktop when the time for what its user is using is about to end. Its buttons ask for
/// more time, or open the page of `gate-settings` with all of it. The status icon's menu also has lines that ask for
/// more.
@GLibLoop
final class TimeNotifier {
    private let gate: GateClient
    private let settings: SettingsOpening
    private var file: ToldFile
    private var machine: TimeNoticeStateMachine
    private var notice: Notice?
    private let timer = RedrawTimer()
    /// The number of the last look-up of the gated actions, and whether one is under way. The first one is for the
    /// menu.
    private var looked: Int?
    private var isLooking = false
    /// The lines of the status icon's menu.
    private(set) var menu: [MoreTimeLine] = [] {
        didSet { if menu != oldValue { menuChanged() } }
    }
    var menuChanged: @GLibLoop () -> Void = {}

    /// - Parameter name: the presenter's name on the session bus.
    init(_ gate: GateClient, on bus: SessionBus, name: String, settings: SettingsOpening) {
        (self.gate, self.settings) = (gate, settings)
        file = ToldFile(name, "time")
        machine = TimeNoticeStateMachine(for: geteuid(), languages: Localization.languages, remembered: file.lines)
        notice = Notice(on: bus) { [unowned self] button in
            pressed(button)
        } gone: { [unowned self] in
            ended()
        }
    }

    /// The daemon has reported changes; what has not changed is `nil`. The times come last: if they came before the
    /// schedules, remembered warnings about schedules would be dropped as unknown.
    func changed(_ schedules: [ScheduleState]?, _ asks: [Ask]?, _ times: [UsedTime]?) {
        let now = WallTime.now()
        if let schedules { machine.schedulesChanged(to: schedules, at: now) }
        if let asks { machine.asksChanged(to: asks, at: now) }
        if let times { machine.timesChanged(to: times, at: now) }
        draw()
    }

    private func ended() {
        machine.ended()
        draw()
    }

    /// The menu is about to be opened.
    func menuOpens() {
        machine.menuOpens()
        draw()
    }

    func pressed(_ line: MoreTimeLine) { run(machine.pressedLine(of: line.gatedAction, at: .now())) }

    private func pressed(_ button: Int) { run(machine.pressed(button)) }

    private func run(_ action: TimeNoticeStateMachine.Action?) {
        draw()
        switch action {
        case .open: settings.open(.questions)
        case .askMoreTime(let gatedAction):
            Task {
                let result: Result<Ask, GateError>
                do throws(GateError) {
                    result = .success(try await gate.authorization.moreTime(for: gatedAction))
                } catch {
                    result = .failure(error)
                }
                machine.moreTimeAsked(result)
                draw()
            }
        case nil: break
        }
    }

    private func draw() {
        let now = WallTime.now()
        machine.timePassed(at: now)
        notice?.show(machine.notice.map { Notice.Content($0) })
        menu = machine.menu(at: now)
        timer.set(to: machine.nextChange(after: now).map { BootTime.now().advanced(by: $0.duration(since: now)) }) {
            [weak self] in self?.draw()
        }
        file.keep(machine.remembered)
        look()
    }

    /// Looks the gated actions up, if the machine wants it.
    private func look() {
        guard machine.look != looked, !isLooking else { return }
        isLooking = true
        let look = machine.look
        looked = look
        Task {
            let gates = try? await gate.timedGates()
            isLooking = false
            machine.gatesCame(gates, look: look, at: .now())
            draw()
        }
    }
}

extension GateClient {
    /// The gated actions that an allowance or a schedule can close. Each takes two calls.
    fileprivate func timedGates() async throws(GateError) -> [TimedGate] {
        var gates: [TimedGate] = []
        for summary in try await authorization.gatedActions() {
            let requirement = try await authorization.rule(of: summary).requirement
            guard TimedGate(summary, requirement, outlook: nil).hasTimes else { continue }
            gates.append(TimedGate(summary, requirement, outlook: try await authorization.check(summary.name)))
        }
        return gates
    }
}

extension Notice.Content {
    /// A notification that goes by itself, unless it is urgent.
    init(_ notice: AskNotice) {
        self.init(
            title: notice.title, text: notice.text, padlock: .closed,
            buttons: notice.buttons.map { Button($0.label, action: $0.number) }, stays: false,
            isUrgent: notice.isUrgent)
    }
}
