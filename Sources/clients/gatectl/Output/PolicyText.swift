import GateCore
import GateModel
import GatePolicy
import GateTexts

/// The report of `gatectl policy check` on a valid policy: what each gate asks, and how safe that is.
struct PolicyText {
    private let policy: Policy
    private let gates: [Gate]
    private let needs: InstallationFacts.Needs

    /// What the policy guards: parent mode, or a gated action.
    struct Gate {
        /// `nil` for parent mode.
        let gatedAction: String?
        let title: String
        let requires: String
        /// What it requires, in the person's language; in English the same as `requires`.
        let words: String
        let keep: Duration?
        let odds: OddsByAge

        init(gatedAction: String?, title: String, _ requirement: Requirement, keep: Duration?, odds: OddsByAge) {
            (self.gatedAction, self.title, self.keep, self.odds) = (gatedAction, title, keep, odds)
            requires = requirement.text
            words =
                Localization.isTranslating
                ? RequirementWords(requirement).text(visible: VisibleText.line) : requirement.text
        }
    }

    /// - Parameter needs: what this policy needs on this device, as far as that is known.
    init(_ policy: Policy, needs: InstallationFacts.Needs = InstallationFacts.Needs()) {
        (self.policy, self.needs) = (policy, needs)
        let configuration = policy.configuration
        let mode = Gate(
            gatedAction: nil, title: localized("Parent mode"), .challenge(configuration.modeChallenge), keep: nil,
            odds: OddsByAge(ofModeIn: configuration))
        gates =
            [mode]
            + configuration.gatedActions.sorted { $0.key < $1.key }.map { name, gatedAction in
                Gate(
                    gatedAction: name, title: gatedAction.title, gatedAction.requirement, keep: gatedAction.keep,
                    odds: OddsByAge(of: gatedAction.requirement, before: name, in: configuration))
            }
    }

    // MARK: - For people

