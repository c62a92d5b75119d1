import CommandSupport
import GateModel
import GateScripting
import TestRounds
import Testing

@testable import GateCore

/// Many people give any command at any time: what must hold whatever happens.
@Suite("Random walks through all commands")
struct RandomWalkTests {
    @Test("the promises of the core hold on every walk", arguments: 1...UInt64(TestRounds.count(24, all: 60)))
    func walk(seed: UInt64) throws {
        var walk = RandomWalk(seed: seed)
        for _ in 0..<400 { try walk.step() }
        #expect(walk.device.journal.count > 50)
        walk.everybodyLeaves()
    }

    @Test("the walks meet every kind of journal entry that they can")
    func walksAreWide() throws {
        // These entries come from an administrator after damage, after another program registered somebody, with a
        // policy whose files were read, from programs whose time is counted (`NeverGivenBackTests`), and from choices about
        // age ranges (`AgeTests`).
        let elsewhere: Set<AuditEntry.Kind> = [
            .storeDamaged, .recovered, .backedUp, .restored, .accountConfirmed, .gateChanged, .used,
            .ageSettingsChanged,
            .ageChosen, .unrecognized,
        ]
        var missing = Set(AuditEntry.Kind.allCases).subtracting(elsewhere)
        for seed in 1...100 as ClosedRange<UInt64> where TestRounds.areAll || !missing.isEmpty {
            var walk = RandomWalk(seed: seed)
            for _ in 0..<600 { try walk.step() }
            missing.subtract(walk.device.kinds())
            #expect(elsewhere.isDisjoint(with: walk.device.kinds()))
        }
        #expect(missing.isEmpty)
    }
}

/// One walk, and what its peers have learned.
struct RandomWalk {
    private static let people: [Peer] = [.anna, .ben, .annasOther, .root, .mara, .theo, .olga, .store, .shop, .carrier]

