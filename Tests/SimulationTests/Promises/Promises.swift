import CommandSupport
import GateModel

@testable import GateCore
@testable import GateDaemon

/// The promises that must hold whatever happens, checked after each step.
struct Promises {
    private var checked = 0
    /// Presentations that were answered right, whatever the daemon has found.
    private var rightlyAnswered: Set<UInt64> = []
    /// Asks to which a grown-up was told to say yes.
    private var allowed: Set<UInt64> = []
    private var lastNumber: UInt64 = 0
    /// Calls that wait, and those that were answered.
    private var waiting: [WaitID: Peer] = [:]
    private var answered: Set<WaitID> = []
    private var grantsInUse: Set<UInt64> = []
    /// Connections that have ended.
    private var gone: Set<UInt64> = []
    private var isNewLife = true

    /// The promises about what was told since the last time.
    mutating func check(_ device: SimulatedDevice) throws -> ArraySlice<SimulatedDevice.Told> {
        let news = device.told[checked...]
        for told in news {
            if isNewLife { try checkStart(told.before) }
            guard case .success(let transition) = told.outcome else {
                try hold(told.before == told.after, "a failure changed something")
                continue
            }
            if transition.isChange {
                try hold(transition.revision.number > lastNumber, "revisions grow")
                lastNumber = transition.revision.number
            } else {
                try hold(transition.records.isEmpty && transition.audit.isEmpty, "a change without a revision")
                try hold(
                    told.before.modeState == told.after.modeState
                        && told.before.signIn == told.after.signIn
                        && told.before.entitlements == told.after.entitlements
                        && told.before.presentations(visibleTo: .daemon)
                            == told.after.presentations(visibleTo: .daemon),
                    "what watchers see has changed without a revision")
            }
            try checkWaits(transition, told)
            try checkAnswers(told, transition)
            try checkEntry(told, transition)
            try checkGrants(told, transition)
            try checkQuestion(told, transition, now: device.now)
            try checkSignIn(told, transition)
            try checkEntitlements(told.after, now: device.now)
            try RulePromises.check(transition, of: told.peer, from: told.before, to: told.after, now: device.now)
            if transition.isChange {
                try FormPromises.check(transition, since: told.before.records, told.after.records)
                try RestorePromises.check(transition, from: told.before, to: told.after, device.disk.backups)
            }
        }
        if !news.isEmpty { try FormPromises.check(device.durable) }
        checked = device.told.count
        return news
    }

    /// A daemon starts closed, whatever was in force before.
    private mutating func checkStart(_ state: GateState) throws {
        isNewLife = false
        try hold(state.modeState == .closed, "a daemon started in \(state.modeState)")
        try hold(state.signIn.session == nil, "a daemon started with somebody signed in")
    }

    /// Every waiting call is answered at most once, and never by another wait.
    private mutating func checkWaits(_ transition: Transition, _ told: SimulatedDevice.Told) throws {
        for case .settle(let wait, let reply) in transition.effects {
            try hold(answered.insert(wait).inserted, "\(wait) was answered twice")
            if case .waiting = reply { throw Broken(description: "a wait was answered with a wait") }
            waiting[wait] = nil
        }
        if case .waiting(let wait) = transition.reply {
            try hold(waiting[wait] == nil && !answered.contains(wait), "two calls wait for the same")
            // If the peer has left while this was being written, nobody waits.
            if !gone.contains(told.peer.connection) { waiting[wait] = told.peer }
        }
    }

    /// The wait of a call of this peer.
    func wait(of peer: Peer) -> WaitID? {
        waiting.filter { $0.value == peer }.keys.min { $0.number < $1.number }
    }

    mutating func callEnded(_ wait: WaitID) {
        waiting[wait] = nil
    }

    mutating func connectionEnded(_ connection: UInt64) {
        gone.insert(connection)
        waiting = waiting.filter { $0.value.connection != connection }
    }

    mutating func daemonCrashed() {
        (waiting, answered, grantsInUse, gone) = ([:], [], [], [])
        rightlyAnswered = []
        isNewLife = true
    }

    /// An answer is right only where somebody gave the right one.
    private func checkAnswers(_ told: SimulatedDevice.Told, _ transition: Transition) throws {
        guard transition.audit.contains(where: { $0.kind == .answeredRight }) else { return }
        let open = told.before.presentations(visibleTo: .daemon).map(\.id)
        let isAskAllowed = told.before.records.asks.inOrder.contains { number, ask in
            allowed.contains(number) && ask.state != .over && told.after.records.asks[number]?.state == .over
        }
        let journal = transition.audit.map { "\($0.kind) \($0.detail)" }
        try hold(
            isAskAllowed || !rightlyAnswered.isDisjoint(with: open), "a wrong answer was taken for right: \(journal)")
    }

