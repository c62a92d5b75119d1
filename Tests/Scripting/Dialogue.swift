public import GateModel

/// Something that a script can talk to: the pure core, or a daemon through `gatectl`. One function a verb.
///
/// What Gate refuses is an outcome. What throws is a broken environment: a process that did not start, an answer that
/// makes no sense.
public protocol Dialogue {
    mutating func toggle(as person: Person) throws -> Outcome
    mutating func answer(challenge id: UInt64, with text: String, by thief: Person?) throws -> Outcome
    mutating func dismiss(challenge id: UInt64) throws -> Outcome
    mutating func hangUp(challenge id: UInt64) throws -> Outcome
    mutating func cancel(as person: Person) throws -> Outcome
    mutating func lock(as person: Person) throws -> Outcome
    mutating func extend(for duration: Duration?, as person: Person) throws -> Outcome
    mutating func override(to mode: Mode, for duration: Duration?, because reason: String, as person: Person) throws
        -> Outcome
    mutating func mode() throws -> Outcome
    mutating func advance(by duration: Duration) throws -> Outcome
    mutating func turn(_ change: ClockChange) throws -> Outcome
    mutating func restart() throws -> Outcome
    mutating func reboot() throws -> Outcome
    mutating func audit() throws -> Outcome
    mutating func watch(as person: Person) throws -> Outcome
    mutating func check(_ request: AuthorizationRequest, as person: Person) throws -> Outcome
    mutating func authorize(_ request: AuthorizationRequest, as person: Person) throws -> Outcome
    mutating func ask(_ request: ScriptRequest, as person: Person) throws -> Outcome
    mutating func result(of person: Person) throws -> Outcome
    mutating func present(as person: Person) throws -> Outcome
    mutating func screen(of person: Person) throws -> Outcome
    mutating func leave(_ person: Person) throws -> Outcome
    mutating func press(challenge id: UInt64) throws -> Outcome
    mutating func redeem(_ request: AuthorizationRequest, as person: Person) throws -> Outcome
    mutating func grants(as person: Person) throws -> Outcome
    mutating func revoke(_ gatedAction: String, as person: Person) throws -> Outcome
    mutating func setPasscode(_ text: String) throws -> Outcome
    mutating func setAuthenticator() throws -> Outcome
    mutating func logIn(_ name: String, password: String, as person: Person) throws -> Outcome
    mutating func logOut(as person: Person) throws -> Outcome
    mutating func register(_ listed: GatePerson, password: String, as person: Person) throws -> Outcome
    mutating func changePassword(of name: String, from old: String, to new: String, as person: Person) throws -> Outcome
    mutating func setPassword(of name: String, to new: String, as person: Person) throws -> Outcome
    mutating func set(_ listed: GatePerson, as person: Person) throws -> Outcome
    mutating func removePerson(_ name: String, as person: Person) throws -> Outcome
    mutating func confirm(_ name: String, password: String, as person: Person) throws -> Outcome
    mutating func people(as person: Person) throws -> Outcome
    mutating func who() throws -> Outcome
    mutating func entitlements() throws -> Outcome
    mutating func give(_ gift: ScriptGift, as person: Person) throws -> Outcome
    mutating func takeBack(_ claim: Claim.ID, as person: Person) throws -> Outcome
    mutating func submit(_ statement: ScriptStatement, as person: Person) throws -> Outcome
    mutating func offer(_ offers: [Offer], for entitlement: String, as person: Person) throws -> Outcome
    mutating func withdraw(presentation id: UInt64, as person: Person) throws -> Outcome
    mutating func watchSignIn(as person: Person) throws -> Outcome
    mutating func watchEntitlements(as person: Person) throws -> Outcome
    mutating func openForm(_ name: String, as person: Person) throws -> Outcome
    mutating func bringForm(_ name: String, as person: Person) throws -> Outcome
    mutating func beginForm(_ name: String, label: String, as person: Person) throws -> Outcome
    mutating func labelForm(_ name: String, label: String, as person: Person) throws -> Outcome
    mutating func drafts(as person: Person) throws -> Outcome
    mutating func editForm(_ target: ScriptFormTarget, _ edit: ScriptFormEdit, as person: Person) throws -> Outcome
    mutating func readForm(_ name: String, at path: String?, as person: Person) throws -> Outcome
    mutating func suggestions(in name: String, as person: Person) throws -> Outcome
    mutating func missing(in name: String, as person: Person) throws -> Outcome
    mutating func saveForm(_ name: String, as person: Person) throws -> Outcome
    mutating func completeForm(_ target: ScriptFormTarget, as person: Person) throws -> Outcome
    mutating func discardForm(_ name: String, as person: Person) throws -> Outcome
    mutating func responses(as person: Person) throws -> Outcome
    mutating func response(_ id: UInt64, as person: Person) throws -> Outcome
    mutating func withdrawResponse(_ id: UInt64, as person: Person) throws -> Outcome
    mutating func savePart(of name: String, at path: String, label: String, as person: Person) throws -> Outcome
    mutating func removePart(_ id: UInt64, as person: Person) throws -> Outcome
    mutating func parts(as person: Person) throws -> Outcome
    mutating func handIn(_ presentation: UInt64, from response: String) throws -> Outcome
    mutating func watchForms(as person: Person) throws -> Outcome
    mutating func showNews(_ news: ScriptNews, as person: Person) throws -> Outcome
    mutating func acknowledgeNews(_ news: ScriptNews, as person: Person) throws -> Outcome
    mutating func forgetNews(of app: String?, as person: Person) throws -> Outcome
    mutating func listNews(as person: Person) throws -> Outcome
    mutating func reload(_ world: ScriptWorld, as person: Person) throws -> Outcome
    mutating func setGate(_ name: String, requires: String?, as person: Person) throws -> Outcome
    mutating func setTimeRule(
        _ kind: TimeRule.Kind, _ name: String, _ times: [String], as person: Person
    ) throws -> Outcome
    mutating func asks(as person: Person) throws -> Outcome
    mutating func answerAsk(_ number: UInt64, _ answer: AskAnswer, as person: Person) throws -> Outcome
    mutating func withdrawAsk(_ number: UInt64, as person: Person) throws -> Outcome
    mutating func askMoreTime(_ gatedAction: String, _ wish: AskChoice?, as person: Person) throws -> Outcome
    mutating func use(_ gatedAction: String, as person: Person) throws -> Outcome
    mutating func hearUse(_ gatedAction: String, as person: Person) throws -> Outcome
    mutating func stopUsing(_ gatedAction: String, as person: Person) throws -> Outcome
    mutating func usage(as person: Person) throws -> Outcome
    mutating func told(_ use: ScriptUse) throws -> Outcome
    mutating func age(_ command: ScriptAge, as person: Person) throws -> Outcome
    /// After each command: waits for what others do about it by themselves.
    mutating func settle() throws
}

