package import GateModel
import GateTexts

/// Decides what the desktop's notification about ending time says, and when it is shown. It warns of allowances that
/// this user is using up, and of schedules that close while the user uses something that needs them. It draws nothing
/// and makes no calls.
///
/// Each warning is shown once. If there is more time afterwards, by a grown-up's answer or on a new day, it can be
/// shown again. Before a warning is shown, the gated actions are looked up anew, because they have its words, and
/// because another way may be open for them at the end, such as parent mode. Listed silent drops: a button of a warning
/// that is gone; gated actions that were looked up before something else was reached; the end of a notification that is
/// gone already; a line of the status icon's menu that is gone.
package struct TimeNoticeStateMachine: Hashable, Sendable {
    /// How close an end is.
    private enum Warning: Int, Hashable, Comparable {
        case fiveMinutes = 5
        case oneMinute = 1
        case over = 0

        /// `nil`: the end is far.
        init?(_ left: Duration) {
            if left <= .zero {
                self = .over
            } else if left <= .seconds(60) {
                self = .oneMinute
            } else if left <= .seconds(300) {
                self = .fiveMinutes
            } else {
                return nil
            }
        }

        /// How much time is left at each warning.
        static let all: [Duration] = [.seconds(300), .seconds(60), .zero]

        /// The end comes last.
        static func < (left: Self, right: Self) -> Bool { left.rawValue > right.rawValue }
    }

    /// What ends.
    private enum Limit: Hashable {
        case allowance(String)
        case schedule(String)
    }

    /// A warning in words.
    private struct Telling: Hashable {
        let title: String
        /// The line below the title. May be empty.
        let line: String
        let left: Duration
        /// The gated actions whose more time can be asked for.
        let gates: [TimedGate]
    }

    private enum Stage: Hashable {
        /// It will be shown once look-up number `look` of the gated actions has succeeded. Can go to: told, seen.
        ///
        /// - used: what was in use when it was reached, because programs may have stopped by the end.
        case reached(Warning, used: Set<UsedTime.Subject>, look: Int)
        /// The notification is about it. Can go to: seen.
        case told(Warning, Telling)
        /// The notification about it was closed, used, or not needed.
        case seen(Warning)

        var warning: Warning {
            switch self {
            case .reached(let warning, _, _), .told(let warning, _), .seen(let warning): warning
            }
        }
    }

    /// What the person wants, after a button of the notification was pressed.
    package enum Action: Hashable, Sendable {
        /// Opens the page with the questions and the time that is left.
        case open
        /// Asks for more time for the gated action with this name.
        case askMoreTime(String)
    }

    private static let open = 0
    private static let more = 1

    private let uid: UInt32
    private let languages: [String]
    /// This user's time of today; `nil` until the daemon has reported it.
    private var times: [UsedTime]?
    private var schedules: [ScheduleState] = []
    /// This user's asks for more time.
    private var asks: [Ask] = []
    private var gates: [TimedGate] = []
    private var stages: [Limit: Stage] = [:]
    /// The result of pressing "More time"; `nil` if the notification is about warnings.
    private var answer: AskNotice?
    /// How often the gated actions had to be looked up. When it has changed, they are to be looked up again.
    package private(set) var look = 0

    /// - Parameters:
    ///   - uid: the user whose desktop this is.
    ///   - languages: the person's languages as BCP 47 tags, the preferred one first.
    ///   - remembered: the value of `remembered` before this program was restarted.
    package init(for uid: UInt32, languages: [String], remembered: Set<String> = []) {
        (self.uid, self.languages) = (uid, languages)
        for line in remembered {
            guard let (limit, warning) = Self.reading(line) else { continue }
            stages[limit] = .seen(warning)
        }
    }

    // MARK: The daemon

    /// The daemon has reported the time that people have used today. Don't call this when the daemon is lost.
    package mutating func timesChanged(to all: [UsedTime], at now: WallTime) {
        let before = used
        times = all.filter { $0.uid == uid && $0.isToday }
        // Only the gated actions say which schedules are needed for what is used.
        if !used.isSubset(of: before) { look += 1 }
        review(at: now)
    }

    package mutating func schedulesChanged(to schedules: [ScheduleState], at now: WallTime) {
        self.schedules = schedules
        review(at: now)
    }

    /// The daemon has listed all asks that this user may see.
    package mutating func asksChanged(to asks: [Ask], at now: WallTime) {
        self.asks = asks.filter { $0.isMoreTime && $0.isAsked(by: uid) }
        review(at: now)
    }

    /// The gated actions were looked up.
    ///
    /// - Parameters:
    ///   - gates: `nil`: they could not be looked up, so those that are known have to do.
    ///   - look: the value of `look` before.
    package mutating func gatesCame(_ gates: [TimedGate]?, look: Int, at now: WallTime) {
        if let gates { self.gates = gates }
        review(at: now)
        for (limit, stage) in stages {
            guard case .reached(let warning, let used, let wanted) = stage, wanted <= look else { continue }
            let telling = telling(of: limit, warning, used, at: now)
            stages[limit] = telling.map { .told(warning, $0) } ?? .seen(warning)
            // A new warning replaces the result of an earlier one.
            if telling != nil { answer = nil }
        }
    }

    package mutating func timePassed(at now: WallTime) { review(at: now) }

    /// - Parameter result: the result of the person's press on "More time".
    package mutating func moreTimeAsked(_ result: Result<Ask, GateError>) {
        guard answer != nil else { return }
        switch result {
        // The notification about answers announces that.
        case .success(let ask) where ask.state == .allowed: answer = nil
        // The notification about this answer may have been hours ago.
        case .success(let ask) where ask.state == .refused:
            answer = AskNotice(localized("A grown-up said no"), [AskWords(ask, for: languages).title], [])
        case .success: break
        case .failure(let error):
            answer = AskNotice(localized("You can't ask for more time now"), [RefusalText.sentence(error)], [])
        }
    }

    // MARK: The person

    /// The notification was closed, or could not be shown. None of its warnings is shown again.
    package mutating func ended() {
        answer = nil
        for (limit, stage) in stages {
            if case .told(let warning, _) = stage { stages[limit] = .seen(warning) }
        }
    }

    /// Returns what to do; `nil`: nothing.
    package mutating func pressed(_ button: Int) -> Action? {
        let (gates, isAnswer) = (gatesWithMoreTime, answer != nil)
        let isThere = notice != nil
        ended()
        switch button {
        case Self.open: return isThere ? .open : nil
        case Self.more:
            guard !isAnswer, gates.count == 1, let gate = gates.first else { return nil }
            return ask(for: gate)
        case _: return nil
        }
    }

    private mutating func ask(for gate: TimedGate) -> Action {
        answer = AskNotice(
            localized("You asked for more time"),
            [gate.title(for: languages), localized("You will be told when a grown-up has answered.")],
            [AskNotice.Button(localized("Open"), number: Self.open)])
        return .askMoreTime(gate.name)
    }

    /// The menu of the status icon is about to be opened.
    package mutating func menuOpens() { look += 1 }

    /// The line of the status icon's menu for this gated action was pressed. Returns what to do; `nil`: nothing.
    package mutating func pressedLine(of gatedAction: String, at now: WallTime) -> Action? {
        guard let gate = gatesOfMenu(at: now).first(where: { $0.name == gatedAction }) else { return nil }
        ended()
        return ask(for: gate)
    }

    // MARK: The status icon's menu

    /// The lines of the status icon's menu, at most ten. The page of `gate-settings` has all.
    package func menu(at now: WallTime) -> [MoreTimeLine] {
        gatesOfMenu(at: now).prefix(10).map { gate in
            MoreTimeLine(gatedAction: gate.name, label: TimeLeftWords.more(gate.title(for: languages)))
        }
    }

    /// The gated actions whose time is limited for this user, or over, and for whose more time a grown-up would be asked.
    private func gatesOfMenu(at now: WallTime) -> [TimedGate] {
        let subjects = used.union((times ?? []).filter { $0.left != nil }.map(\.subject))
        let answered = asks.filter { $0.isStillAnswer(at: now) }.map(\.gatedAction)
        return gates.filter { gate in
            gate.offersMoreTime && !answered.contains(gate.name)
                && (gate.isClosedWithMoreTime || subjects.contains { gate.isUsed(as: $0) })
        }
    }

    // MARK: The notification

    /// The warnings that the notification is about, the one whose end is nearest first.
    private var told: [Telling] {
        stages.values.compactMap { if case .told(_, let telling) = $0 { telling } else { nil } }
            .sorted { ($0.left, $0.title) < ($1.left, $1.title) }
    }

    private var gatesWithMoreTime: [TimedGate] {
        let asked = asks.filter { $0.state == .waiting }.map(\.gatedAction)
        return told.flatMap(\.gates).reduce(into: []) { gates, gate in
            if !asked.contains(gate.name), !gates.contains(where: { $0.name == gate.name }) { gates.append(gate) }
        }
    }

    /// The notification; `nil` if there is none.
    package var notice: AskNotice? {
        if let answer { return answer }
        let told = told
        guard let first = told.first else { return nil }
        let gates = gatesWithMoreTime
        let buttons =
            switch gates.count {
            case 0: [AskNotice.Button]()
            case 1: [AskNotice.Button(localized("More time"), number: Self.more)]
            // The page asks for which of them.
            case _: [AskNotice.Button(localized("More time…"), number: Self.open)]
            }
        return AskNotice(
            first.title, [first.line] + told.dropFirst().map(\.title), buttons, isUrgent: first.left <= .zero)
    }

    /// When the next warning about a schedule or about more time is due; `nil` if none is. For allowances, the daemon
    /// reports it.
    package func nextChange(after now: WallTime) -> WallTime? {
        guard !used.isEmpty else { return nil }
        let ends = schedules.compactMap { $0.isOpen ? $0.until : nil } + extraTime.values
        return ends.flatMap { end in Warning.all.map { end.advanced(by: .zero - $0) } }.filter { $0 > now }.min()
    }

    /// The warnings that were shown, as lines for a file that outlasts a restart of this program.
    package var remembered: Set<String> {
        Set(
            stages.compactMap { limit, stage in
                if case .reached = stage { nil } else { Self.line(limit, stage.warning) }
            })
    }
}

