import ArgumentParser
import GateTexts

/// The option of every verb that may have to ask a person.
struct QuestionOptions: ParsableArguments, Sendable {
    @Flag(
        help: ArgumentHelp(
            localized("Print the question as text, and read answers line by line: a letter, or the value.")))
    var stdin = false
}
