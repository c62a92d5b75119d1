import GateModel

/// Where a person who fills a form in is asked.
protocol FormConsole: Sendable {
    /// Which characters can be drawn, and with which colours.
    var locale: TextLocale { get }
    var colours: Colours { get }

    func ask(_ prompt: FormPrompt) async -> AnswerInput.Typed
}

/// The prompt that a person is shown.
struct FormPrompt: Hashable, Sendable {
    /// The question, and what came before it.
    var lines: [String]
    /// The notes on the answer before.
    var notes: [String] = []
    /// The lines are what they were before: they need not be shown once more where they still stand.
    var isRepeated = false
    /// In a few words.
    var request: String
    /// The text to type for the choice that stands on a line, by the line's number: where one choice is the whole answer.
    var choices: [Int: String] = [:]
}