    /// Parent mode is entered only by a right answer or by an administrator.
    private func checkEntry(_ told: SimulatedDevice.Told, _ transition: Transition) throws {
        guard told.after.modeState.mode == .parent, told.before.modeState.mode != .parent else { return }
        let kinds = Set(transition.audit.map(\.kind))
        let isAnswered = kinds.contains(.answeredRight) && kinds.contains(.parentEntered)
        let isOverridden = kinds.contains(.overridden) && told.peer.roles.contains(.administrator)
        try hold(isAnswered || isOverridden, "parent mode began by \(kinds)")
    }

    /// A grant only where somebody answered, or parent mode or a kept grant stood for it; each is taken once.
    private mutating func checkGrants(_ told: SimulatedDevice.Told, _ transition: Transition) throws {
        var replies = [transition.reply]
        for case .settle(_, let reply) in transition.effects { replies.append(reply) }
        for case .granted(let grant) in replies {
            try hold(grantsInUse.insert(grant.id).inserted, "grant \(grant.id) was given twice")
            let isAnswered = transition.audit.contains { $0.kind == .answeredRight }
            let isKept = told.before.records.keptGrants.contains { $0.key.gatedAction == grant.gatedAction }
            let isParent = told.after.modeState.mode == .parent
            // A deadline that is settled late is settled as of its own moment: by a clock that was set back, it may have been paid for
            // then, and not any more.
            let wasPaidFor = transition.audit.contains { entry in
                entry.kind == .entitlementChanged && entry.detail.hasPrefix("premium:")
                    && entry.detail.hasSuffix("→ subscribed")
            }
            let isPremium =
                grant.gatedAction == "premium" && told.after.signIn.session != nil
                && (told.after.entitlements.isSubscriptionActive || wasPaidFor)
            let isFormThere =
                (grant.gatedAction == SimulatedForms.gatedAction
                    && told.after.records.responses.values.contains {
                        $0.summary.name == SimulatedForms.name && $0.summary.status == .completed
                    })
            let hasTime = SimulatedChildren.hasTime(for: grant, of: told.peer, told.after)
            let modeIsEnough = ["photos.delete", "share"].contains(grant.gatedAction)
            try hold(
                isAnswered || isKept || isPremium || isFormThere || hasTime || (isParent && modeIsEnough),
                "\(grant.gatedAction) was granted for nothing")
        }
    }

    /// Nobody is signed in but by a password that was right, and the cover shows exactly while nobody is.
    private func checkSignIn(_ told: SimulatedDevice.Told, _ transition: Transition) throws {
        if told.after.signIn.session != nil, told.before.signIn.session == nil {
            try hold(transition.audit.contains { $0.kind == .signedIn }, "signed in without a password")
        }
        let covers = told.after.presentations(visibleTo: .daemon).count { $0.purpose == .signIn }
        try hold(covers == (told.after.signIn.needsAuthentication ? 1 : 0), "\(covers) covers")
        try hold(told.after.signIn.needsAuthentication == (told.after.signIn.session == nil))
    }

    /// Nothing is active that no claim stands for, as long as nothing is overdue.
    private func checkEntitlements(_ state: GateState, now: BootTime) throws {
        guard state.nextDeadline.map({ now < $0 }) ?? true else { return }
        // By the clock on the wall as it stood then: it may have been set since.
        let time = state.wallTime(at: now)
        let account = state.signIn.session?.name
        let isPaid = state.records.claims.values.contains { claim in
            (claim.holder == .device || claim.holder == account.map { .account($0) })
                && (claim.purchase.revokedAt.map { time < $0 } ?? true)
                && (claim.purchase.expiresAt.map { time < $0 } ?? true)
        }
        try hold(state.entitlements.isSubscriptionActive == isPaid, "active: \(!isPaid), paid: \(isPaid)")
    }