// MARK: - Warnings

extension TimeNoticeStateMachine {
    /// What this user is using now.
    private var used: Set<UsedTime.Subject> { Set((times ?? []).filter(\.isRunning).map(\.subject)) }

    /// Until when this user has more time, by gated action.
    private var extraTime: [String: WallTime] {
        asks.filter { $0.state == .allowed }.reduce(into: [:]) { extraTime, ask in
            if let end = ask.ends { extraTime[ask.gatedAction] = max(end, extraTime[ask.gatedAction] ?? end) }
        }
    }

    /// Finds the warnings that were reached, and forgets those after which there is more time.
    private mutating func review(at now: WallTime) {
        guard times != nil else { return }
        let (before, used, next) = (stages, used, look + 1)
        stages = [:]
        for (limit, left) in limits(at: now) {
            guard let warning = Warning(left) else { continue }
            switch before[limit] {
            case let stage? where stage.warning == warning: stages[limit] = stage
            case _ where isUsed(limit, among: used):
                stages[limit] = .reached(warning, used: used, look: next)
                look = next
            case let stage? where stage.warning < warning: stages[limit] = stage
            case _: break
            }
        }
    }

    /// All that can end, with the time until then.
    private func limits(at now: WallTime) -> [(limit: Limit, left: Duration)] {
        let allowances = (times ?? []).compactMap { time -> (Limit, Duration)? in
            guard case .allowance(let name) = time.subject, let left = time.left else { return nil }
            return (.allowance(name), left)
        }
        let schedules = schedules.compactMap { schedule -> (Limit, Duration)? in
            guard schedule.isOpen else { return (.schedule(schedule.name), .zero) }
            return schedule.until.map { (.schedule(schedule.name), $0.duration(since: now)) }
        }
        let extraTime = extraTime
        return (allowances + schedules).map { limit, left in
            // More time counts if all that the limit can close has it.
            let ends = gates(of: limit, among: used).map { extraTime[$0.name]?.duration(since: now) ?? .zero }
            return (limit, max(left, ends.min() ?? .zero))
        }
    }