    var lines: [String] {
        let header = [
            localized("gate"), localized("guessed in an hour"), localized("by a program"),
            localized("not asked again for"), localized("requires"),
        ]
        let rows = gates.map { gate in
            [
                gate.gatedAction ?? localized("parent mode"), gate.odds.likeliestText, gate.odds.programText,
                gate.keep.map(DurationWords.short) ?? "-", gate.words,
            ]
        }
        let paragraphs = [
            [verdict] + [household].compactMap(\.self),
            (policy.broken.flatMap(\.lines) + policy.warnings.map(\.description))
                .map { Self.warning(VisibleText.line($0)) },
            TextTable(rows: [header] + rows).lines, warnings.map(Self.warning), explanations,
        ]
        return Array(paragraphs.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private static func warning(_ text: String) -> String { localized("warning: {text}", ["text": text]) }

    private var verdict: String {
        policy.files.isEmpty
            ? localized("There are no policy files; the built-in policy is this one.")
            : localized("Nothing is wrong with {files}.", ["files": ListText.things(policy.files)])
    }

    private var household: String? {
        policy.configuration.household.map { settings in
            localized(
                "This device is {device} in the household {household}; its broker is {host}, port {port}.",
                [
                    "device": VisibleText.line(settings.name), "household": settings.household.description,
                    "host": settings.broker.host, "port": "\(settings.broker.port)",
                ])
        }
    }

    private var explanations: [String] {
        var lines = [
            localized(
                "Guessed: how likely somebody who only guesses gets through within an hour, as the lockout allows. A passcode is taken to have four digits."
            )
        ]
        if gates.contains(where: { $0.odds.isGuessed && $0.odds.programPasses }) {
            lines.append(
                localized(
                    "By a program: the answer can be worked out or clicked; it keeps children away, not programs."))
        }
        if gates.contains(where: { !$0.odds.isGuessed }) {
            lines.append(
                localized(
                    "Nothing to guess: anyone who is signed in, or has paid, gets through without a question, a child with an account, too, and so does a program that can sign in."
                ))
        }
        if gates.contains(where: { $0.odds.likeliest.guessLimit != nil }) {
            let digits = { OddsWords.chance(GuessingOdds.probabilityEver(ofPasscodeWithDigits: $0)) }
            lines.append(
                localized(
                    "For ever: after {count} wrong answers by all who never gave the right one, no more are checked until an administrator runs `gatectl lockouts clear`. So a passcode of four digits is guessed {four}, one of six {six}, however long and with however many users somebody tries.",
                    ["count": "\(SecretBudget.ofStrangers)", "four": digits(4), "six": digits(6)]))
        }
        if policy.configuration.gatedActions.values.contains(where: { $0.requirement.asksForSecret }) {
            let sum = OddsByAge(of: .challenge(ChallengeRule(.arithmeticEntry)), in: policy.configuration)
            lines.append(
                localized(
                    "Passcode and totp: until `gatectl setup` has set one up, gated actions ask a sum in their place, which is guessed in an hour {odds}, and which a program passes.",
                    ["odds": sum.likeliestText]))
        }
        if gates.contains(where: { $0.odds.bands.count > 1 }) {
            lines.append(localized("Ages: if the age is unknown, the hardest question is asked."))
        }
        let forms = policy.configuration.forms
        let unasked = policy.configuration.gatedActions.filter { $0.value.requirement.isConsentUnasked(forms) }
        if !unasked.isEmpty {
            lines.append(
                localized(
                    "Forms for grown-ups: before {gates} nobody is asked a question first, so only an administrator, or a screen with the role grown-up-presenter, completes the form. With a challenge before it, anyone who answers that completes it; parent mode is not enough.",
                    ["gates": ListText.things(unasked.keys.sorted())]))
        }
        if policy.configuration.gatedActions.isEmpty {
            lines.append(localized("There are no gated actions, so all are denied."))
        }
        return lines
    }

    /// Warnings about gates that a child or a program can get through although they matter for long or on other devices
    /// (parent mode, kept answers, effects elsewhere); then about what this device lacks for the policy.
    var warnings: [String] { gates.compactMap(\.warning) + needs.warnings }

    // MARK: - For programs

    var json: String {
        "{\"files\":\(JSONText.list(policy.files.map(JSONString.quoted))),\"gates\":\(JSONText.list(gates.map(\.json)))"
            + (policy.configuration.household.map { ",\"household\":\(Self.json($0))" } ?? "")
            + ",\"warnings\":\(JSONText.list(warnings.map(JSONString.quoted)))"
            + ",\"fileWarnings\":\(JSONText.list(policy.warnings.map(Self.object)))"
            + (policy.broken.isEmpty ? "" : ",\"broken\":\(JSONText.list(policy.broken.map(Self.json)))") + "}"
    }

    private static func json(_ household: HouseholdSettings) -> String {
        let permissions = HomeAssistantPermission.allCases.filter(household.homeAssistantMay)
        return "{\"household\":\(JSONString.quoted(household.household.description))"
            + ",\"device\":\(JSONString.quoted(household.device.description))"
            + ",\"name\":\(JSONString.quoted(household.name))"
            + ",\"broker\":{\"host\":\(JSONString.quoted(household.broker.host)),\"port\":\(household.broker.port)}"
            + ",\"homeAssistantMay\":\(JSONText.list(permissions.map { JSONString.quoted($0.rawValue) }))}"
    }

    /// A file that is left out, and the gated actions that are denied because of that.
    private static func json(_ broken: BrokenPolicyFile) -> String {
        "{\"file\":\(JSONString.quoted(broken.file)),\"problems\":\(JSONText.list(broken.problems.map(object)))"
            + ",\"denied\":\(JSONText.list(broken.gatedActions.map(JSONString.quoted)))}"
    }

    static func json(_ problems: [PolicyProblem]) -> String {
        "{\"problems\":\(JSONText.list(problems.map(object)))}"
    }

    static func object(_ problem: PolicyProblem) -> String {
        var text = "{\"file\":\(JSONString.quoted(problem.file))"
        if let line = problem.line { text += ",\"line\":\(line)" }
        if let column = problem.column { text += ",\"column\":\(column)" }
        return text + ",\"message\":\(JSONString.quoted(problem.message))}"
    }
}

extension Requirement {
    /// Whether a form that only a grown-up may complete meets it, without a challenge that proves the grown-up.
    fileprivate func isConsentUnasked(_ forms: [String: FormDescription]) -> Bool {
        switch self {
        case .parentMode, .signedIn, .entitlement, .challenge, .during, .allowance: false
        case .form(let name): forms[name]?.questionnaire.completedBy == .grownUp
        case .all(let parts):
            parts.contains { $0.isConsentUnasked(forms) }
                && !parts.contains { if case .challenge = $0 { true } else { false } }
        case .any(let parts): parts.contains { $0.isConsentUnasked(forms) }
        }
    }

    /// Whether people of at least one age are asked for a passcode or a TOTP code.
    fileprivate var asksForSecret: Bool {
        conditions.contains { condition in
            if case .challenge(let rule) = condition {
                rule.bands.contains { $0.challenge.kind.isSecret }
            } else {
                false
            }
        }
    }
}

extension PolicyText.Gate {
    /// From this chance of guessing within an hour on, a gate is called easy: a passcode would do better.
    private static let tolerated = 0.01

    fileprivate var warning: String? {
        let reachesOthers = GatedAction.reachesOthers(gatedAction)
        // A gate that asks no question is not meant to keep children out.
        guard gatedAction == nil || keep != nil || reachesOthers, odds.isGuessed else { return nil }
        let probability = odds.likeliest.probability()
        let isEasy = probability >= Self.tolerated
        guard odds.programPasses || isEasy else { return nil }
        var ways: [String] = []
        if isEasy {
            ways.append(
                localized("by guessing ({odds} within an hour)", ["odds": OddsWords.chance(probability)]))
        }
        if odds.programPasses { ways.append(localized("with a program")) }
        let reach = ListText.alternatives(ways)
        if gatedAction == GatedAction.change {
            return localized(
                "Somebody who is no grown-up can get through {gate} {ways}, and so change Gate itself. Ask for passcode or totp.",
                ["gate": GatedAction.change, "ways": reach])
        }
        if let gatedAction, reachesOthers {
            return localized(
                "Somebody who is no grown-up can get through {gate} {ways}, and so reaches other devices. Ask for passcode or totp.",
                ["gate": gatedAction, "ways": reach])
        }
        guard let gatedAction, let keep else {
            return localized(
                "Somebody who is no grown-up can get into parent mode {ways}. Ask for passcode or totp.",
                ["ways": reach])
        }
        return localized(
            "Somebody who is no grown-up can get through {gate} {ways}, and is then not asked again for {duration}. Ask for passcode or totp, or leave 'keep' out.",
            ["gate": gatedAction, "ways": reach, "duration": DurationWords.short(keep)])
    }

    fileprivate var json: String {
        var text = "{\"gate\":\(JSONString.quoted(gatedAction ?? "mode")),\"title\":\(JSONString.quoted(title))"
        text += ",\"requires\":\(JSONString.quoted(requires))"
        // A string, because it has 64 bits, as in proto3 JSON.
        if let keep { text += ",\"keepMilliseconds\":\"\(keep.millisecondsRoundedUp)\"" }
        let bands = odds.bands.map { band in
            "{\"from\":\(band.ages.lowerBound),\"to\":\(band.ages.upperBound),\(band.odds.json)}"
        }
        text += ",\(odds.likeliest.json(programPasses: odds.programPasses))"
        return "\(text),\"ages\":\(JSONText.list(bands)),\"unknownAge\":{\(odds.unknownAge.json)}}"
    }
}

extension GuessingOdds {
    fileprivate var json: String { json(programPasses: programPasses) }

    fileprivate func json(programPasses: Bool) -> String {
        let guessed = "\"guessedInAnHour\":\(probability()),\"triesInAnHour\":\(tries())"
        let ever = probabilityEver.map { ",\"guessedEver\":\($0)" } ?? ""
        return "\(guessed)\(ever),\"programPasses\":\(programPasses)" + (isGuessed ? "" : ",\"nothingToGuess\":true")
    }
}
