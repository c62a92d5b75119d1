import CommandSupport
import FaultyDisk
import GateCore
import GateModel
import GateProtocol
import GateScripting

@testable import GateDaemon

/// One run: the device, the people at it, and what has been checked so far.
struct Simulation {
    private let device: SimulatedDevice
    private var promises = Promises()
    private var random: SeededGenerator
    /// The number of pieces of a change's telling before the next step.
    private var pace: SeededGenerator
    private var forms: SimulatedForms
    /// The backups; `nil` if nobody makes any.
    private var backups: SimulatedBackups?
    /// The children who ask and play; `nil` if nobody does.
    private var children: SimulatedChildren?
    private var peers: [Peer] = []
    private var watchers: [SimulatedWatcher] = []
    /// The question each connection was shown, while it may still be open.
    private var questions: [UInt64: Presentation] = [:]
    private var grants: [(peer: Peer, grant: Grant)] = []

    init(seed: UInt64, hasBackups: Bool, hasChildren: Bool) throws {
        children = hasChildren ? SimulatedChildren(seed: seed ^ 0xc41d) : nil
        backups = hasBackups ? SimulatedBackups(seed: seed ^ 0xbac) : nil
        forms = SimulatedForms(seed: seed ^ 0xf0f)
        random = SeededGenerator(seed: seed ^ 0x5eed)
        pace = SeededGenerator(seed: seed ^ 0x9ace)
        let configuration = forms.configuration()
        device = try SimulatedDevice(
            seed: seed, configuration: children?.adding(to: configuration) ?? configuration)
        for person in SimulatedPeople.all { try connect(uid: person.uid, roles: person.roles) }
        for (person, topics) in SimulatedPeople.watchers {
            watchers.append(SimulatedWatcher(uid: person.uid, roles: person.roles, topics: topics))
        }
        device.submitAsDaemon(
            .register(GatePerson(name: "anna", kind: .grownUp), passwordHash: SimulatedDevice.passcodeHash))
        device.submitAsDaemon(.setPasscode(hash: SimulatedDevice.passcodeHash))
        device.comeToRest()
        children?.daemonStarted(device, peers)
        device.comeToRest()
    }

    var journal: [AuditEntry] { device.disk.confirmed.journal }
    var disk: disk_counts { device.disk.counts }
    var backupsMade: Int { backups?.made ?? 0 }
    var backupsRestored: Int { backups?.restored ?? 0 }
    private(set) var crashes = 0
    private(set) var adopted = 0
    private(set) var conflated = 0

    private mutating func connect(uid: UInt32, roles: Roles) throws {
        if let peer = try device.connect(uid: uid, roles: roles) { peers.append(peer) }
    }