    var device = Device(configuration: .everything)
    var chance: SeededGenerator
    /// The presentations that were shown, and to whom.
    private var questions: [(peer: Peer, presentation: Presentation)] = []
    private var grants: [(peer: Peer, grant: Grant)] = []
    private var redeemed: Set<UInt64> = []
    /// The waiting calls and their peers; `nil` if the peer has gone since.
    private var waits: [WaitID: Peer?] = [:]
    private var steps = 0

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        device.random = SeededGenerator(seed: seed ^ 0xFFFF)
        _ = try? device.apply(.start, as: .daemon)
    }

    mutating func step() throws {
        device.now = device.now.advanced(by: .seconds(Int64.random(in: 0...1000, using: &chance) / 50))
        device.wallTime = WallTime(unixMilliseconds: Int64.random(in: .min ... .max, using: &chance))
        let (command, peer) = nextCommand()
        let before = device
        do throws(GateError) {
            let transition = try device.apply(command, as: peer)
            note(transition, of: command, by: peer)
            check(transition, of: command, since: before)
            checkForms(transition, of: command, by: peer, since: before)
            checkHousehold(transition, of: command, by: peer, since: before)
        } catch {
            #expect(device.state == before.state && device.random == before.random, "\(command) left a trace")
            #expect(!error.message.isEmpty)
        }
        steps += 1
        checkState()
        // Restoring takes longer than the rest of a step.
        if TestRounds.areAll || steps.isMultiple(of: 16) { checkRestoring() }
    }

    /// Everybody leaves, and then nothing is remembered of anybody.
    mutating func everybodyLeaves() {
        for peer in Self.people {
            _ = try? device.apply(.peerDisconnected, as: peer)
            forgetCalls(of: peer)
        }
        #expect(device.state.connections.isEmpty)
        #expect(device.state.presentations(visibleTo: .root).allSatisfy { $0.purpose == .signIn })
        #expect(device.mode != .verifying)
        checkWaits()
    }

    // MARK: - What they do

    private mutating func nextCommand() -> (Command, Peer) {
        let peer = Self.people.randomElement(using: &chance) ?? .anna
        if Int.random(in: 0..<3, using: &chance) == 0, let command = answer() { return command }
        if device.state.signIn.isAuthenticating, Bool.random(using: &chance) { return (passwordChecked(), .daemon) }
        if Int.random(in: 0..<6, using: &chance) == 0 { return (formCommand(of: peer), peer) }
        if Int.random(in: 0..<12, using: &chance) == 0 { return householdCommand(by: peer) }
        switch Int.random(in: 0..<47, using: &chance) {
        case 0...4: return (.toggle(presenting: Presenting.allCases.randomElement(using: &chance) ?? .here), peer)
        case 5...11:
            let asks = Int.random(in: 0..<6, using: &chance) == 0 ? asking(for: Self.people, peer) : peer
            return (.authorize(request(), presenting: Presenting.allCases.randomElement(using: &chance) ?? .here), asks)
        case 12...14: return claim()
        case 15...16: return (.register(abilities()), [.mara, .theo, .olga].randomElement(using: &chance) ?? .mara)
        case 17: return (.unregister, peer)
        case 18: return (.cancel, peer)
        case 19: return (Bool.random(using: &chance) ? .lock : .peerDisconnected, peer)
        case 20:
            return (.extend(duration(), presenting: Presenting.allCases.randomElement(using: &chance) ?? .here), peer)
        case 21:
            return (.override(Mode.allCases.randomElement(using: &chance) ?? .child, duration(), reason: "r"), .root)
        case 22: return (.deadlineReached, .daemon)
        case 23, 40, 41, 44...46: return redemption(by: peer)
        case 24: return (.callEnded(WaitID(UInt64.random(in: 0...UInt64(waits.count + 2), using: &chance))), peer)
        case 25, 26: return (check(), .daemon)
        case 27: return (secretCommand(), .root)
        case 28: return (.configure(configuration(), detail: "r"), .daemon)
        case 29...31: return (signInCommand(), peer)
        case 32: return (accountCommand(), [.root, .root, peer].randomElement(using: &chance) ?? .root)
        case 33, 34: return (passwordChecked(), .daemon)
        case 35, 36:
            return (.submit(statement(), for: holder()), [.shop, .shop, peer].randomElement(using: &chance) ?? .shop)
        case 37: return (claimCommand(), .root)
        case 38, 39:
            return (
                .requestPaywall(
                    PaywallRequest(), presenting: Presenting.allCases.randomElement(using: &chance) ?? .here), peer
            )
        default:
            guard Int.random(in: 0..<4, using: &chance) > 0 else { return (.clearLockouts(uid: nil, gate: nil), .root) }
            let kept = device.state.keptGrants(of: nil).randomElement(using: &chance)?.key.uid
            return (.revoke(uid: kept, gatedAction: nil), .root)
        }
    }

    /// As a broker, for somebody's process.
    private mutating func asking(for people: [Peer], _ broker: Peer) -> Peer {
        let other = people.randomElement(using: &chance) ?? .anna
        let subject = Subject(uid: other.uid, pid: other.pid, startTime: other.connection)
        return broker.asking(for: subject, owner: other.owner, program: "game")
    }

    /// Mostly an answer of the peer that was shown the question; now and then one of another peer.
    private mutating func answer() -> (Command, Peer)? {
        let answerable = questions.suffix(8).filter { question in
            device.state.queue.presentation(question.presentation.id) != nil
                || Int.random(in: 0..<8, using: &chance) == 0
        }
        guard let (holder, question) = answerable.randomElement(using: &chance) else { return nil }
        let peer =
            Int.random(in: 0..<8, using: &chance) == 0 ? Self.people.randomElement(using: &chance) ?? holder : holder
        let cookie = question.cookie
        guard let challenge = question.challenge else { return (act(on: question), peer) }
        if challenge == .confirm {
            return (.complete(cookie, .text(Bool.random(using: &chance) ? "yes" : "no")), peer)
        }
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: return (.dismiss(cookie), peer)
        case 1: return (.report(cookie, PresentationInput.allCases.randomElement(using: &chance) ?? .shown), peer)
        case 2: return (.complete(cookie, .text("0")), peer)
        case 3: return (.complete(cookie, .released), peer)
        case 4...6:
            return (
                .complete(
                    cookie,
                    challenge.kind.isSecret
                        ? .secret(GateSecret("123456".utf8)) : .text(challenge.solution)), peer
            )
        default: return (.complete(cookie, .text(challenge.solution)), peer)
        }
    }

    private mutating func request() -> AuthorizationRequest {
        let names =
            Configuration.everything.gatedActions.keys.sorted() + ["rocket", "share", "share", "share", "share"]
        return AuthorizationRequest(
            gatedAction: names.randomElement(using: &chance) ?? "", details: Bool.random(using: &chance) ? "d" : "",
            redeemer: Int.random(in: 0..<3, using: &chance) == 0 ? Peer.store.uid : nil)
    }

    /// Mostly a presentation that is offered to this presenter.
    private mutating func claim() -> (Command, Peer) {
        let peer = [Peer.mara, .theo, .olga].randomElement(using: &chance) ?? .mara
        let offered = device.state.presentation(forPresenter: peer.connection)?.id
        let isFitting = Int.random(in: 0..<4, using: &chance) > 0
        return (.claim(presentation: isFitting ? offered ?? recentID() : recentID()), peer)
    }

    private mutating func recentID() -> UInt64 {
        let next = device.state.records.nextPresentation
        return UInt64.random(in: next - min(next, 6)...next, using: &chance)
    }

    private mutating func abilities() -> PresenterAbilities {
        guard Int.random(in: 0..<3, using: &chance) == 0 else { return .everything }
        let kinds = Presentation.Kind.allCases.filter { _ in Bool.random(using: &chance) }
        return PresenterAbilities(kinds: Set(kinds), styles: [.sheet])
    }

    private mutating func duration() -> Duration? {
        [nil, .seconds(60), .seconds(3600), .seconds(-1)].randomElement(using: &chance) ?? nil
    }

    /// Mostly by the one who was granted it, or whose uid it names.
    private mutating func redemption(by peer: Peer) -> (Command, Peer) {
        guard let (owner, grant) = grants.suffix(3).randomElement(using: &chance) else {
            return (.redeem(Grant.Proof(bytes: []), gatedAction: "", details: ""), peer)
        }
        let isHonest = Int.random(in: 0..<4, using: &chance) > 0
        let command = Command.redeem(
            grant.proof, gatedAction: isHonest ? grant.gatedAction : "x", details: grant.details)
        return (command, [owner, owner, .store, peer].randomElement(using: &chance) ?? peer)
    }

    private mutating func check() -> Command {
        let outcomes: [SecretOutcome] = [
            .right(step: nil), .right(step: UInt64.random(in: 0...20, using: &chance)), .wrong, .failed,
        ]
        let open = device.checks.keys.sorted().suffix(3).randomElement(using: &chance) ?? 1
        return .secretChecked(presentation: open, outcomes.randomElement(using: &chance) ?? .wrong)
    }

    private mutating func secretCommand() -> Command {
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: .setPasscode(hash: Bool.random(using: &chance) ? "a" : "b")
        case 1: .setTOTP(key: GateSecret([1]), usedStep: UInt64.random(in: 0...10, using: &chance))
        case 2: .removeSecret(.passcode)
        default: .removeSecret(.totp)
        }
    }

    private mutating func signInCommand() -> Command {
        let name = ["anna", "lina", "nobody", ""].randomElement(using: &chance) ?? ""
        if Int.random(in: 0..<3, using: &chance) == 0 { return .logOut }
        return Int.random(in: 0..<4, using: &chance) == 0
            ? .changePassword(name: name, old: Device.password, newHash: "new")
            : .logIn(name: name, password: Device.password)
    }

    private mutating func accountCommand() -> Command {
        let name = ["anna", "lina"].randomElement(using: &chance) ?? ""
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: return .removePerson(name: name)
        case 1: return .setPassword(name: name, hash: "set")
        case 2: return .withdraw(presentation: recentID())
        case 3:
            let user = Bool.random(using: &chance) ? GatePerson.UnixUser(name: "ben", uid: Peer.ben.uid) : nil
            return .setPerson(GatePerson(name: name, kind: .child(born: nil), user: user))
        default:
            let born = name == "lina" ? CivilDate(year: -4000, month: 1, day: 1) : nil
            let kind = born.map { GatePerson.Kind.child(born: $0) } ?? .grownUp
            return .register(GatePerson(name: name, kind: kind), passwordHash: "$")
        }
    }

    private mutating func passwordChecked() -> Command {
        let id = device.passwordChecks.keys.map(\.number).max() ?? 0
        let guess = PasswordCheckID(UInt64.random(in: id - min(id, 1)...id, using: &chance))
        let outcome: PasswordOutcome = [.right, .right, .wrong, .failed].randomElement(using: &chance) ?? .right
        return .passwordChecked(guess, outcome)
    }

    private mutating func configuration() -> Configuration {
        var configuration = Configuration.everything
        configuration.signIn.isRequired = Bool.random(using: &chance)
        configuration.signIn.session = .seconds(120)
        if Int.random(in: 0..<4, using: &chance) == 0 { configuration.entitlements = [:] }
        if Bool.random(using: &chance) { configuration.gatedActions["link.open"] = nil }
        if Bool.random(using: &chance) { configuration.modeChallenge = ChallengeRule(.passcode) }
        if Bool.random(using: &chance) {
            configuration.gatedActions["purchase"]?.requirement = .any([.parentMode, .challenge(ChallengeRule(.totp))])
        }
        changeForms(&configuration)
        return configuration
    }

    // MARK: - What they learn

    private mutating func note(_ transition: Transition, of command: Command, by peer: Peer) {
        learn(transition.reply, peer)
        if case .waiting(let wait) = transition.reply { waits[wait] = peer }
        for effect in transition.effects {
            if case .settle(let wait, let reply) = effect {
                let waiting = waits[wait] ?? nil
                #expect(waiting != nil, "\(command) answers a call that nobody makes")
                learn(reply, waiting ?? peer)
            }
        }
        if case .redeemed = transition.reply, case .authorization(.redeem(let proof, _, _)) = command {
            #expect(redeemed.insert(proof.grantID ?? 0).inserted, "a grant was taken twice")
        }
        if case .peerDisconnected = command { forgetCalls(of: peer) }
        if case .daemon(.callEnded(let wait)) = command, waits[wait]??.connection == peer.connection {
            waits[wait] = .some(nil)
        }
    }

    private mutating func learn(_ reply: Reply, _ peer: Peer) {
        switch reply {
        case .presentation(let presentation): questions.append((peer, presentation))
        case .granted(let grant): grants.append((peer, grant))
        case .done, .waiting, .redeemed, .count, .refused, .recovered, .entitled, .claimed, .form, .responded,
            .keptPart, .challenge, .obeyed, .sending, .answering,
            .whatsNew:
            break
        }
    }

    private mutating func forgetCalls(of peer: Peer) {
        for (wait, waiting) in waits where waiting?.connection == peer.connection && device.settled[wait] == nil {
            waits[wait] = .some(nil)
        }
    }

    // MARK: - What must hold

    private func check(_ transition: Transition, of command: Command, since before: Device) {
        let step: UInt64 = transition.isChange ? 1 : 0
        #expect(transition.revision.number == before.state.revision.number + step)
        if !(transition.records.isEmpty && transition.audit.isEmpty) { #expect(transition.isChange) }
        let isSeen =
            device.state.signIn != before.state.signIn || device.state.entitlements != before.state.entitlements
        if isSeen { #expect(transition.isChange, "\(command) changed what is seen without a revision") }
        #expect(transition.audit.allSatisfy { $0.number == transition.revision.number && $0.mode == device.mode })
        // What anybody sees changes with a revision, and the mode with an entry in the journal. Presenters that come, go or let an offer lie
        // change only what is on offer.
        let (seen, seenBefore) = (device.seenByAll, before.seenByAll)
        if seen.mode != seenBefore.mode || seen.presentations != seenBefore.presentations {
            #expect(transition.isChange, "\(command) changed what is seen in silence")
        }
        if device.mode != before.mode || seen.presentations.map(\.id) != seenBefore.presentations.map(\.id) {
            #expect(!transition.audit.isEmpty, "\(command) changed what is open in silence")
        }
        if seen.records.keptGrants != seenBefore.records.keptGrants { #expect(!transition.audit.isEmpty) }
        // Parent mode begins with a right answer or an administrator, and with nothing else.
        if before.mode != .parent, device.mode == .parent {
            let entered = transition.audit.first { $0.kind == .parentEntered }
            let isAnswered = entered != nil && transition.audit.contains { $0.kind == .answeredRight }
            let isUnasked = entered?.actor?.uid == Peer.root.uid && before.state.secretKinds.isEmpty
            #expect(isAnswered || isUnasked || transition.audit.contains { $0.kind == .overridden })
        }
        // Authorizing never changes the mode.
        if case .authorization(.authorize) = command,
            !transition.audit.contains(where: { $0.kind == .leaseExpired || $0.kind == .expired })
        {
            #expect(seen.mode.mode == seenBefore.mode.mode || transition.audit.contains { $0.kind == .withdrawn })
        }
    }

    private func checkState() {
        let state = device.state
        #expect(device.stored == state.records)
        #expect(state.signIn.needsAuthentication == state.requests.open.contains(where: \.isCover))
        #expect(state.requests.open.count(where: \.isCover) <= 1)
        // A question that waits behind others has no deadline that could be shown.
        let waits = !state.machine.verifying.isEmpty && state.modeState.deadline == nil
        #expect((device.mode == .child) == (state.modeState.deadline == nil && !waits))
        if device.mode == .parent, let deadline = state.modeState.deadline {
            #expect(device.now.duration(to: deadline) <= .seconds(24 * 3600))
        }
        checkQueue(state)
        checkWaits()
    }

    private func checkRestoring() {
        let restored = GateState(restoring: device.stored, configuration: device.state.configuration)
        #expect(restored.records == device.state.records && restored.modeState == .closed)
    }

    private func checkWaits() {
        let open = Set(device.state.requests.open.compactMap(\.wait))
            .union(device.state.passwordChecks.waits)
            .union(device.state.queue.open.compactMap { $0.check?.wait })
        for (wait, peer) in waits {
            let answers = device.settled[wait]?.count ?? 0
            #expect(answers <= 1)
            #expect(answers == 1 || open.contains(wait) || peer == nil, "a call waits for ever")
            #expect(!(answers == 1 && open.contains(wait)))
        }
    }
}
