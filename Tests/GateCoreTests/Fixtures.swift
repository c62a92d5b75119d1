import CommandSupport
import GateModel
import GateScripting

@testable import GateCore

extension BootTime {
    /// This many seconds after the boot.
    static func seconds(_ seconds: Int64) -> BootTime {
        BootTime(nanoseconds: seconds * 1_000_000_000)
    }
}

extension Peer {
    static let anna = Peer(connection: 1, uid: 1001, pid: 101, roles: .app, program: "gatectl")
    static let ben = Peer(connection: 2, uid: 1002, pid: 102, roles: .app)
    /// Another program of Anna's.
    static let annasOther = Peer(connection: 3, uid: 1001, pid: 103, roles: .app)
    static let root = Peer(connection: 4, uid: 0, pid: 104, roles: [.app, .administrator])
    static let mara = Peer(connection: 5, uid: 1003, pid: 105, roles: [.app, .presenter])
    static let theo = Peer(connection: 6, uid: 1004, pid: 106, roles: [.app, .presenter])
    /// A presenter of grown-ups.
    static let olga = Peer(connection: 7, uid: 1005, pid: 107, roles: [.app, .presenter, .grownUpPresenter])
    /// The user who owns the photos.
    static let store = Peer(connection: 8, uid: 1010, pid: 108, roles: .app)
    /// The provider of the App Store.
    static let shop = Peer(connection: 9, uid: 1011, pid: 109, roles: [.app, .provider])
    static let daemon = Peer(connection: 0, uid: 990, pid: 1, roles: [.app, .administrator])
}

extension Configuration {
    /// The policy with sums before parent mode.
    static let sums = {
        var configuration = Configuration.builtIn
        configuration.modeChallenge = ChallengeRule(.arithmeticChoice)
        return configuration
    }()

    /// The policy with sums before parent mode, and some gated actions.
    static let gates = {
        var configuration = sums
        configuration.gatedActions = [
            "link.open": GatedAction(
                title: "Open a web page", requirement: .challenge(ChallengeRule(.arithmeticEntry))),
            "store.open": GatedAction(
                title: "Open the store", requirement: .challenge(ChallengeRule(.arithmeticChoice)),
                keep: .seconds(300)),
            "photos.delete": GatedAction(title: "Delete photos", requirement: .parentMode),
            "photos.send": GatedAction(
                title: "Send photos",
                requirement: .any([.parentMode, .challenge(ChallengeRule(.arithmeticEntry))])),
            "purchase": GatedAction(
                title: "Buy something",
                requirement: .all([
                    .challenge(ChallengeRule(.arithmeticChoice)), .challenge(ChallengeRule(.arithmeticEntry)),
                ])),
            "share": GatedAction(
                title: "Share a photo",
                requirement: .challenge(
                    ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp)))),
            "settings": GatedAction(title: "Open the settings", requirement: .challenge(ChallengeRule(.passcode))),
            "cover": GatedAction(
                title: "Cover everything", requirement: .challenge(ChallengeRule(.arithmeticEntry)),
                style: .fullScreenCover),
            "save": GatedAction(
                title: "Save a photo",
                requirement: .challenge(
                    ChallengeRule(ChallengeSpecification(.hold, holdDuration: .seconds(3))))),
        ]
        return configuration
    }()

    /// The policy with a required sign-in, and Premium for sale.
    static let premium = {
        var configuration = gates
        configuration.signIn = SignInRule(
            isRequired: true, session: .seconds(3600), maximumSession: .seconds(3 * 3600))
        configuration.entitlements = ["premium": EntitlementDefinition(title: "Premium")]
        configuration.items = [
            ProviderItem(.storeKit, "monthly"): "premium", ProviderItem(.storeKit, "yearly"): "premium",
            ProviderItem(.revenueCat, "pro"): "premium",
        ]
        configuration.customers = ["anna-17": .account("anna"), "tablet": .device]
        configuration.gatedActions["premium.filters"] = GatedAction(
            title: "Premium filters", requirement: .all([.signedIn, .entitlement("premium")]))
        configuration.gatedActions["by.age"] = GatedAction(
            title: "By age",
            requirement: .challenge(
                ChallengeRule(bands: [
                    ChallengeRule.Band(ages: 0...8, challenge: .init(.arithmeticChoice)),
                    ChallengeRule.Band(ages: 9...150, challenge: .init(.passcode)),
                ])))
        return configuration
    }()
}

extension PresenterAbilities {
    static let everything = PresenterAbilities(
        kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))
}

/// A password and the hash to compare it with.
struct PasswordCheck: Hashable {
    let password: GateSecret
    let hash: String?
}