    mutating func step() throws {
        let locksBefore = Promises.locks(device)
        var elapsed = Duration.zero
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<56: act()
        case 56..<67: device.endCommit()
        case 67..<78: device.endCommit(pieces: Int.random(in: 0..<6, using: &pace))
        case 78..<80: breakDisk()
        case 80..<84: device.endHash()
        case 84..<88: watchers.randomElement(using: &random)?.toggleReading()
        case 88..<94:
            elapsed = .milliseconds(Int64.random(in: 1...200_000, using: &random))
            device.advance(by: elapsed, diskHangs: Int.random(in: 0..<4, using: &random) == 0)
            if Int.random(in: 0..<4, using: &random) == 0 {
                device.setWallClock(by: .seconds(Int64.random(in: -300...300, using: &random)))
            }
            for watcher in watchers { watcher.timePassed() }
        case 94:
            let configuration = forms.configuration()
            device.reload(children?.adding(to: configuration) ?? configuration)
        case 95..<98: try hangUp(at: peers.indices.randomElement(using: &random) ?? 0)
        case 98: try watchers.randomElement(using: &random)?.hangUp(device.history)
        default: return try crash()
        }
        if !device.isDown {
            let before = device.now
            children?.step(device, peers, &promises)
            elapsed += before.duration(to: device.now)
        }
        let secrets = openSecrets
        if !device.isDown { try backups?.step(device, secrets: secrets) }
        // Somebody makes room.
        if Int.random(in: 0..<8, using: &random) == 0 { device.disk.fill(false) }
        try look(locksBefore: locksBefore, elapsed: elapsed)
        if device.isDown { try crash() }
    }

    /// Lets everybody leave; nothing may be left behind.
    mutating func end() throws {
        device.comeToRest()
        try look(locksBefore: [:], elapsed: .zero)
        for watcher in watchers { watcher.startReading() }
        for _ in 0..<3 {
            // What is overdue is tried again after a second, and until then nobody may watch.
            device.advance(by: .seconds(2), diskHangs: false)
            for watcher in watchers { watcher.timePassed() }
            device.comeToRest()
            try look(locksBefore: [:], elapsed: .zero)
        }
        for watcher in watchers { try watcher.checkCurrent(device.durable) }
        // Everybody is asleep.
        children?.goToBed(device)
        device.advance(by: .seconds(12 * 3600), diskHangs: false)
        device.comeToRest()
        try look(locksBefore: [:], elapsed: .zero)
        try RulePromises.checkAllIsOver(device.durable)
        backups?.leave(device)
        while !peers.isEmpty {
            let peer = peers.removeLast()
            device.hangUp(peer)
            promises.connectionEnded(peer.connection)
        }
        device.comeToRest()
        try look(locksBefore: [:], elapsed: .zero)
        try promises.checkRest(device)
        try crash()
    }

    private mutating func look(locksBefore: [Lockout.Key: Duration], elapsed: Duration) throws {
        let news = try promises.check(device)
        try children?.check(news, device)
        for (peer, reply) in device.takeAnswers() { take(reply, as: peer) }
        try promises.checkLocks(device, before: locksBefore, elapsed: elapsed, told: news)
        try promises.checkDisk(device)
        try promises.checkQueue(device)
        try Quotas.check(device)
        for peer in peers { try RulePromises.checkForms(device.durable, of: peer) }
        guard !device.isDown else { return }
        for watcher in watchers { try watcher.proceed(with: device, history: device.history) }
        for closed in device.takeClosed() {
            guard let index = peers.firstIndex(where: { $0.connection == closed }) else { continue }
            try left(peers.remove(at: index))
        }
        if Int.random(in: 0..<10, using: &random) == 0 { try device.disk.checkJournal() }
    }

    /// Each opens something now, or has.
    private var openSecrets: [[UInt8]] { questions.values.map(\.cookie.bytes) + grants.map(\.grant.proof.bytes) }

    private mutating func take(_ reply: Reply, as peer: Peer) {
        switch reply {
        case .presentation(let presentation): questions[peer.connection] = presentation
        case .granted(let grant): grants.append((peer, grant))
        case .done, .waiting, .redeemed, .count, .refused, .recovered, .entitled, .claimed, .form, .responded,
            .keptPart, .challenge, .obeyed, .sending, .answering,
            .whatsNew:
            break
        }
    }

    // MARK: What goes wrong

    /// Plans a fault of the disk for soon.
    private mutating func breakDisk() {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: device.disk.arm(DISK_WRITE_FAILS, at: Int.random(in: 1...12, using: &random))
        case 1: device.disk.arm(DISK_IS_FULL, at: Int.random(in: 1...12, using: &random))
        case 2: device.disk.arm(DISK_SYNC_FAILS, at: Int.random(in: 1...3, using: &random))
        case 3: device.disk.arm(DISK_LOSES_PROCESS, at: Int.random(in: 1...20, using: &random))
        case 4: device.disk.arm(DISK_LOSES_POWER, at: Int.random(in: 1...20, using: &random))
        default: device.disk.fill(true)
        }
    }

    /// kill -9 or a power cut, and a new start, which may itself be cut short.
    private mutating func crash() throws {
        let locksBefore = Promises.locks(device)
        var fault: (disk_fault, operation: Int)?
        if Int.random(in: 0..<3, using: &random) == 0 {
            let faults = [DISK_WRITE_FAILS, DISK_IS_FULL, DISK_SYNC_FAILS, DISK_LOSES_PROCESS, DISK_LOSES_POWER]
            let chosen = faults.randomElement(using: &random) ?? DISK_LOSES_POWER
            fault = (chosen, operation: Int.random(in: 1...15, using: &random))
        }
        crashes += 1
        conflated += device.conflated
        try device.restart(power: Bool.random(using: &random), fault: fault)
        if !device.adopted.isEmpty { adopted += 1 }
        promises.daemonCrashed()
        _ = (questions.removeAll(), grants.removeAll())
        backups?.daemonDied()
        children?.daemonDied()
        for watcher in watchers { try watcher.daemonDied(device.history) }
        peers = []
        for person in SimulatedPeople.all { try connect(uid: person.uid, roles: person.roles) }
        children?.daemonStarted(device, peers)
        try look(locksBefore: locksBefore, elapsed: .zero)
    }

    // MARK: What they do

    private mutating func act() {
        guard let peer = peers.randomElement(using: &random) else { return }
        if Int.random(in: 0..<20, using: &random) == 0, let wait = promises.wait(of: peer) {
            promises.callEnded(wait)
            return device.endCall(waitingFor: wait, of: peer)
        }
        device.submit(command(of: peer), as: peer)
    }

    private mutating func command(of peer: Peer) -> Command {
        if let question = questions[peer.connection], Int.random(in: 0..<4, using: &random) > 0 {
            // Now and then a closed presentation is answered.
            let isOpen = device.durable.presentations(visibleTo: .daemon).contains { $0.id == question.id }
            if isOpen || Int.random(in: 0..<8, using: &random) == 0 { return answer(question) }
        }
        // Now and then again.
        if let own = grants.last(where: { $0.peer.connection == peer.connection })?.grant,
            Int.random(in: 0..<3, using: &random) == 0
        {
            let details = Int.random(in: 0..<4, using: &random) == 0 ? "more" : own.details
            return .redeem(own.proof, gatedAction: own.gatedAction, details: details)
        }
        if let kept = device.durable.keptGrants(of: nil).first?.key.uid, Int.random(in: 0..<8, using: &random) == 0 {
            return .revoke(uid: peer.roles.contains(.administrator) ? kept : nil, gatedAction: nil)
        }
        if peer.roles.contains(.presenter), Int.random(in: 0..<3, using: &random) > 0 { return present(peer) }
        if peer.roles.contains(.provider) {
            return .submit(statement(), for: Bool.random(using: &random) ? .device : nil)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            return forms.command(in: device.durable, peer, cookie: questions[peer.connection]?.cookie)
        }
        let presenting = Presenting.allCases.randomElement(using: &random) ?? .here
        switch Int.random(in: 0..<29, using: &random) {
        case 20..<23: return .logIn(name: "anna", password: password())
        case 23: return .logOut
        case 28:
            return .authorize(
                AuthorizationRequest(gatedAction: SimulatedForms.gatedAction, details: ""),
                presenting: presenting)
        case 24: return .requestPaywall(PaywallRequest(), presenting: presenting)
        case 25: return .changePassword(name: "anna", old: password(), newHash: SimulatedDevice.passcodeHash)
        case 0..<5: return .toggle(presenting: presenting)
        case 5..<12:
            let gatedAction = SimulatedPeople.gatedActions.randomElement(using: &random) ?? ""
            return .authorize(
                AuthorizationRequest(gatedAction: gatedAction, details: "it"), presenting: presenting)
        case 12..<14:
            let own = grants.last { $0.peer.connection == peer.connection }
            guard let taken = own ?? grants.randomElement(using: &random) else { return .cancel }
            return .redeem(taken.grant.proof, gatedAction: taken.grant.gatedAction, details: taken.grant.details)
        case 14, 26, 27: return .revoke(uid: nil, gatedAction: nil)
        case 15: return .lock
        case 16: return .extend(.seconds(Int64.random(in: -1...600, using: &random)), presenting: presenting)
        case 17:
            return .override(Mode.allCases.randomElement(using: &random) ?? .child, nil, reason: "simulated")
        case 18:
            // No sum has this result: with the peer's own cookie the answer must not be right by accident.
            return .complete(foreignCookie(of: peer), .text("1000001"))
        default: return Bool.random(using: &random) ? .cancel : .clearLockouts(uid: 1001, gate: nil)
        }
    }

    /// A stolen cookie, or one made up for an existing presentation.
    private mutating func foreignCookie(of peer: Peer) -> PresentationCookie {
        var cookie = questions.values.sorted { $0.id < $1.id }.first?.cookie ?? PresentationCookie(bytes: [])
        if let own = questions[peer.connection]?.cookie, Bool.random(using: &random) {
            cookie = own
            for index in cookie.bytes.indices.dropFirst(8) { cookie.bytes[index] ^= 1 }
        }
        return cookie
    }

    private mutating func password() -> GateSecret {
        Int.random(in: 0..<4, using: &random) == 0 ? GateSecret("x".utf8) : SimulatedDevice.passcode
    }

    /// Mostly the sale of a month, and now and then a refund.
    private mutating func statement() -> ProviderStatement {
        let now = device.clock.wall
        let end = WallTime(unixMilliseconds: now.unixMilliseconds + Int64.random(in: -1000...400_000, using: &random))
        let purchase = ClaimedPurchase(
            item: "monthly", product: "monthly", purchasedAt: now, expiresAt: end,
            revokedAt: Int.random(in: 0..<4, using: &random) == 0 ? now : nil, saidAt: now)
        return .storeKit(
            originalTransaction: "\(Int.random(in: 1...2, using: &random))", purchase: purchase, renewal: nil,
            notificationID: Bool.random(using: &random) ? nil : "\(Int.random(in: 1...40, using: &random))")
    }

    private mutating func answer(_ question: Presentation) -> Command {
        switch question.content {
        case .challenge(let challenge): answer(question, challenge)
        case .form(let invitation): forms.command(in: device.durable, on: invitation, question.cookie)
        case .whatsNew:
            Bool.random(using: &random)
                ? .dismiss(question.cookie)
                : .complete(question.cookie, .acknowledged(Bool.random(using: &random) ? .secondary : .primary))
        case .signIn, .paywall, .unrecognized:
            Int.random(in: 0..<4, using: &random) > 0 ? .dismiss(question.cookie) : .awaitClosing(question.cookie)
        }
    }

    private mutating func answer(_ question: Presentation, _ challenge: Challenge) -> Command {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .dismiss(question.cookie)
        case 1: .report(question.cookie, .shown)
        case 2..<5: .complete(question.cookie, SimulatedPeople.wrongAnswer(to: challenge))
        default: rightAnswer(question, challenge)
        }
    }

    private mutating func rightAnswer(_ question: Presentation, _ challenge: Challenge) -> Command {
        promises.answeredRightly(question.id)
        return .complete(question.cookie, SimulatedPeople.rightAnswer(to: challenge))
    }

    private mutating func present(_ peer: Peer) -> Command {
        let abilities = PresenterAbilities(
            kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))
        if let offered = device.durable.presentation(forPresenter: peer.connection),
            Int.random(in: 0..<4, using: &random) > 0
        {
            return .claim(presentation: offered.id)
        }
        return Int.random(in: 0..<6, using: &random) == 0 ? .unregister : .register(abilities)
    }

    private mutating func hangUp(at index: Int) throws {
        let peer = peers.remove(at: index)
        device.hangUp(peer)
        try left(peer)
    }

    /// A connection has ended, and the same person connects again.
    private mutating func left(_ peer: Peer) throws {
        promises.connectionEnded(peer.connection)
        questions[peer.connection] = nil
        try connect(uid: peer.uid, roles: peer.roles)
    }
}
