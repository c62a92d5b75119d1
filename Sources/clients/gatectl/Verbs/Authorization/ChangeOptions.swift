import ArgumentParser
import GateTexts

/// The options of every command that changes the policy.
struct ChangeOptions: ParsableArguments, Sendable {
    @Flag(help: ArgumentHelp(localized("Say what would change, and change nothing.")))
    var dryRun = false

    @Flag(
        help: ArgumentHelp(
            localized("Print the question as text, and read answers line by line: a letter, or the value.")))
    var stdin = false
}