    /// The gated actions that need the limit, and whose use is counted for one of these.
    private func gates(of limit: Limit, among used: Set<UsedTime.Subject>) -> [TimedGate] {
        gates.filter { gate in
            switch limit {
            case .allowance(let name): gate.allowances.contains(name) && used.contains(.allowance(name))
            case .schedule(let name): gate.schedules.contains(name) && used.contains { gate.isUsed(as: $0) }
            }
        }
    }

    private func isUsed(_ limit: Limit, among used: Set<UsedTime.Subject>) -> Bool {
        switch limit {
        case .allowance(let name): used.contains(.allowance(name))
        case .schedule: !gates(of: limit, among: used).isEmpty
        }
    }

    /// The warning in words; `nil` if there is nothing to tell.
    private func telling(
        of limit: Limit, _ warning: Warning, _ used: Set<UsedTime.Subject>, at now: WallTime
    ) -> Telling? {
        let gates = gates(of: limit, among: used)
        let left = limits(at: now).first { $0.limit == limit }?.left ?? .zero
        let what =
            switch limit {
            case .allowance(let name): TimeLeftWords.name(ofAllowance: name.foreignLine)
            case .schedule(let name):
                gates.isEmpty
                    ? TimeLeftWords.name(ofAllowance: name.foreignLine)
                    : ListText.things(Set(gates.map { $0.title(for: languages) }).sorted())
            }
        let offers = gates.filter(\.offersMoreTime)
        switch warning {
        case .fiveMinutes:
            return Telling(title: TimeLeftWords.warning(left, what), line: "", left: left, gates: offers)
        case .oneMinute:
            return Telling(
                title: TimeLeftWords.warning(left, what), line: localized("Save now and finish up."), left: left,
                gates: offers)
        case .over:
            // Something else than time opens all of them, and nothing ends.
            if !gates.isEmpty, gates.allSatisfy(\.isGranted) { return nil }
            let closed = gates.compactMap(\.closed).first?.parameters ?? [:]
            return Telling(
                title: TimeLeftWords.over(what, isForToday: closed["day"] != "today"),
                line: TimeLeftWords.again(closed) ?? "", left: .zero, gates: offers)
        }
    }

    // MARK: What is remembered

    /// `allowance games 5`. Names in a policy have no spaces.
    private static func line(_ limit: Limit, _ warning: Warning) -> String {
        switch limit {
        case .allowance(let name): "allowance \(name) \(warning.rawValue)"
        case .schedule(let name): "schedule \(name) \(warning.rawValue)"
        }
    }

    private static func reading(_ line: String) -> (Limit, Warning)? {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let warning = Int(words[2]).flatMap(Warning.init(rawValue:)) else { return nil }
        switch words[0] {
        case "allowance": return (.allowance(words[1]), warning)
        case "schedule": return (.schedule(words[1]), warning)
        case _: return nil
        }
    }
}
