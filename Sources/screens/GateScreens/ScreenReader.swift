import GateModel
import GateTexts

/// The person in front of the screen: their languages, how they write a date, and the current year.
package struct ScreenReader: Hashable, Sendable {
    /// BCP 47 tags like "de-CH", the preferred one first. Empty if none was asked for.
    let languages: [String]
    /// The parts of a date, in the order in which the person writes them.
    let wheels: [ScreenModel.Birthdate.Wheel]
    /// The current year of the Gregorian calendar.
    let year: Int

    package init(languages: [String], wheels: [ScreenModel.Birthdate.Wheel] = [.year, .month, .day], year: Int) {
        self.languages = languages
        self.wheels = wheels
        self.year = year
    }

    /// The person who runs this program, by its environment.
    package static func ofEnvironment(year: Int) -> ScreenReader {
        let wheels = WritingHabits.ofPerson.dateOrder.map { part -> ScreenModel.Birthdate.Wheel in
            switch part {
            case .year: .year
            case .month: .month
            case .day: .day
            }
        }
        return ScreenReader(languages: Localization.languages, wheels: wheels, year: year)
    }

    /// The text in the person's language or one like it, else in English, else the first; `nil` if there is none.
    func text(of texts: [QuizText]) -> QuizText? {
        LanguageTag.bestFit(for: languages + ["en"], among: texts.map(\.language)).map { texts[$0] } ?? texts.first
    }
}
