package import GateModel

/// The words of the scripts.
extension Outcome {
    /// The lines that a script shows of it.
    public var lines: [String] {
        switch self {
        case .challenge(let id, let challenge): ["challenge \(id): \(challenge.scriptText)"]
        case .closedByState(let id, let content): ["\(content.kind.scriptName) \(id)\(content.scriptText)"]
        case .mode(let mode): ["\(mode)"]
        case .right(let mode): ["right; \(mode)"]
        case .wrong(let mode, nil): ["wrong; \(mode)"]
        case .wrong(let mode, let lock?): ["wrong; \(mode); locked out for \(lock.shortText)"]
        case .dismissed(let mode): ["dismissed; \(mode)"]
        case .gone(let mode): ["gone; \(mode)"]
        case .refused(let message): Self.lines("refused: \(message)")
        case .clock(let time, let mode): ["it is \(time.clockText); \(mode)"]
        case .back(let mode): ["back; \(mode)"]
        case .journal(let entries): entries.isEmpty ? ["nothing new"] : entries.map(\.description)
        case .seen(let modes): modes.isEmpty ? ["nothing new"] : modes.map(\.description)
        case .outlook(.granted): ["granted"]
        case .outlook(.personNeeded): ["a person is needed"]
        case .outlook(.denied): ["denied"]
        case .granted(let gatedAction, let person, nil): ["granted \(gatedAction) to \(person), once"]
        case .granted(let gatedAction, let person, let redeemer?):
            ["granted \(gatedAction) to \(person), for \(redeemer) to take"]
        case .redeemed(let requester): ["taken; \(requester) had asked"]
        case .waits(let person): ["\(person) waits"]
        case .said(let text): text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case .blank: ["nothing"]
        case .shown(let id, let who, let summary, .challenge(let challenge)):
            ["challenge \(id): \(who) wants \(summary.wish): \(challenge.scriptText)"]
        case .shown(let id, let who, let summary, .signIn):
            summary.isDismissible ? ["sign-in \(id): \(who) wants \(summary.wish)"] : ["sign-in \(id): cover"]
        case .shown(let id, let who, let summary, .paywall(let paywall)):
            ["paywall \(id): \(who) wants \(summary.wish): \(paywall.scriptText)"]
        case .shown(let id, let who, let summary, .form(let invitation)):
            ["form \(id): \(who) wants \(summary.wish): \(invitation.title)"]
        case .shown(let id, _, _, .whatsNew(let notice)):
            ["what's new \(id): \(notice.scriptText)"]
        case .shown(let id, let who, let summary, .unrecognized):
            ["unrecognized \(id): \(who) wants \(summary.wish)"]
        case .people(let people): people.isEmpty ? ["none"] : people.map(\.scriptText)
        case .signIn(let signIn): [signIn.description]
        case .entitlements(let entitlements): entitlements.texts
        case .seenSignIn(let seen): seen.isEmpty ? ["nothing new"] : seen.map(\.description)
        case .seenEntitlements(let seen): seen.isEmpty ? ["nothing new"] : seen.flatMap(\.texts)
        case .paid(.activeAlready): ["active already"]
        case .paid(.paid): ["paid"]
        case .openForm(let revision): ["open, revision \(revision)"]
        case .form(let change): [change.description]
        case .answers(let lines): lines.isEmpty ? ["nothing"] : lines
        case .missing(let sentences): sentences.isEmpty ? ["nothing is missing"] : sentences
        case .responses(let responses): responses.isEmpty ? ["none"] : responses.map(\.description)
        case .parts(let parts): parts.isEmpty ? ["none"] : parts.map(\.description)
        case .drafts(let drafts): drafts.isEmpty ? ["none"] : drafts.map(\.description)
        case .seenForms(let seen):
            seen.isEmpty ? ["nothing new"] : seen.flatMap { $0.isEmpty ? ["no form"] : $0.map(\.description) }
        case .news(let outcome): [outcome.scriptText]
        case .listedNews(let apps): apps.isEmpty ? ["none"] : apps.map(\.description)
        case .answered(let name, let what): ["\(name): \(what.scriptText)"]
        case .kept(let grants):
            grants.isEmpty ? ["none"] : grants.map { "\($0.who): \($0.gatedAction) until \($0.until.clockText)" }
        }
    }

    /// The line for a program whose request was not granted.
    static func refused(_ error: GateError) -> Outcome {
        error.reason == .asked ? asked(error.message) : refused(error.message)
    }

    /// The line for a program whose question waits for a grown-up.
    package static func asked(_ message: String) -> Outcome { .said("asked: \(message)") }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }
}

extension ShownMode: CustomStringConvertible {
    public var description: String {
        until.map { "\(mode.rawValue) until \($0.clockText)" } ?? mode.rawValue
    }
}

extension ShownSignIn: CustomStringConvertible {
    public var description: String {
        let who =
            name.map { "\($0) is signed in\(until.map { " until \($0.clockText)" } ?? "")" } ?? "nobody is signed in"
        return who + (needsAuthentication ? ", somebody has to be" : "")
    }
}

extension ShownEntitlements {
    fileprivate var texts: [String] {
        let lines = lines.map { line in
            guard let status = line.status, let provider = line.provider else { return "\(line.name): not claimed" }
            let until = line.until.map { " until \($0.clockText)" } ?? ""
            return "\(line.name): \(status.rawValue)\(until), says \(provider.rawValue) of \(line.product)"
        }
        return lines + ["subscription \(isSubscriptionActive ? "active" : "not active")"]
    }
}

