import GateModel
import GateScreens

/// Times, gated actions and asks for the tests of warnings. Ben plays, and uses the allowance "games".
enum TimesOfBen {
    static let ben: UInt32 = 1002
    static let start = WallTime(unixMilliseconds: 1_773_144_000_000)

    static func minutes(_ count: Int) -> WallTime { start.advanced(by: .seconds(count * 60)) }

    static func used(
        _ seconds: Int?, _ subject: UsedTime.Subject = .allowance("games"), uid: UInt32 = ben, isToday: Bool = true,
        isRunning: Bool = true
    ) -> UsedTime {
        UsedTime(
            person: "Ben", uid: uid, subject: subject, day: CivilDate(start), used: .zero,
            left: seconds.map { .seconds($0) }, isToday: isToday, isRunning: isRunning)
    }

    static func gate(
        _ name: String = "game.play", title: LocalizedText = "Play",
        _ requirement: Requirement = .allowance(Allowance("games")), more: [AskChoice] = [], opens day: String? = nil,
        isGranted: Bool = false
    ) -> TimedGate {
        let closed = day.map { day in
            GateError(
                .failedPrecondition, .outOfHours, "It is closed.", parameters: ["day": day, "time": "9:00"])
        }
        return TimedGate(
            GatedActionSummary(name: name, title: title, requirement: "", keep: nil, moreTime: more), requirement,
            outlook: isGranted ? AuthorizationOutlook(.granted) : AuthorizationOutlook(.denied, refusal: closed))
    }

    static func moreTime(
        _ state: Ask.State, until end: WallTime? = nil, uid: UInt32 = ben, device: String = "",
        gatedAction: String = "game.play"
    ) -> Ask {
        Ask(
            id: 7, uid: uid, person: "Ben", gatedAction: gatedAction, titles: "More time: Play", details: "",
            state: state,
            ends: end, device: device, isMoreTime: true)
    }

    static func machine(_ remembered: Set<String> = []) -> TimeNoticeStateMachine {
        TimeNoticeStateMachine(for: ben, languages: ["en"], remembered: remembered)
    }

    /// The machine of a desktop that was told of these times, and has looked the gates up as often as it wanted.
    static func told(
        _ seconds: [Int], _ gates: [TimedGate] = [gate()], remembered: Set<String> = []
    ) -> TimeNoticeStateMachine {
        var machine = Self.machine(remembered)
        for left in seconds {
            machine.timesChanged(to: [used(left)], at: start)
            machine.gatesCame(gates, look: machine.look, at: start)
        }
        return machine
    }

    static func labels(_ machine: TimeNoticeStateMachine) -> [String] {
        machine.notice?.buttons.map(\.label) ?? []
    }
}