/// The outcome that somebody hears. Both kinds of dialogue speak through it, so that they can't differ in words.
public enum Outcome: Hashable, Sendable {
    case challenge(id: UInt64, Challenge)
    /// The person's own program shows it, and waits for the state to close it.
    case closedByState(id: UInt64, Presentation.Content)
    case mode(ShownMode)
    case right(ShownMode)
    case wrong(ShownMode, lockedOutFor: Duration?)
    case dismissed(ShownMode)
    /// The program that asked is gone.
    case gone(ShownMode)
    case refused(String)
    /// Time went by.
    case clock(Duration, ShownMode)
    /// The daemon is there again.
    case back(ShownMode)
    case journal([JournalLine])
    case seen([ShownMode])
    case outlook(AuthorizationOutlook.Outcome)
    /// `redeemer`: who has to take it; `nil`: the person's program has used it.
    case granted(String, to: String, redeemer: String?)
    case redeemed(requester: String)
    /// The person's call waits for a presenter.
    case waits(String)
    /// Something was done that has no more to say.
    case said(String)
    /// A screen with nothing on it.
    case blank
    case shown(id: UInt64, by: String, PresentationSummary, Presentation.Content)
    /// The outcome of the presenter's answer; of "challenge 3".
    case answered(String, AuditEntry.Kind)
    case kept([KeptLine])
    case people([GatePerson])
    case signIn(ShownSignIn)
    case entitlements(ShownEntitlements)
    case seenSignIn([ShownSignIn])
    case seenEntitlements([ShownEntitlements])
    case paid(PaywallOutcome)
    /// The draft is there, at this revision.
    case openForm(UInt64)
    case form(ShownFormChange)
    /// The answers, a line each.
    case answers([String])
    /// The parts that a form lacks, a sentence each.
    case missing([String])
    case responses([ShownResponse])
    case parts([ShownPart])
    case seenForms([[ShownForm]])
    case drafts([ShownForm])
    case news(WhatsNewOutcome)
    case listedNews([ShownNews])
}

