import Foundation
import GateCore
import GateModel
import GateScripting
import Testing

@testable import GateDaemon

/// Random people do random things while the store fails and the daemon crashes; whatever happens, the promises hold.
/// `GATE_SIMULATION_SEEDS=1..500` or `=17,23` chooses other seeds, `GATE_SIMULATION_STEPS` other lengths.
@Suite("Simulation with faults")
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment

    static var seeds: [UInt64] {
        let text = environment["GATE_SIMULATION_SEEDS"] ?? "1..60"
        if let range = text.range(of: "..") {
            guard let first = UInt64(text[..<range.lowerBound]), let last = UInt64(text[range.upperBound...]),
                first <= last
            else { return [] }
            return Array(first...last)
        }
        return text.split(separator: ",").compactMap { UInt64($0) }
    }

    private static var steps: Int { environment["GATE_SIMULATION_STEPS"].flatMap { Int($0) } ?? 400 }

    @Test("whatever is told stays true, and nobody gets in without an answer", arguments: seeds)
    func promises(seed: UInt64) throws {
        var simulation = Simulation(seed: seed)
        for _ in 0..<Self.steps { try simulation.step() }
        try simulation.end()
    }

    @Test("there are seeds to try")
    func thereAreSeeds() {
        #expect(!Self.seeds.isEmpty)
    }

    @Test(
        "a simulation does all that it is there for: people answer, present, wait, redeem, and lose their connections")
    func coverage() throws {
        var seen: Set<AuditEntry.Kind> = []
        for seed in 1...100 {
            var simulation = Simulation(seed: UInt64(seed))
            for _ in 0..<600 { try simulation.step() }
            seen.formUnion(simulation.journalKinds)
        }
        let expected: Set<AuditEntry.Kind> = [
            .answeredRight, .answeredWrong, .claimed, .presenterLost, .requesterLost, .granted, .redeemed, .refused,
            .dismissed, .expired, .lockedOut, .parentEntered, .withdrawn, .revoked, .cancelled, .lockoutCleared,
            .signedIn,
            .signInFailed, .signedOut, .sessionExpired, .passwordChanged, .paid, .paywallOpened, .entitlementClaimed,
            .entitlementChanged, .formAsked, .formOpened, .formSaved, .formCompleted, .formDiscarded,
            .responseWithdrawn, .whatsNewOpened, .whatsNewSeen, .whatsNewReset, .reloaded,
        ]
        #expect(expected.subtracting(seen).isEmpty)
    }
}

/// One run: the authority, its peers, and what has been checked so far.
private struct Simulation {
    private var authority: SimulatedAuthority
    private var promises = Promises()
    private var random: SeededGenerator
    private var forms: SimulatedForms
    private var peers: [Peer] = []
    private var lastConnection: UInt64 = 0
    /// The question each connection was shown, while it may still be open.
    private var questions: [UInt64: Presentation] = [:]
    private var grants: [(peer: Peer, grant: Grant)] = []

    init(seed: UInt64) {
        forms = SimulatedForms(seed: seed ^ 0xf0f)
        authority = SimulatedAuthority(seed: seed, configuration: forms.configuration())
        random = SeededGenerator(seed: seed ^ 0x5eed)
        for person in SimulatedPeople.all { connect(uid: person.uid, roles: person.roles) }
        let anna = Command.registerAccount(
            Account(name: "anna", kind: .grownUp), passwordHash: SimulatedPeople.passwordHash)
        authority.submit(anna, as: .daemon)
    }

    var journalKinds: Set<AuditEntry.Kind> { Set(authority.journal.map(\.kind)) }

    private mutating func connect(uid: UInt32, roles: Roles) {
        lastConnection += 1
        peers.append(Peer(connection: lastConnection, uid: uid, pid: Int32(lastConnection), roles: roles))
    }

