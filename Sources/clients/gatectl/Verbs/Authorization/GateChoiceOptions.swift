import ArgumentParser
import GateModel
import GateTexts

struct GateChoiceOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            localized(
                "What is required: a kind of question, like passcode or arithmetic-entry; parent, for parent mode; or what a policy file has after 'requires:'."
            ),
            valueName: "requirement"))
    var requires: String?

    @Option(
        help: ArgumentHelp(
            localized("A kind of question for each age, like 0-8=arithmetic-choice,9+=passcode."), valueName: "ages"))
    var ages: String?

    @Flag(help: ArgumentHelp(localized("Parent mode is enough, too.")))
    var orParent = false

    @Option(help: ArgumentHelp(localized("Who may answer: anybody or grown-up."), valueName: "who"))
    var answeredBy: String?

    @Option(
        help: ArgumentHelp(
            localized("For how long a user is not asked again after a yes, like 5m. Default: asked every time."),
            valueName: "duration"), transform: DurationText.parse)
    var keep: Duration?

    @Option(
        help: ArgumentHelp(
            localized(
                "How much more time a child can ask for when the hours are over or the time is used up, like 15m,30m,today; or none. Default: unchanged."
            ),
            valueName: "amounts"), transform: GateChoiceOptions.amounts)
    var moreTime: [AskChoice]?

    @Option(
        help: ArgumentHelp(
            localized("The title that people read, like \"Open a web page\". Default: unchanged."), valueName: "text"))
    var title: String?

    /// In the notation of policy files. The daemon checks it.
    /// - Parameters:
    ///   - clock: schedules and allowances, in the same notation. Only while they are open the rest counts.
    ///   - usual: what is required if nothing is given; `nil`: that is a mistake.
    /// - Throws: a `ValidationError` if the options don't fit together.
    func requirement(within clock: [String] = [], orElse usual: String? = nil) throws -> String {
        var question: String
        switch (requires, ages) {
        case (nil, nil):
            guard let usual, answeredBy == nil else { throw ValidationError("Say either --requires or --ages.") }
            return clock.isEmpty ? usual : "{any: [{mode: parent}, \(Self.all(clock))]}"
        case (_?, _?): throw ValidationError("Say either --requires or --ages.")
        case (nil, let ages?): question = "{challenge: {ages: {\(try bands(ages).joined(separator: ", "))}}}"
        case (let requires?, nil):
            if Challenge.Kind(rawValue: requires) != nil {
                question = "{challenge: \(asked(requires))}"
            } else if answeredBy != nil {
                throw ValidationError("With --answered-by, --requires is a kind of question, like confirm.")
            } else {
                question = requires == "parent" ? "{mode: parent}" : requires
            }
        }
        question = Self.all(clock + [question])
        return orParent ? "{any: [{mode: parent}, \(question)]}" : question
    }

    private static func amounts(_ text: String) throws -> [AskChoice] {
        guard text != "none" else { return [] }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { amount in
            guard let choice = AskChoice(text: String(amount)) else {
                throw ValidationError("'\(amount)' is no amount of time. Write for example 15m,30m,today.")
            }
            return choice
        }
    }

    private static func all(_ parts: [String]) -> String {
        parts.count == 1 ? parts[0] : "{all: [\(parts.joined(separator: ", "))]}"
    }

    private func bands(_ text: String) throws -> [String] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { band in
            let parts = band.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, Challenge.Kind(rawValue: parts[1]) != nil,
                parts[0].allSatisfy({ $0.isWholeNumber || "-+".contains($0) })
            else {
                throw ValidationError(
                    "'\(band)' is no question for an age. Write for example 0-8=arithmetic-choice,9+=passcode.")
            }
            return "\(parts[0]): \(asked(parts[1]))"
        }
    }

    private func asked(_ kind: String) -> String {
        answeredBy.map { "{kind: \(kind), answered-by: \($0)}" } ?? kind
    }
}