/// The state of the sign-in, as it is shown, with the end of the session on the script's own clock. That a password is
/// being checked is not in it: here that is over in no time.
public struct ShownSignIn: Hashable, Sendable {
    /// `nil`: nobody.
    public var name: String?
    /// Since the script began.
    public var until: Duration?
    public var needsAuthentication: Bool

    public init(name: String?, until: Duration?, needsAuthentication: Bool) {
        self.name = name
        self.until = until
        self.needsAuthentication = needsAuthentication
    }
}

/// The entitlements that are paid for, as they are shown, with ends on the script's own clock.
public struct ShownEntitlements: Hashable, Sendable {
    public struct Line: Hashable, Sendable {
        public var name: String
        /// `nil`: nobody has claimed it.
        public var status: Entitlement.Status?
        public var provider: ClaimProvider?
        public var product: String
        /// Since the script began.
        public var until: Duration?

        public init(
            name: String, status: Entitlement.Status?, provider: ClaimProvider?, product: String, until: Duration?
        ) {
            self.name = name
            self.status = status
            self.provider = provider
            self.product = product
            self.until = until
        }
    }

    public var lines: [Line]
    public var isSubscriptionActive: Bool

    public init(lines: [Line], isSubscriptionActive: Bool) {
        self.lines = lines
        self.isSubscriptionActive = isSubscriptionActive
    }
}

/// A kept grant, with a deadline on the script's own clock.
public struct KeptLine: Hashable, Sendable {
    public var who: String
    public var gatedAction: String
    public var until: Duration

    public init(who: String, gatedAction: String, until: Duration) {
        self.who = who
        self.gatedAction = gatedAction
        self.until = until
    }
}

/// The mode as it is shown, with a deadline on the script's own clock.
public struct ShownMode: Hashable, Sendable {
    public var mode: Mode
    /// Since the script began.
    public var until: Duration?

    public init(mode: Mode, until: Duration?) {
        self.mode = mode
        self.until = until
    }
}

/// An entry of the journal without its time.
public struct JournalLine: Hashable, Sendable {
    /// `nil`: Gate itself.
    public var who: String?
    public var kind: AuditEntry.Kind
    public var detail: String

    public init(who: String?, kind: AuditEntry.Kind, detail: String) {
        self.who = who
        self.kind = kind
        self.detail = detail
    }
}

extension Script {
    /// Plays the script from its beginning. Returns it with what was said in place of what was expected: equal to the
    /// script where everything went as written.
    ///
    /// - Throws: what the dialogue throws; the script ends there.
    public func played(with dialogue: inout some Dialogue) throws -> Script {
        var played = self
        for (index, paragraph) in paragraphs.enumerated() {
            guard case .dialogue(var exchange) = paragraph else { continue }
            exchange.expected = try exchange.commands.flatMap { command in
                let outcome = try dialogue.perform(command)
                try dialogue.settle()
                return outcome.lines
            }
            played.paragraphs[index] = .dialogue(exchange)
        }
        return played
    }

    /// Where two runs of one script differ first, for a person: what was done, expected and said. `nil`: nowhere.
    public func difference(from played: Script) -> String? {
        for case (.dialogue(let expected), .dialogue(let said)) in zip(paragraphs, played.paragraphs)
        where expected != said {
            return """
                line \(expected.line)
                \(expected.source.joined(separator: "\n"))
                ---- expected
                \(expected.expected.joined(separator: "\n"))
                ---- said
                \(said.expected.joined(separator: "\n"))
                """
        }
        return nil
    }
}

extension Dialogue {
    public mutating func settle() throws {}

