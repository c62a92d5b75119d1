import GateModel
import GateTexts

/// The person in front of the screen: their language, how they write a date, and the year it is.
package struct ScreenReader: Hashable, Sendable {
    /// A BCP 47 tag like "de-CH"; `nil`: none was asked for.
    let language: String?
    /// The parts of a date, in the order in which they are written.
    let wheels: [ScreenPicture.Birthdate.Wheel]
    /// In the calendar of most countries.
    let year: Int

    /// Makes a person of these values.
    package init(language: String?, wheels: [ScreenPicture.Birthdate.Wheel] = [.year, .month, .day], year: Int) {
        self.language = language
        self.wheels = wheels
        self.year = year
    }

    /// The person at this program.
    package static func ofEnvironment(year: Int) -> ScreenReader {
        let wheels = WritingHabits.ofPerson.dateOrder.map { part -> ScreenPicture.Birthdate.Wheel in
            switch part {
            case .year: .year
            case .month: .month
            case .day: .day
            }
        }
        return ScreenReader(language: Localization.language, wheels: wheels, year: year)
    }

    /// In the language that was asked for, or one like it; else in English; else the first. `nil`: there is none at all.
    func text(of texts: [QuizText]) -> QuizText? {
        let wanted = [language, language.map(Self.primary), "en"].compactMap { $0?.lowercased() }
        for tag in wanted {
            if let text = texts.first(where: { $0.language.lowercased() == tag })
                ?? texts.first(where: { Self.primary($0.language).lowercased() == tag })
            {
                return text
            }
        }
        return texts.first
    }

    private static func primary(_ language: String) -> String { String(language.prefix { $0 != "-" && $0 != "_" }) }
}
