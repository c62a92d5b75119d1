import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

/// The differences between `gatectl allowances` and `gatectl schedules`.
protocol TimeRuleNoun: Sendable {
    static var kind: TimeRule.Kind { get }
    /// The name of the verb, and what it is for.
    static var verb: CommandConfiguration { get }
    /// What `set` takes.
    static var times: ArgumentHelp { get }
    /// A name and what it says, as words of the command line.
    static var example: String { get }
    static var none: String { get }
}

extension TimeRuleNoun {
    fileprivate static var plural: String { verb.commandName ?? kind.word }
}

enum AllowanceNoun: TimeRuleNoun {
    static let kind = TimeRule.Kind.allowance
    static var verb: CommandConfiguration {
        CommandConfiguration(
            commandName: "allowances",
            abstract: localized("List the allowances, which say how much time there is each day, and change them."))
    }
    static var times: ArgumentHelp {
        ArgumentHelp(
            "Weekdays with their time, like mon-fri=1h or sat,sun=90m; week=5h for the week; day-starts=4:00. A time alone, like 1h, is that of each day.",
            valueName: "times")
    }
    static let example = "games mon-fri=1h sat-sun=2h"
    static var none: String { localized("There are no allowances.") }
}

enum ScheduleNoun: TimeRuleNoun {
    static let kind = TimeRule.Kind.schedule
    static var verb: CommandConfiguration {
        CommandConfiguration(
            commandName: "schedules",
            abstract: localized("List the schedules, which say at which hours something is allowed, and change them."))
    }
    static var times: ArgumentHelp {
        ArgumentHelp(
            "Weekdays with their hours, like mon-fri=15:00-19:00; several hours with commas. Hours alone are those of each day.",
            valueName: "times")
    }
    static let example = "after-school mon-fri=15:00-19:00 sat-sun=9:00-12:00,14:00-20:00"
    static var none: String { localized("There are no schedules.") }
}

typealias AllowancesVerb = TimeRulesVerb<AllowanceNoun>
typealias SchedulesVerb = TimeRulesVerb<ScheduleNoun>

struct TimeRulesVerb<Noun: TimeRuleNoun>: ParsableCommand {
    static var configuration: CommandConfiguration {
        var configuration = Noun.verb
        configuration.discussion = """
            For example: sudo gatectl \(Noun.plural) set \(Noun.example)

            A gated action uses one if it requires {\(Noun.kind == .allowance ? "allowance" : "during"): NAME}: \
            gatectl gates set.
            """
        configuration.subcommands = [
            TimeRulesListVerb<Noun>.self, TimeRulesSetVerb<Noun>.self, TimeRulesUnsetVerb<Noun>.self,
        ]
        configuration.defaultSubcommand = TimeRulesListVerb<Noun>.self
        return configuration
    }
}

struct TimeRulesListVerb<Noun: TimeRuleNoun>: Verb {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the \(Noun.plural) of the policy.",
            discussion: "For each: what it says, which gated actions require it, and where the policy says so.")
    }

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let policy = try await session.gate.control.policy().summary
        let rules = policy?.timeRules.filter { $0.kind == Noun.kind } ?? []
        guard !session.output.isJSON else {
            for rule in rules { session.output.line(try rule.json()) }
            return
        }
        session.output.table(
            rules.map { [$0.name] + TimeRuleWords.parts($0, visible: VisibleText.line) }, orNone: Noun.none)
    }
}

struct TimeRulesSetVerb<Noun: TimeRuleNoun>: Verb {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set",
            abstract: "Set one of the \(Noun.plural) (administrators; grown-ups with the passcode).",
            discussion: """
                For example: sudo gatectl \(Noun.plural) set \(Noun.example)

                This takes precedence over what packages have installed, but not over the household's policy and \
                /etc/gate. It replaces what was set before under this name: weekdays that are not given have none.
                """)
    }

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var change: ChangeOptions

    @Argument(help: ArgumentHelp("Its name, which gated actions require.", valueName: "name"))
    var name: String

    @Argument(help: Noun.times)
    var times: [String]

    func validate() throws { _ = try notation() }

    /// In the notation of policy files. The daemon checks it.
    func notation() throws -> String {
        let parts = try times.map { word in
            let sides = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            let (days, time) = sides.count == 1 ? ("mon-sun", sides[0]) : (sides[0], sides[1])
            guard sides.count <= 2, !days.isEmpty, !time.isEmpty,
                word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-=,:".contains($0)) })
            else {
                throw ValidationError("'\(word)' is no time. Write for example: \(Noun.plural) set \(Noun.example)")
            }
            return "\"\(days)\": " + (time.contains(",") ? "[\(time)]" : time)
        }
        return "{\(parts.joined(separator: ", "))}"
    }

    func perform(_ session: Session) async throws(GateError) {
        // It was validated before.
        guard let notation = try? notation() else { return }
        try await session.changeTimeRule(
            SetTimeRuleRequest(kind: Noun.kind, name: name, notation: notation, checkOnly: change.dryRun),
            readsStandardInput: change.question.stdin)
    }
}

struct TimeRulesUnsetVerb<Noun: TimeRuleNoun>: Verb {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "unset",
            abstract: "Take back what was set, unless a gated action requires it.")
    }

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var change: ChangeOptions

    @Argument(help: ArgumentHelp("Its name.", valueName: "name"))
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        try await session.changeTimeRule(
            SetTimeRuleRequest(kind: Noun.kind, name: name, notation: nil, checkOnly: change.dryRun),
            readsStandardInput: change.question.stdin)
    }
}

extension Session {
    fileprivate func changeTimeRule(_ request: SetTimeRuleRequest, readsStandardInput: Bool) async throws(GateError) {
        let response = try await change(
            Methods.Control.setTimeRule, request, readsStandardInput: readsStandardInput)
        let lines = TimeRuleWords.change(
            ChangedTimeRule(response), of: request.name, isDone: !request.checkOnly, visible: VisibleText.line)
        try output.result(response, lines.joined(separator: "\n"))
    }
}
