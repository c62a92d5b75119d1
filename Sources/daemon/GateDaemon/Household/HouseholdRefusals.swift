import GateModel

// The refusals of `HouseholdHub`.

extension CommandResult.Refusal {
    static let doneByOneOfTwo = CommandResult.Refusal(
        .twin,
        "Two devices have the same key, and only one of them has done it. `gatectl household doctor` says what to do.")
}

extension GateError {
    static let brokerNotReached = GateError(
        .failedPrecondition, .notSetUp,
        "The other devices can't be reached: gate-household is not connected to the broker now. `gatectl household doctor` says why.",
        parameters: ["what": "broker"])

    static let collectedElsewhere = GateError(
        .aborted, .closed, "Another connection carries the household's messages now, so this stream has ended.",
        parameters: ["what": "collected-elsewhere"])

    static let noSuchCommand = GateError(
        .notFound, .unknown, "This connection has not sent such a command, or has sent 16 newer ones since.",
        parameters: ["what": "command"])

    static let tooManyCommands = GateError(
        .resourceExhausted, .limit, "Too many commands wait to be carried. Try again in a moment.",
        parameters: ["what": "commands-to-carry"])

    static let tooManyDevices = GateError(
        .resourceExhausted, .limit, "A household has at most \(HouseholdList.maximumMembers) devices.",
        parameters: ["what": "household-devices"])

    static let tooManyCalls = GateError(
        .resourceExhausted, .limit, "Too many calls wait for the household's devices. Try again in a moment.",
        parameters: ["what": "household-calls"])
}
