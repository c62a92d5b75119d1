import GateModel
import GateTexts

// The page of asks. The daemon tells grown-ups of all of them, and everybody else of their own, so what others have
// asked is this user's to answer.

extension SettingsFacts {
    func questionsGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        // By number, so that a new question comes last and moves no button away from under a pointer.
        let waiting = asks.filter { $0.state == .waiting }.map { row($0, moment) }
        let answered = asks.filter { $0.state != .waiting }.map { row($0, moment) }
        let groups = [
            SettingsGroup(
                "waiting", title: localized("Waiting"),
                text: waiting.contains { !$0.details.isEmpty } ? localized("To say yes, unfold a question.") : "",
                rows: waiting.isEmpty ? SettingsWords.none(localized("Nothing waits for an answer.")) : waiting)
        ]
        return answered.isEmpty
            ? groups : groups + [SettingsGroup("answered", title: localized("Answered"), rows: answered)]
    }

    private func row(_ ask: Ask, _ moment: SettingsMoment) -> SettingsRow {
        let words = AskWords(ask, for: moment.languages)
        let isOwn = ask.isAsked(by: moment.uid)
        let mayAnswer = !isOwn || isGrownUp(moment)
        let title = isOwn ? words.title : words.asked
        let lines = [words.shortDetails, isOwn ? ownState(ask, moment) : state(ask, moment)]
        return SettingsRow(
            "\(ask.id)", title, lines.filter { !$0.isEmpty }.joined(separator: "\n"),
            buttons: button(ask, words, isOwn: isOwn).map { [$0] } ?? [],
            details: mayAnswer ? choices(ask, words) : [])
    }

    private func state(_ ask: Ask, _ moment: SettingsMoment) -> String {
        let time: KeyValuePairs = ["time": moment.text(ask.ends)]
        return switch ask.state {
        case .waiting: localized("waits until {time}", time)
        case .allowed: localized("allowed once, until {time}", time)
        case .refused: localized("refused; can be asked again from {time}", time)
        case .unrecognized: localized("answered")
        }
    }

    /// What has become of an own question, and what to do now. Children read it.
    private func ownState(_ ask: Ask, _ moment: SettingsMoment) -> String {
        let time: KeyValuePairs = ["time": moment.text(ask.ends)]
        return switch ask.state {
        case .waiting: localized("A grown-up has not answered yet. It waits until {time}.", time)
        case .allowed: localized("A grown-up said yes. Do the same again: it works once, until {time}.", time)
        case .refused: localized("A grown-up said no. You can ask again from {time}.", time)
        case .unrecognized: localized("answered")
        }
    }

    /// The button that takes one press, because it can't open anything.
    private func button(_ ask: Ask, _ words: AskWords, isOwn: Bool) -> SettingsButton? {
        let no: KeyValuePairs = ["words": words.sentence]
        switch (ask.state, isOwn) {
        case (.waiting, false):
            return SettingsButton(
                localized("Not now"), spoken: localized("Not now: {words}", no), .answerAsk(ask.id, isAllowed: false))
        case (.allowed, false):
            return SettingsButton(
                localized("Take back"), spoken: localized("Take back: {words}", no),
                .answerAsk(ask.id, isAllowed: false))
        case (.waiting, true), (.allowed, true):
            return SettingsButton(
                localized("Take back"), spoken: localized("Take back: {words}", no), .withdrawAsk(ask.id))
        case (.refused, _), (.unrecognized, _): return nil
        }
    }

    /// The rows that unfold below a question: all of its words, then a row for each yes that can be said. So a yes
    /// takes two acts, and nobody says yes to words that they could not see.
    private func choices(_ ask: Ask, _ words: AskWords) -> [SettingsRow] {
        switch ask.state {
        case .allowed, .unrecognized: return []
        case .waiting, .refused: break
        }
        let exact = words.details.isEmpty ? [] : [SettingsRow("words", words.details, localized("Exactly this"))]
        let allow = SettingsButton(
            localized("Allow"), spoken: localized("Allow once: {words}", ["words": words.sentence]),
            .answerAsk(ask.id, isAllowed: true), look: .suggested)
        return exact + [SettingsRow("once", localized("Once"), buttons: [allow])]
    }
}
