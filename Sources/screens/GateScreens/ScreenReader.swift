import GateModel
import GateTexts

/// The person in front of the screen: their language, how they write a date, and the year it is.
package struct ScreenReader: Hashable, Sendable {
    /// BCP 47 tags like "de-CH", the preferred one first. Empty: none was asked for.
    let languages: [String]
    /// The parts of a date, in the order in which they are written.
    let wheels: [ScreenModel.Birthdate.Wheel]
    /// In the calendar of most countries.
    let year: Int

    /// Makes a person of these values.
    package init(languages: [String], wheels: [ScreenModel.Birthdate.Wheel] = [.year, .month, .day], year: Int) {
        self.languages = languages
        self.wheels = wheels
        self.year = year
    }

    /// The person at this program.
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

    /// In the language that was asked for, or one like it; else in English; else the first. `nil`: there is none at all.
    func text(of texts: [QuizText]) -> QuizText? {
        LanguageTag.bestFit(for: languages + ["en"], among: texts.map(\.language)).map { texts[$0] } ?? texts.first
    }
}
