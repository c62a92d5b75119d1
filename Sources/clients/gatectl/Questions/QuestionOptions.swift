import ArgumentParser
import GateTexts

/// The option of the verbs that may ask a person. `run` has its own, since the rest of its input is for the command.
struct QuestionOptions: ParsableArguments, Sendable {
    @Flag(
        help: ArgumentHelp(
            localized("Print the question as text, and read answers line by line: a letter, or the value.")))
    var stdin = false
}
