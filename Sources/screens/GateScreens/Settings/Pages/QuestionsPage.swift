import GateModel
import GateTexts

// The page of asks. The daemon lists all asks for grown-ups, and only their own for other users. So if an ask of
// another person is listed, this user may answer it.

extension SettingsFacts {
    func questionsGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        // By number, so that a new question comes last and moves no button away from under a pointer.
        let waiting = asks.filter { $0.state == .waiting }.map { row($0, moment) }
        let answered = asks.filter { $0.state != .waiting }.map { row($0, moment) }
        let groups = [
            SettingsGroup(
                "waiting", title: localized("Waiting"),
                text: waiting.contains { !$0.details.isEmpty } ? localized("Open a question to allow it.") : "",
                rows: waiting.isEmpty ? SettingsWords.none(localized("Nothing waits for an answer.")) : waiting)
        ]
        return [timeLeftGroup(moment)].compactMap(\.self) + groups
            + (answered.isEmpty ? [] : [SettingsGroup("answered", title: localized("Answered"), rows: answered)])
    }

    /// When the page changes with time alone: a yes for an amount of time would end a minute later, or this user can ask
    /// for more time again.
    func nextQuestionsChange(_ moment: SettingsMoment) -> BootTime? {
        let hasAmounts = asks.contains { ask in ask.choices.contains { if case .time = $0 { true } else { false } } }
        let minute = hasAmounts ? [Duration.milliseconds(60_000 - moment.wall.unixMilliseconds % 60_000)] : []
        let again = asks.filter { $0.isAsked(by: moment.uid) }.compactMap(\.enoughUntil)
            .map { $0.duration(since: moment.wall) }.filter { $0 > .zero }
        return (minute + again).min().map { moment.boot.advanced(by: $0) }
    }

    private func row(_ ask: Ask, _ moment: SettingsMoment) -> SettingsRow {
        let words = AskWords(ask, for: moment.languages)
        let isOwn = ask.isAsked(by: moment.uid)
        let mayAnswer = !isOwn || isGrownUp(moment)
        let title = isOwn ? words.title : words.asked
        let lines = [
            words.shortDetails, isOwn ? ownState(ask, words, moment) : words.state(moment.text), words.refusal,
        ]
        return SettingsRow(
            "\(ask.id)", title, lines.filter { !$0.isEmpty }.joined(separator: "\n"),
            buttons: button(ask, words, isOwn: isOwn).map { [$0] } ?? [],
            details: mayAnswer ? choices(ask, words, moment) + notUntilTomorrow(ask, words) : [])
    }

    /// The state of the user's own question, and what to do now. Children read this.
    private func ownState(_ ask: Ask, _ words: AskWords, _ moment: SettingsMoment) -> String {
        let time: KeyValuePairs = ["time": ask.ends.map { moment.text($0) } ?? ""]
        return switch (ask.state, ask.choice) {
        case (.waiting, _): localized("A grown-up has not answered yet. It waits until {time}.", time)
        case (.allowed, _) where ask.isMoreTime && ask.ends != nil:
            localized("A grown-up said yes. You have more time until {time}.", time)
        case (.allowed, .once):
            localized("A grown-up said yes. Do the same again: it works once, until {time}.", time)
        case (.allowed, .thisSite):
            localized(
                "A grown-up said yes. You can always open {site}.",
                ["site": AskChoiceWords.site(words.details)])
        case (.allowed, _) where ask.ends == nil: localized("A grown-up said yes. You can always do this.")
        case (.allowed, _): localized("A grown-up said yes. You can do this until {time}.", time)
        case (.refused, _) where ask.isUntilTomorrow:
            localized("A grown-up said: not until tomorrow. You can ask for this again from {time}.", time)
        case (.refused, _): localized("A grown-up said no. You can ask again from {time}.", time)
        case (.closed, _): localized("over")
        case (.unrecognized, _): localized("answered")
        }
    }

    /// The button that takes one press, because it can't open anything.
    private func button(_ ask: Ask, _ words: AskWords, isOwn: Bool) -> SettingsButton? {
        let no: KeyValuePairs = ["words": words.sentence]
        switch (ask.state, isOwn) {
        case (.waiting, false):
            return SettingsButton(
                localized("Not now"), spoken: localized("Not now: {words}", no), .answerAsk(ask.id, .no))
        case (.allowed, false):
            return SettingsButton(
                localized("Take back"), spoken: localized("Take back: {words}", no), .answerAsk(ask.id, .no))
        case (.waiting, true), (.allowed, true):
            return SettingsButton(
                localized("Take back"), spoken: localized("Take back: {words}", no), .withdrawAsk(ask.id))
        case (.refused, _), (.closed, _), (.unrecognized, _): return nil
        }
    }

    /// The rows that unfold below a question: all of its words, then a row for each yes that can be said. So a yes
    /// takes two acts, and nobody says yes to words that they could not see. The row with the words says
    /// who can make use of a yes; without such a row, the first choice says so.
    private func choices(_ ask: Ask, _ words: AskWords, _ moment: SettingsMoment) -> [SettingsRow] {
        switch ask.state {
        case .allowed, .closed, .unrecognized: return []
        case .waiting, .refused: break
        }
        let reach =
            ask.isMoreTime ? AskChoiceWords.reachOfMoreTime(words.person) : AskChoiceWords.reach(words.person)
        let exact =
            ask.isMoreTime || words.details.isEmpty
            ? [] : [SettingsRow("words", words.details, "\(localized("Exactly this"))\n\(reach)")]
        // A newer daemon may offer what this program can't name.
        let choices = ask.choices.filter { $0 != .unrecognized }
        return exact
            + choices.enumerated().map { place, choice in
                let lines = [
                    choice == .thisSite ? AskChoiceWords.site(words.details) : "", end(of: choice, moment),
                    exact.isEmpty && place == 0 ? reach : "",
                ]
                return SettingsRow(
                    choice.text, AskChoiceWords.label(choice), lines.filter { !$0.isEmpty }.joined(separator: "\n"),
                    buttons: [allow(ask, choice, words)])
            }
    }

    /// When a yes for an amount of time would end that is said now: `until 18:15`. Empty for other choices.
    private func end(of choice: AskChoice, _ moment: SettingsMoment) -> String {
        guard case .time(let duration) = choice else { return "" }
        return localized("until {time}", ["time": moment.text(moment.wall.advanced(by: duration))])
    }

    /// "Not until tomorrow" stands below the choices, where it is not pressed by mistake: it refuses everything that
    /// the person asks of this gated action.
    private func notUntilTomorrow(_ ask: Ask, _ words: AskWords) -> [SettingsRow] {
        guard ask.state == .waiting else { return [] }
        return [
            SettingsRow(
                "not-until-tomorrow", localized("Not until tomorrow"),
                localized(
                    "{name} can't ask again before tomorrow: {title}",
                    ["name": words.person, "title": words.title]),
                buttons: [
                    SettingsButton(
                        localized("Not until tomorrow"),
                        spoken: localized("Not until tomorrow: {words}", ["words": words.sentence]),
                        .answerAsk(ask.id, .notUntilTomorrow))
                ])
        ]
    }

    private func allow(_ ask: Ask, _ choice: AskChoice, _ words: AskWords) -> SettingsButton {
        let spoken =
            choice == .once
            ? localized("Allow once: {words}", ["words": words.sentence])
            : localized(
                "Allow ({choice}): {words}", ["choice": AskChoiceWords.label(choice), "words": words.sentence])
        return SettingsButton(localized("Allow"), spoken: spoken, .answerAsk(ask.id, .yes(choice)), look: .suggested)
    }
}