/// A device in memory: the core, a clock to turn, and a store that is built from transitions alone.
struct Device {
    var state: GateState
    var stored: DurableRecords
    var journal: [AuditEntry] = []
    /// Passwords that are being checked.
    var passwordChecks: [PasswordCheckID: PasswordCheck] = [:]
    /// The replies of waiting calls, in order.
    var settled: [WaitID: [Reply]] = [:]
    /// Guardians' answers that are to be signed and sent.
    var sentAnswers: [AnswerToSend] = []
    /// Secrets that are being checked.
    var checks: [UInt64: SecretCheck] = [:]
    var now = BootTime.seconds(1000)
    var wallTime = WallTime(unixMilliseconds: 5)
    var zone = ZoneOffsets()
    /// How long the device has slept.
    var suspended = Duration.zero
    var random = SeededGenerator(seed: 1)

    init(
        _ stored: DurableRecords = DurableRecords(revision: Revision(epoch: 1, number: 0)),
        configuration: Configuration = .sums
    ) {
        self.stored = stored
        state = GateState(restoring: stored, configuration: configuration)
        // The core knows the time.
        state.clockWasRead(Context(now: now, localTime: LocalTime(wallTime), peer: .daemon, random: random))
        var silence = TransitionDraft()
        state.resolveEntitlements(at: now, &silence)
    }

    @discardableResult
    mutating func apply(_ command: Command, as peer: Peer) throws(GateError) -> Transition {
        var context = Context(
            now: now, localTime: zone.localTime(wallTime), zone: zone, peer: peer,
            suspendedNanoseconds: suspended.clampedNanoseconds,
            random: random)
        let transition: Transition
        do throws(GateError) {
            transition = try state.apply(command, &context)
        } catch {
            random = context.random as? SeededGenerator ?? random
            throw error
        }
        random = context.random as? SeededGenerator ?? random
        stored.apply(transition)
        journal += transition.audit
        for effect in transition.effects {
            switch effect {
            case .settle(let wait, let reply): settled[wait, default: []].append(reply)
            case .checkSecret(let id, let check): checks[id] = check
            case .checkPassword(let id, let password, let hash):
                passwordChecks[id] = PasswordCheck(password: password, hash: hash)
            case .answer(let answer): sentAnswers.append(answer)
            }
        }
        return transition
    }

    mutating func turn(by duration: Duration) throws {
        now = now.advanced(by: duration)
        try apply(.deadlineReached, as: .daemon)
    }

    // MARK: - The mode

    /// Opens the challenge for parent mode.
    mutating func ask(as peer: Peer) throws -> Presentation {
        try apply(.toggle(presenting: .here), as: peer).presentation()
    }

    /// Opens the challenge for a longer lease.
    mutating func askForMore(_ duration: Duration? = nil, as peer: Peer) throws -> Presentation {
        try apply(.extend(duration, presenting: .here), as: peer).presentation()
    }

    @discardableResult
    mutating func answerRight(_ presentation: Presentation, as peer: Peer) throws -> Transition {
        try apply(.complete(presentation.cookie, .text(presentation.question.solution)), as: peer)
    }

    @discardableResult
    mutating func answerWrong(_ presentation: Presentation, as peer: Peer) throws -> Transition {
        try apply(.complete(presentation.cookie, .text("0")), as: peer)
    }

    mutating func enterParentMode(as peer: Peer) throws {
        try answerRight(ask(as: peer), as: peer)
    }

    /// Gives wrong answers until the user is locked out. Returns for how long.
    mutating func lockOut(_ peer: Peer) throws -> Duration? {
        for _ in 0..<100 {
            if case .refused(let error) = try answerWrong(ask(as: peer), as: peer).reply, error.retryAfter != nil {
                return error.retryAfter
            }
        }
        return nil
    }

    // MARK: - Gated actions and screens

    /// Asks for a gated action, and shows the question in the same program.
    mutating func authorize(
        _ gatedAction: String, _ details: String = "", redeemer: UInt32? = nil, as peer: Peer
    ) throws -> Transition {
        let request = AuthorizationRequest(gatedAction: gatedAction, details: details, redeemer: redeemer)
        return try apply(.authorize(request, presenting: .here), as: peer)
    }

    /// Asks for a gated action, and waits for a presenter to show the question.
    mutating func waitFor(_ gatedAction: String, _ details: String = "", as peer: Peer) throws -> WaitID {
        let request = AuthorizationRequest(gatedAction: gatedAction, details: details)
        return try apply(.authorize(request, presenting: .elsewhere), as: peer).wait()
    }

    /// Gets a grant for a link by a right answer.
    mutating func grant(_ details: String = "", redeemer: UInt32? = nil, to peer: Peer) throws -> Grant {
        let question = try authorize("link.open", details, redeemer: redeemer, as: peer).presentation()
        return try answerRight(question, as: peer).grant()
    }

    mutating func claim(_ id: UInt64, as peer: Peer) throws -> Presentation {
        try apply(.claim(presentation: id), as: peer).presentation()
    }

    /// Tells the core the outcome of the answer that is being checked.
    @discardableResult
    mutating func check(_ id: UInt64, finds outcome: SecretOutcome) throws -> Transition {
        try apply(.secretChecked(presentation: id, outcome), as: .daemon)
    }

