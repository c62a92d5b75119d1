import ArgumentParser

/// The options of every command that changes the policy.
struct ChangeOptions: ParsableArguments, Sendable {
    @Flag(help: "Say what would change, and change nothing.")
    var dryRun = false

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false
}