    /// Does what one line of a script says.
    public mutating func perform(_ command: ScriptCommand) throws -> Outcome {
        switch command {
        case .toggle(let person): try toggle(as: person)
        case .answer(let id, let text, let thief): try answer(challenge: id, with: text, by: thief)
        case .dismiss(let id): try dismiss(challenge: id)
        case .hangUp(let id): try hangUp(challenge: id)
        case .cancel(let person): try cancel(as: person)
        case .lock(let person): try lock(as: person)
        case .extend(let duration, let person): try extend(for: duration, as: person)
        case .override(let mode, let duration, let reason, let person):
            try override(to: mode, for: duration, because: reason, as: person)
        case .mode: try mode()
        case .advance(let duration): try advance(by: duration)
        case .turn(let change): try turn(change)
        case .restart: try restart()
        case .reboot: try reboot()
        case .audit: try audit()
        case .watch(let person): try watch(as: person)
        case .check(let request, let person): try check(request, as: person)
        case .authorize(let request, let person): try authorize(request, as: person)
        case .ask(let request, let person): try ask(request, as: person)
        case .result(let person): try result(of: person)
        case .present(let person): try present(as: person)
        case .screen(let person): try screen(of: person)
        case .leave(let person): try leave(person)
        case .press(let id): try press(challenge: id)
        case .redeem(let request, let person): try redeem(request, as: person)
        case .grants(let person): try grants(as: person)
        case .revoke(let gatedAction, let person): try revoke(gatedAction, as: person)
        case .logIn(let name, let password, let person): try logIn(name, password: password, as: person)
        case .logOut(let person): try logOut(as: person)
        case .register(let listed, let password, let person): try register(listed, password: password, as: person)
        case .changePassword(let name, let old, let new, let person):
            try changePassword(of: name, from: old, to: new, as: person)
        case .setPassword(let name, let new, let person): try setPassword(of: name, to: new, as: person)
        case .setPerson(let listed, let person): try set(listed, as: person)
        case .removePerson(let name, let person): try removePerson(name, as: person)
        case .confirm(let name, let password, let person):
            try confirm(name, password: password, as: person)
        case .people(let person): try people(as: person)
        case .who: try who()
        case .entitlements: try entitlements()
        case .give(let gift, let person): try give(gift, as: person)
        case .takeBack(let claim, let person): try takeBack(claim, as: person)
        case .submit(let statement, let person): try submit(statement, as: person)
        case .offer(let offers, let entitlement, let person): try offer(offers, for: entitlement, as: person)
        case .withdraw(let id, let person): try withdraw(presentation: id, as: person)
        case .watchSignIn(let person): try watchSignIn(as: person)
        case .watchEntitlements(let person): try watchEntitlements(as: person)
        case .openForm(let name, let person): try openForm(name, as: person)
        case .bringForm(let name, let person): try bringForm(name, as: person)
        case .beginForm(let name, let label, let person): try beginForm(name, label: label, as: person)
        case .labelForm(let name, let label, let person): try labelForm(name, label: label, as: person)
        case .drafts(let person): try drafts(as: person)
        case .editForm(let target, let edit, let person): try editForm(target, edit, as: person)
        case .readForm(let name, let path, let person): try readForm(name, at: path, as: person)
        case .suggestions(let name, let person): try suggestions(in: name, as: person)
        case .missing(let name, let person): try missing(in: name, as: person)
        case .saveForm(let name, let person): try saveForm(name, as: person)
        case .completeForm(let target, let person): try completeForm(target, as: person)
        case .discardForm(let name, let person): try discardForm(name, as: person)
        case .responses(let person): try responses(as: person)
        case .response(let id, let person): try response(id, as: person)
        case .withdrawResponse(let id, let person): try withdrawResponse(id, as: person)
        case .savePart(let name, let path, let label, let person):
            try savePart(of: name, at: path, label: label, as: person)
        case .removePart(let id, let person): try removePart(id, as: person)
        case .parts(let person): try parts(as: person)
        case .handIn(let id, let response): try handIn(id, from: response)
        case .watchForms(let person): try watchForms(as: person)
        case .showNews(let news, let person): try showNews(news, as: person)
        case .acknowledgeNews(let news, let person): try acknowledgeNews(news, as: person)
        case .forgetNews(let app, let person): try forgetNews(of: app, as: person)
        case .listNews(let person): try listNews(as: person)
        case .reload(let world, let person): try reload(world, as: person)
        case .setGate(let name, let requires, let person): try setGate(name, requires: requires, as: person)
        case .setTimeRule(let kind, let name, let times, let person):
            try setTimeRule(kind, name, times, as: person)
        case .asks(let person): try asks(as: person)
        case .answerAsk(let number, let answer, let person): try answerAsk(number, answer, as: person)
        case .withdrawAsk(let number, let person): try withdrawAsk(number, as: person)
        case .askMoreTime(let gatedAction, let wish, let person):
            try askMoreTime(gatedAction, wish, as: person)
        case .use(let gatedAction, let person): try use(gatedAction, as: person)
        case .hearUse(let gatedAction, let person): try hearUse(gatedAction, as: person)
        case .stopUsing(let gatedAction, let person): try stopUsing(gatedAction, as: person)
        case .usage(let person): try usage(as: person)
        case .told(let use): try told(use)
        case .age(let command, let person): try age(command, as: person)
        case .passcode(let text): try setPasscode(text)
        case .authenticator: try setAuthenticator()
        }
    }
}