    // MARK: - Accounts

    static let password = GateSecret("correct horse".utf8)

    /// Makes an account whose hash is its name, so that `logIn` finds the password right.
    mutating func register(_ name: String, _ kind: GatePerson.Kind = .grownUp) throws {
        try apply(.register(GatePerson(name: name, kind: kind), passwordHash: "$\(name)"), as: .root)
    }

    /// Begins a log-in. Returns the waiting call and the check.
    mutating func beginLogIn(_ name: String, as peer: Peer) throws -> (wait: WaitID, check: PasswordCheckID) {
        let transition = try apply(.logIn(name: name, password: Self.password), as: peer)
        guard case .checkPassword(let id, _, _)? = transition.effects.first else {
            throw UnexpectedReply(reply: transition.reply)
        }
        return (try transition.wait(), id)
    }

    /// Logs somebody in with this outcome of the check. Returns the reply.
    @discardableResult
    mutating func logIn(_ name: String, _ outcome: PasswordOutcome = .right, as peer: Peer) throws -> Reply? {
        let (wait, check) = try beginLogIn(name, as: peer)
        try apply(.passwordChecked(check, outcome), as: .daemon)
        return reply(to: wait)
    }

    /// Reports a purchase as the App Store's provider.
    @discardableResult
    mutating func buy(
        _ product: String = "monthly", transaction: String = "1", for duration: Duration? = .seconds(3600),
        holder: Claim.Holder? = nil
    ) throws -> Transition {
        let purchase = ClaimedPurchase(
            item: product, product: product, purchasedAt: wallTime,
            expiresAt: duration.map {
                WallTime(unixMilliseconds: wallTime.unixMilliseconds + $0.millisecondsRoundedUp)
            },
            saidAt: wallTime)
        return try apply(
            .submit(
                .storeKit(originalTransaction: transaction, purchase: purchase, renewal: nil, notificationID: nil),
                for: holder), as: .shop)
    }

    /// Turns both clocks on.
    mutating func pass(_ duration: Duration) throws {
        wallTime.unixMilliseconds += duration.millisecondsRoundedUp
        try turn(by: duration)
    }

    // MARK: - Looking

    var mode: Mode { state.modeState.mode }

    /// The kinds of the journal's entries, from this one on.
    func kinds(from index: Int = 0) -> [AuditEntry.Kind] {
        journal[index...].map(\.kind)
    }

    func lockout(of peer: Peer, at gate: String = "mode") -> Lockout? {
        state.records.lockouts[Lockout.Key(owner: peer.owner, gate: gate)]
    }

    /// The presentation that this peer shows.
    func shown(to peer: Peer) -> Presentation? {
        state.queue.open.compactMap(\.presentation).first {
            state.queue.presentation($0.id)?.isHeld(by: peer.connection) ?? false
        }
    }

    /// The one reply that this call was given; `nil`: none, or more than one.
    func reply(to wait: WaitID) -> Reply? {
        settled[wait]?.count == 1 ? settled[wait]?.first : nil
    }

    /// The reason for which this call was refused.
    func refusal(of wait: WaitID) -> GateError? {
        if case .refused(let error) = reply(to: wait) { error } else { nil }
    }
}

extension Lockout.Key {
    /// The lockout of this peer's user before parent mode.
    static func mode(of peer: Peer) -> Lockout.Key {
        Lockout.Key(owner: peer.owner, gate: "mode")
    }
}

/// A reply that is not the one that a test is about.
struct UnexpectedReply: Error {
    let reply: Reply
}

extension Transition {
    func presentation() throws -> Presentation {
        guard case .presentation(let presentation) = reply else { throw UnexpectedReply(reply: reply) }
        return presentation
    }

    func wait() throws -> WaitID {
        guard case .waiting(let wait) = reply else { throw UnexpectedReply(reply: reply) }
        return wait
    }

    func grant() throws -> Grant {
        guard case .granted(let grant) = reply else { throw UnexpectedReply(reply: reply) }
        return grant
    }
}

extension Challenge {
    /// The right answer to a sum, computed here from what is shown. Empty for any other question.
    var solution: String {
        switch self {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): "\(problem.solved)"
        case .confirm: "yes"
        case .shapes, .quiz, .birthdate, .passcode, .totp, .hold, .swipe: ""
        }
    }
}

extension ArithmeticProblem {
    var solved: Int {
        switch `operator` {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .dividedBy: left / right
        }
    }
}

extension Presentation {
    /// The challenge; a test must not ask for it with a sign-in or a paywall.
    var question: Challenge {
        guard let challenge else { preconditionFailure("no challenge: \(content)") }
        return challenge
    }
}

extension LocalTime {
    /// 1970-01-01, midnight, in UTC.
    static let epoch = LocalTime(WallTime(unixMilliseconds: 0))
}
