package import GateModel

/// The words of an ask, for terminals and windows. Texts of others are unchanged: each kind of screen makes them
/// harmless in its own way.
package struct AskWords {
    /// The name of the person who asks, and of the device if it is another one of the household: `Mia (Mia's tablet)`.
    package let person: String
    /// What is asked for.
    package let title: String
    /// What exactly would be done, in the asking program's words. May be empty.
    package let details: String
    /// Why the other device has not taken the answer that was given here. Empty if it has refused none.
    package let reason: String
    private let ask: Ask

    /// - Parameters:
    ///   - languages: the person's languages as BCP 47 tags, the preferred one first.
    ///   - line: makes a text that Gate did not write harmless, in one line.
    package init(_ ask: Ask, for languages: [String], line: (String) -> String) {
        self.ask = ask
        let name = line(ask.person)
        person = ask.device.isEmpty ? name : "\(name) (\(line(ask.device)))"
        let title = line(ask.titles.text(for: languages))
        self.title = title.isEmpty ? line(ask.gatedAction) : title
        details = line(ask.details)
        reason = line(ask.refusal)
    }

    /// `Mia: Open a web page, https://example.org/`
    ///
    /// - Parameter details: as much of the details as is to be read.
    package func sentence(with details: String) -> String {
        let what = ListText.facts([title] + (details.isEmpty ? [] : [details]))
        return localized("{name}: {what}", ["name": person, "what": what])
    }

    /// The state of the ask in words, for grown-ups.
    ///
    /// - Parameter text: writes a time for the person.
    package func state(_ text: (WallTime) -> String) -> String {
        let time = ask.ends.map(text) ?? ""
        switch ask.state {
        case .waiting: return localized("waits until {time}", ["time": time])
        case .allowed:
            let allowed = AskChoiceWords.allowed(ask.choice, details)
            return ask.ends == nil
                ? allowed : localized("{allowed}, until {time}", ["allowed": allowed, "time": time])
        case .refused where ask.isUntilTomorrow: return localized("not until tomorrow, {time}", ["time": time])
        case .refused: return localized("refused; can be asked again from {time}", ["time": time])
        case .closed: return localized("over")
        case .unrecognized: return localized("answered")
        }
    }
}
