/// Asks a person who fills in a form: on a terminal, line after line or on a full screen, or on a plain pipe.
protocol FormConsole: Sendable {
    var locale: TextLocale { get }
    var colours: Colours { get }

    func ask(_ prompt: FormPrompt) async -> AnswerInput.Typed
}

struct FormPrompt: Hashable, Sendable {
    /// The question, and lines about what came before it.
    var lines: [String]
    var notes: [String] = []
    /// Whether the lines are the same as before, so that they can be left out if they are still on the screen.
    var isRepeated = false
    /// What to type, in a few words.
    var request: String
    /// If one choice is the whole answer: the text to type for it, by the index of its line in `lines`.
    var choices: [Int: String] = [:]
}