extension GatePerson {
    fileprivate var scriptText: String {
        let note = (user.map { ", \($0.name)" } ?? "") + (isConfirmed ? "" : ", not confirmed")
        return switch kind {
        case .grownUp: name + note
        case .child(nil): "\(name), a child\(note)"
        case .child(let born?): "\(name), a child born \(born)\(note)"
        case .shared: "\(name), shared\(note)"
        }
    }
}

extension Presentation.Content {
    /// After its number.
    fileprivate var scriptText: String {
        switch self {
        case .challenge(let challenge): ": \(challenge.scriptText)"
        case .signIn: ""
        case .paywall(let paywall): ": \(paywall.title), \(paywall.scriptText)"
        case .form(let invitation): ": \(invitation.title)"
        case .whatsNew(let notice): ": \(notice.scriptText)"
        case .unrecognized: ": unrecognized"
        }
    }
}

extension Presentation.Kind {
    fileprivate var scriptName: String {
        switch self {
        case .challenge: "challenge"
        case .signIn: "sign-in"
        case .paywall: "paywall"
        case .form: "form"
        case .whatsNew: "what's new"
        case .unrecognized: "unrecognized"
        }
    }
}

extension WhatsNewNotice {
    fileprivate var scriptText: String {
        let buttons = [entry.primary.title, entry.secondary?.title].compactMap(\.self)
        return "\(entry.title) (\(app) \(entry.version)): \(entry.features.map(\.title).joined(separator: ", ")) "
            + "[\(buttons.joined(separator: ", "))]"
    }
}

extension Paywall {
    fileprivate var scriptText: String {
        let products = products.isEmpty ? "" : ": " + products.joined(separator: ", ")
        return (["through \(provider.rawValue)\(products)"] + offers.map(\.scriptText)).joined(separator: "; ")
    }
}

extension Offer {
    /// `monthly at 3.99 for P1M, https://example.org/pay`
    fileprivate var scriptText: String {
        let price = price.isEmpty ? "" : " at \(price)"
        return product + price + (period.map { " for \($0.iso8601)" } ?? "") + (url.map { ", \($0)" } ?? "")
    }
}

extension JournalLine: CustomStringConvertible {
    public var description: String {
        let what = "\(who ?? "gate"): \(kind.scriptText)"
        return detail.isEmpty ? what : "\(what) (\(detail))"
    }
}

extension Challenge {
    /// The question in one line.
    var scriptText: String {
        switch self {
        case .arithmeticChoice(let problem, let choices):
            "\(problem) = ?" + Self.scriptText(choices)
        case .arithmeticEntry(let problem):
            "\(problem) = ?"
        case .shapes(let problem, let choices):
            "corners of \(problem.left.scriptText) \(problem.operator.rawValue) \(problem.right.scriptText) = ?"
                + Self.scriptText(choices)
        case .quiz(let texts):
            (texts.first { $0.language == "en" } ?? texts.first).map { $0.question + Self.scriptText($0.choices) } ?? ""
        case .confirm: "may they?"
        case .birthdate(let calendar): "born when? (\(calendar.rawValue))"
        case .passcode: "passcode?"
        case .totp: "code?"
        case .hold(let duration): "hold for \(duration.shortText)"
        case .swipe(let gesture): "swipe \(gesture.direction.rawValue) with \(gesture.fingers) fingers"
        }
    }

    private static func scriptText(_ choices: [some CustomStringConvertible]) -> String {
        zip("abcdefgh", choices).map { "  \($0)) \($1)" }.joined()
    }
}

extension [ShapesProblem.Shape] {
    fileprivate var scriptText: String { "(" + map(\.form.rawValue).joined(separator: " ") + ")" }
}

extension PresentationSummary {
    /// The request, as it is shown.
    fileprivate var wish: String {
        switch purpose {
        case .enterParentMode: "parent mode"
        case .extendParentMode: "more time in parent mode"
        case .signIn: "somebody to sign in"
        case .pay: asked.details
        case .fillForm: "a form filled in"
        case .whatsNew: asked.details
        case .unrecognized: "unrecognized"
        case .authorize: asked.details.isEmpty ? asked.title : "\(asked.title), \(asked.details)"
        }
    }
}

extension AuditEntry.Kind {
    /// Its name in words: "answeredWrong" reads "answered wrong".
    var scriptText: String {
        let words = rawValue.reduce(into: "") { text, character in
            text += character.isUppercase ? " " + character.lowercased() : String(character)
        }
        return words.hasPrefix("whats ") ? "what's\(words.dropFirst(5))" : words
    }
}

extension Duration {
    /// As a clock shows it: "0:15:00". Whole seconds, rounded up.
    var clockText: String {
        let seconds = (clampedNanoseconds + 999_999_999) / 1_000_000_000
        let digits = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(digits(seconds / 60 % 60)):\(digits(seconds % 60))"
    }
}

/// A question that waits for a grown-up, as dialogues show it.
package struct AskLine {
    package var number: UInt64
    package var who: String
    package var title: String
    package var details: String
    package var state: String

    package init(number: UInt64, who: String, title: String, details: String, state: String) {
        self.number = number
        self.who = who
        self.title = title
        self.details = details
        self.state = state
    }

    /// What has become of it, with the choice of a yes that lasts: `allowed, today`.
    package static func state(_ state: String, _ choice: String?) -> String {
        guard let choice, !choice.isEmpty, choice != "once" else { return state }
        return "\(state), \(choice)"
    }

    package static func answered(_ answer: AskAnswer) -> String {
        switch answer {
        case .yes: "allowed"
        case .no: "refused"
        case .notUntilTomorrow: "not until tomorrow"
        }
    }

    package static func text(_ lines: [AskLine]) -> String {
        let texts = lines.map { "\($0.number): \($0.who), \($0.title), \($0.details): \($0.state)" }
        return texts.isEmpty ? "none" : texts.joined(separator: "\n")
    }
}