    /// No question for someone who is locked out at its gate.
    private func checkQuestion(
        _ told: SimulatedDevice.Told, _ transition: Transition, now: BootTime
    ) throws {
        guard case .presentation(let presentation) = transition.reply,
            transition.audit.contains(where: { $0.kind == .challengeOpened }),
            !transition.audit.contains(where: { $0.kind == .answeredRight })
        else { return }
        let asked = presentation.summary.asked
        guard let kind = presentation.challenge?.kind else { return }
        let gate =
            kind.isSecret
            ? kind.rawValue : asked.gatedAction.isEmpty ? "mode" : asked.gatedAction
        let until = told.before.records.lockouts[Lockout.Key(owner: SimulatedPeople.owner(of: asked.uid), gate: gate)]?
            .lockedUntil
        try hold(until.map { $0 <= now } ?? true, "a question for someone who is locked out")
    }

    /// A wait ends by waiting, by a right answer, or by an administrator; crashes, reboots and failures don't shorten it.
    func checkLocks(
        _ device: SimulatedDevice, before: [Lockout.Key: Duration], elapsed: Duration,
        told: ArraySlice<SimulatedDevice.Told>
    ) throws {
        let after = Self.locks(device)
        var forgiven: Set<Lockout.Key> = []
        for told in told {
            guard case .success(let transition) = told.outcome,
                transition.audit.contains(where: { entry in
                    [.answeredRight, .lockoutCleared, .signedIn, .passwordChanged].contains(entry.kind)
                })
            else { continue }
            for case .lockoutRemoved(let key) in transition.records { forgiven.insert(key) }
        }
        for case .lockoutRemoved(let key) in device.adopted.flatMap(\.records) { forgiven.insert(key) }
        for (key, remaining) in before where !forgiven.contains(key) {
            let left = after[key] ?? .zero
            try hold(left >= remaining - elapsed, "a lock of \(remaining) became \(left) in \(elapsed)")
        }
    }

    static func locks(_ device: SimulatedDevice) -> [Lockout.Key: Duration] {
        let now = device.now
        return device.durable.records.lockouts.compactMapValues { lockout in
            lockout.lockedUntil.flatMap { $0 > now ? now.duration(to: $0) : nil }
        }
    }

    /// Nobody is told or answered what is not on the disk, and nothing is forgotten that is. What a start finds there is looked at
    /// by `SimulatedDisk`.
    func checkDisk(_ device: SimulatedDevice) throws {
        let (durable, stored) = (device.durable.records, device.disk.confirmed.records)
        try hold(durable.revision.number <= stored.revision.number, "something was told that is not on the disk")
        try hold(device.isCommitting || device.isDown || durable == stored, "the state is not what was stored")
        if device.isSettled, !device.isDown { try RulePromises.checkPresent(device.durable, device.connected) }
        if let broken = device.broken.first { throw Broken(description: broken) }
    }

    /// Records that a person answered this right.
    mutating func answeredRightly(_ presentation: UInt64) {
        rightlyAnswered.insert(presentation)
    }

    /// Records that a grown-up says yes to an ask.
    mutating func allowing(_ ask: UInt64) {
        allowed.insert(ask)
    }

    /// Each presenter has one presentation at a time, and none that waits is for a presenter that has none.
    func checkQueue(_ device: SimulatedDevice) throws {
        let open = device.durable.presentations(visibleTo: .daemon)
        let queue = device.durable.queue
        // A presenter may also be a requester that shows something of its own.
        let shown = queue.open.filter { device.durable.requests[$0.request]?.presentsItself == false }
        let screens = shown.compactMap { $0.holder?.peer.connection }
        try hold(Set(screens).count == screens.count, "a presenter has two presentations")
        for (connection, presenter) in queue.presenters where !screens.contains(connection) {
            let abilities = presenter.abilities
            guard queue.presentation(forPresenter: connection) == nil else { continue }
            let missed = shown.first {
                $0.stage == .waiting && $0.step.isQuestion && !$0.step.isForGrownUpPresenters
                    && abilities.kinds.contains($0.step.kind) && abilities.styles.contains($0.style)
            }
            try hold(missed == nil, "a question waits beside a free presenter")
        }
        try hold(Set(open.map(\.id)).count == open.count, "a presentation is open twice")
    }

    /// Checks that nothing is open and nobody waits, after all have left and everything is durable.
    func checkRest(_ device: SimulatedDevice) throws {
        try hold(device.durable.connections.isEmpty, "somebody who left is remembered")
        let left = device.durable.presentations(visibleTo: .daemon)
        try hold(left.allSatisfy { $0.purpose == .signIn }, "a question is left behind")
        try hold(device.durable.modeState.mode != .verifying, "verifying, and nobody is asked")
        try hold(waiting.isEmpty, "somebody waits for ever")
    }
}
