package import GateModel
import GateTexts

/// Decides what the desktop's notification about asks, or about apps that ask how old a person is, says and when it is
/// shown. It draws nothing and makes no calls.
///
/// There is at most one notification about each subject, and each ask is announced at most once in each of its states.
/// Asks that arrive together share one line, so a child who asks a lot can't fill a desktop. A question that is on this
/// screen is not announced while it is there. An app that waits is announced like an ask. Listed silent drops: a button
/// of an ask that was answered or taken back meanwhile; the end of a notification that is gone already.
package struct AskNoticeStateMachine: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// Asks of others that wait for this user's answer, and answers given here that another device has not taken.
        /// The daemon lists these only for grown-ups.
        case waiting
        /// This user's own asks that were answered.
        case answered
        /// Apps that wait for an answer about a person's age. The daemon lists these only for grown-ups.
        case apps
    }

    private enum Stage: Hashable {
        /// It will be announced at this time, unless its question is on the screen then. Can go to: told.
        case new(BootTime)
        /// The notification is about it. Can go to: seen.
        case told
        /// The notification about it was closed, used, or not needed.
        case seen
    }

    /// An ask in one of its states, or an app that waits. It is announced once.
    private struct News: Hashable {
        /// The number of the ask; for an ask of another device its words, because its number changes when the daemon
        /// restarts.
        let ask: String
        let state: Ask.State
        let isUntilTomorrow: Bool
        let hasRefusal: Bool

        init(_ ask: Ask) {
            let end = "\(ask.ends?.unixMilliseconds ?? 0)"
            self.ask =
                ask.device.isEmpty
                ? "\(ask.id)" : [ask.device, ask.person, ask.gatedAction, end, ask.details].joined(separator: "\n")
            state = ask.state
            (isUntilTomorrow, hasRefusal) = (ask.isUntilTomorrow, !ask.refusal.isEmpty)
        }

        init(_ app: AgeApp) {
            (ask, state) = ("\(app.person)\n\(app.app)", .waiting)
            (isUntilTomorrow, hasRefusal) = (false, false)
        }

        /// `12 waiting`. Words are not written into a file.
        var line: String {
            let more = (isUntilTomorrow ? " until-tomorrow" : "") + (hasRefusal ? " not-taken" : "")
            return "\(ask.contains("\n") ? ask.fingerprint : ask) \(state.rawValue)\(more)"
        }
    }

    /// What the person wants, after a button of the notification was pressed.
    package enum Action: Hashable, Sendable {
        case open
        /// Says no to the ask with this number.
        case refuse(UInt64)
    }

    /// How long asks are gathered before they are announced. A question that comes to this screen is on it by then.
    package static let pause = Duration.seconds(2)
    /// The button that opens the page. Those that say no have the number of their ask, which is never 0.
    private static let open = 0

    private let subject: Subject
    private let uid: UInt32
    private let languages: [String]
    /// The asks of this subject, by number; `nil` until the daemon has listed them.
    private var asks: [Ask]?
    /// The apps that wait, by person; `nil` until the daemon has listed them.
    private var apps: [AgeApp]?
    private var stages: [News: Stage] = [:]
    /// The number of the question on this screen.
    private var onScreen: UInt64?
    /// The news that were announced before this program was restarted.
    private let toldBefore: Set<String>
    /// How far the device's clock is ahead of UTC, in minutes.
    package var minutesEastOfUTC = 0

    /// - Parameters:
    ///   - uid: the user whose desktop this is.
    ///   - languages: the person's languages as BCP 47 tags, the preferred one first.
    ///   - remembered: what `remembered` was before this program was started anew.
    package init(_ subject: Subject, for uid: UInt32, languages: [String], remembered: Set<String> = []) {
        (self.subject, self.uid, self.languages, toldBefore) = (subject, uid, languages, remembered)
    }

    // MARK: The daemon

    /// The daemon has listed all asks that this user may see. Don't call this when the daemon is lost, or everything
    /// would be announced again afterwards.
    package mutating func asksChanged(to all: [Ask], at now: BootTime) {
        guard subject != .apps else { return }
        let isFirst = asks == nil
        let mine = all.filter(concerns)
        asks = mine
        // Of the asks that were answered before this session, only a yes that expires is still announced.
        let answeredBefore = mine.filter { $0.state == .refused || $0.state == .allowed && $0.ends == nil }
        newsChanged(to: mine.map { News($0) }, isFirst: isFirst, old: Set(answeredBefore.map { News($0) }), at: now)
    }

    /// The daemon has listed all apps that wait. Don't call this when the daemon is lost: see `asksChanged`.
    package mutating func appsChanged(to waiting: [AgeApp], at now: BootTime) {
        guard subject == .apps else { return }
        let isFirst = apps == nil
        apps = waiting
        newsChanged(to: waiting.map { News($0) }, isFirst: isFirst, at: now)
    }

    /// - Parameter old: the news that are not announced if they are on the daemon's first list.
    private mutating func newsChanged(to all: [News], isFirst: Bool, old: Set<News> = [], at now: BootTime) {
        let before = stages
        stages = [:]
        for news in all {
            let isOld = isFirst && (old.contains(news) || toldBefore.contains(news.line))
            stages[news] = before[news] ?? (isOld ? .seen : .new(now.advanced(by: Self.pause)))
        }
    }

    private func concerns(_ ask: Ask) -> Bool {
        switch (subject, ask.state) {
        case (.waiting, .waiting): !ask.isAsked(by: uid)
        case (.waiting, .closed): !ask.refusal.isEmpty
        case (.answered, .allowed), (.answered, .refused): ask.isAsked(by: uid)
        case (.waiting, .allowed), (.waiting, .refused), (.answered, .waiting), (.answered, .closed), (.apps, _),
            (_, .unrecognized):
            false
        }
    }

    /// The number of the question on this screen, which is that of its ask; `nil` if there is none. When a question
    /// leaves the screen without an answer, its ask is announced after a pause, in which the daemon would report an
    /// answer.
    package mutating func questionChanged(to id: UInt64?, at now: BootTime) {
        guard id != onScreen else { return }
        for ask in asks ?? [] where ask.id == onScreen {
            if case .new? = stages[News(ask)] { stages[News(ask)] = .new(now.advanced(by: Self.pause)) }
        }
        onScreen = id
    }

    package mutating func timePassed(at now: BootTime) {
        for news in tellable { if case .new(let due)? = stages[news], due <= now { stages[news] = .told } }
    }

    /// All news except the one about the question on this screen.
    private var tellable: [News] {
        (asks ?? []).filter { $0.id != onScreen }.map { News($0) } + (apps ?? []).map { News($0) }
    }

    // MARK: The person

    /// The notification was closed, or could not be shown. None of its asks is announced again.
    package mutating func ended() {
        for (news, stage) in stages where stage == .told { stages[news] = .seen }
    }

    /// Returns what to do; `nil`: nothing.
    package mutating func pressed(_ button: Int) -> Action? {
        let told = told
        ended()
        guard button != Self.open else { return .open }
        return told.first { Int(exactly: $0.id) == button && $0.state == .waiting }.map { .refuse($0.id) }
    }

    // MARK: The notification

    /// The asks that the notification is about, by number.
    private var told: [Ask] { (asks ?? []).filter { stages[News($0)] == .told && $0.id != onScreen } }

    /// The notification; `nil` if there is none.
    package var notice: AskNotice? {
        subject == .apps ? appsNotice : asksNotice
    }

    private var appsNotice: AskNotice? {
        let told = (apps ?? []).filter { stages[News($0)] == .told }
        guard let first = told.first else { return nil }
        let open = AskNotice.Button(localized("Open"), number: Self.open)
        let people = distinct(told.map(\.person.foreignLine))
        guard told.count == 1 else {
            return AskNotice(
                localized(
                    "{count} app asks for an age range", plural: "{count} apps ask for an age range", count: told.count),
                [ListText.things(people)], [open])
        }
        return AskNotice(
            localized("An app asks how old {name} is", ["name": people[0]]), [first.quotedName], [open])
    }

    private var asksNotice: AskNotice? {
        let words = told.map { AskWords($0, for: languages) }
        guard let first = told.first, let firstWords = words.first else { return nil }
        let open = AskNotice.Button(localized("Open"), number: Self.open)
        // A refused answer comes before new questions, because the person who gave it believes that it counts.
        if let failed = words.first(where: { !$0.refusal.isEmpty }) {
            return AskNotice(failed.asked, [failed.refusal], [open])
        }
        guard told.count == 1 else {
            return switch subject {
            case .waiting, .apps:
                AskNotice(SettingsWords.waiting(told.count), [ListText.things(distinct(words.map(\.person)))], [open])
            case .answered:
                AskNotice(
                    localized(
                        "{count} question was answered", plural: "{count} questions were answered", count: told.count),
                    distinct(words.map(\.title)), [open])
            }
        }
        let refuse = Int(exactly: first.id).map { [AskNotice.Button(localized("No"), number: $0)] } ?? []
        return switch first.state {
        case .waiting: AskNotice(firstWords.asked, [firstWords.shortDetails], refuse + [open])
        case .allowed:
            AskNotice(
                localized("A grown-up said yes"),
                [firstWords.title, first.isMoreTime ? "" : firstWords.shortDetails, whatToDo(after: first)], [open])
        case .refused where first.isUntilTomorrow:
            AskNotice(
                localized("A grown-up said: not until tomorrow"), [firstWords.title, firstWords.shortDetails], [open])
        case .refused, .closed, .unrecognized:
            AskNotice(localized("A grown-up said no"), [firstWords.title, firstWords.shortDetails], [open])
        }
    }

    /// What a child can do after a yes.
    private func whatToDo(after ask: Ask) -> String {
        if ask.isMoreTime, let end = ask.ends {
            let clock = LocalClock { [minutesEastOfUTC] _ in minutesEastOfUTC * 60 }
            return localized("You have more time until {time}.", ["time": clock.timeOfDay(end)])
        }
        return (ask.choice ?? .once) == .once
            ? localized("Do the same again: it works once.") : localized("Do the same again: it works now.")
    }

    /// The texts in their order, each only once.
    private func distinct(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The news that were announced, as lines for a file that outlasts a restart of this program.
    package var remembered: Set<String> {
        guard asks != nil || apps != nil else { return toldBefore }
        return Set(stages.compactMap { news, stage in stage == .told || stage == .seen ? news.line : nil })
    }

    /// When the next ask is to be announced; `nil` if none is.
    package var nextChange: BootTime? {
        tellable.compactMap { if case .new(let due)? = stages[$0] { due } else { nil } }.min()
    }
}

/// A notification about asks, or about time that ends: plain text, in which other people's words are harmless.
package struct AskNotice: Hashable, Sendable {
    package struct Button: Hashable, Sendable {
        package let label: String
        /// What `pressed` receives.
        package let number: Int

        init(_ label: String, number: Int) { (self.label, self.number) = (label, number) }
    }

    package let title: String
    /// The lines below the title. May be empty.
    package let text: String
    package let buttons: [Button]
    /// Whether it is shown even if the desktop is set to "do not disturb".
    package let isUrgent: Bool

    init(_ title: String, _ lines: [String], _ buttons: [Button], isUrgent: Bool = false) {
        (self.title, self.isUrgent) = (title, isUrgent)
        text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        self.buttons = buttons
    }
}
