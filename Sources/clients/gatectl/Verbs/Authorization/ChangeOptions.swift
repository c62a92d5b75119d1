import ArgumentParser
import GateTexts

/// The options of every command that changes the policy.
struct ChangeOptions: ParsableArguments, Sendable {
    @Flag(help: ArgumentHelp(localized("Say what would change, and change nothing.")))
    var dryRun = false

    @OptionGroup var question: QuestionOptions
}