    mutating func step() throws {
        let locksBefore = Promises.locks(authority)
        var elapsed = Duration.zero
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<56: act()
        case 56..<76: authority.endCommit(succeeds: true)
        case 76..<80: authority.endCommit(succeeds: false)
        case 80..<84: authority.endCheck(fails: Int.random(in: 0..<8, using: &random) == 0)
        case 84..<86: authority.reconcile()
        case 86..<94:
            elapsed = .seconds(Int64.random(in: 1...200, using: &random))
            authority.advance(by: elapsed)
        case 94: authority.reload(forms.configuration())
        case 95..<98: hangUp(at: peers.indices.randomElement(using: &random) ?? 0)
        default:
            authority.crash(hitsDisk: Bool.random(using: &random), reboots: Bool.random(using: &random))
            promises.daemonCrashed()
            _ = (questions.removeAll(), grants.removeAll())
        }
        try look(locksBefore: locksBefore, elapsed: elapsed)
    }

    /// Everybody leaves, and nothing may be left behind.
    mutating func end() throws {
        while !peers.isEmpty {
            let peer = peers.removeLast()
            authority.hangUp(peer)
            promises.connectionEnded(peer.connection)
        }
        authority.comeToRest()
        try look(locksBefore: [:], elapsed: .zero)
        try promises.checkRest(authority)
    }

    private mutating func look(locksBefore: [Lockout.Key: Duration], elapsed: Duration) throws {
        let news = try promises.check(authority)
        for told in news {
            guard case .success(let transition) = told.outcome else { continue }
            take(transition.reply, as: told.peer)
        }
        try promises.checkLocks(authority, before: locksBefore, elapsed: elapsed, told: news)
        try promises.checkDisk(authority)
        try promises.checkQueue(authority)
    }

    private mutating func take(_ reply: Reply, as peer: Peer) {
        switch reply {
        case .presentation(let presentation): questions[peer.connection] = presentation
        case .granted(let grant): grants.append((peer, grant))
        case .done, .waiting, .redeemed, .count, .refused, .recovered, .entitled, .claimed, .form, .responded,
            .whatsNew:
            break
        }
    }

    // MARK: What they do

    private mutating func act() {
        guard let peer = peers.randomElement(using: &random) else { return }
        if Int.random(in: 0..<20, using: &random) == 0, let wait = promises.wait(of: peer) {
            promises.callEnded(wait)
            return authority.submit(.callEnded(wait), as: peer, isFact: true)
        }
        authority.submit(command(of: peer), as: peer)
    }

    private mutating func command(of peer: Peer) -> Command {
        if let question = questions[peer.connection], Bool.random(using: &random) {
            // What is closed is answered now and then.
            let isOpen = authority.durable.presentations(visibleTo: .daemon).contains { $0.id == question.id }
            if isOpen || Int.random(in: 0..<8, using: &random) == 0 { return answer(question) }
        }
        if let kept = authority.durable.keptGrants(of: nil).first?.key.uid, Int.random(in: 0..<8, using: &random) == 0 {
            return .revoke(uid: peer.roles.contains(.administrator) ? kept : nil, gatedAction: nil)
        }
        if peer.roles.contains(.presenter), Int.random(in: 0..<3, using: &random) > 0 { return present(peer) }
        if peer.roles.contains(.provider) {
            return .submit(statement(), for: Bool.random(using: &random) ? .device : nil)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            return forms.command(in: authority.durable, peer, cookie: questions[peer.connection]?.cookie)
        }
        let presentsItself = Bool.random(using: &random)
        switch Int.random(in: 0..<29, using: &random) {
        case 20..<23: return .logIn(name: "anna", password: password())
        case 23: return .logOut
        case 28:
            return .authorize(
                AuthorizationRequest(gatedAction: SimulatedForms.gatedAction, details: ""),
                presentsItself: presentsItself)
        case 24: return .requestPaywall(PaywallRequest(), presentsItself: presentsItself)
        case 25: return .changePassword(name: "anna", old: password(), newHash: SimulatedPeople.passwordHash)
        case 0..<5: return .toggle(presentsItself: presentsItself)
        case 5..<12:
            let gatedAction = SimulatedPeople.gatedActions.randomElement(using: &random) ?? ""
            return .authorize(
                AuthorizationRequest(gatedAction: gatedAction, details: "it"), presentsItself: presentsItself)
        case 12..<14:
            let own = grants.last { $0.peer.connection == peer.connection }
            guard let taken = own ?? grants.randomElement(using: &random) else { return .cancel }
            return .redeem(taken.grant.proof, gatedAction: taken.grant.gatedAction, details: taken.grant.details)
        case 14, 26, 27: return .revoke(uid: nil, gatedAction: nil)
        case 15: return .lock
        case 16: return .extend(.seconds(Int64.random(in: -1...600, using: &random)), presentsItself: presentsItself)
        case 17:
            return .override(Mode.allCases.randomElement(using: &random) ?? .child, nil, reason: "simulated")
        case 18:
            // A stolen cookie.
            let stolen = questions.values.sorted { $0.id < $1.id }.first?.cookie
            return .complete(stolen ?? Cookie(bytes: []), .text("12"))
        default: return Bool.random(using: &random) ? .cancel : .clearLockouts(uid: 1001, gate: nil)
        }
    }

    private mutating func password() -> Secret {
        Int.random(in: 0..<4, using: &random) == 0 ? Secret("x".utf8) : SimulatedAuthority.passcode
    }

    /// The store sells a month, and takes one back now and then.
    private mutating func statement() -> ProviderStatement {
        let now = WallTime(unixMilliseconds: authority.now.nanoseconds / 1_000_000)
        let end = WallTime(unixMilliseconds: now.unixMilliseconds + Int64.random(in: -1000...400_000, using: &random))
        let purchase = Purchase(
            item: "monthly", product: "monthly", purchasedAt: now, expiresAt: end,
            revokedAt: Int.random(in: 0..<4, using: &random) == 0 ? now : nil, saidAt: now)
        return .storeKit(
            originalTransaction: "\(Int.random(in: 1...2, using: &random))", purchase: purchase, renewal: nil,
            notificationID: nil)
    }

    private mutating func answer(_ question: Presentation) -> Command {
        switch question.content {
        case .challenge(let challenge): answer(question, challenge)
        case .form(let invitation): forms.command(in: authority.durable, on: invitation, question.cookie)
        case .whatsNew:
            Bool.random(using: &random)
                ? .dismiss(question.cookie)
                : .complete(question.cookie, .acknowledged(secondary: Bool.random(using: &random)))
        case .signIn, .paywall:
            Int.random(in: 0..<4, using: &random) > 0 ? .dismiss(question.cookie) : .awaitClosing(question.cookie)
        }
    }

    private mutating func answer(_ question: Presentation, _ challenge: Challenge) -> Command {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .dismiss(question.cookie)
        case 1: .report(question.cookie, .shown)
        case 2..<5: .complete(question.cookie, SimulatedPeople.wrongAnswer(to: challenge))
        default: .complete(question.cookie, SimulatedPeople.rightAnswer(to: challenge))
        }
    }

    private mutating func present(_ peer: Peer) -> Command {
        let abilities = PresenterAbilities(
            kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))
        if let offered = authority.durable.presentation(forPresenter: peer.connection),
            Int.random(in: 0..<4, using: &random) > 0
        {
            return .claim(presentation: offered.id)
        }
        return Int.random(in: 0..<6, using: &random) == 0 ? .unregister : .register(abilities)
    }

    private mutating func hangUp(at index: Int) {
        let peer = peers.remove(at: index)
        authority.hangUp(peer)
        promises.connectionEnded(peer.connection)
        questions[peer.connection] = nil
        connect(uid: peer.uid, roles: peer.roles)
    }
}
