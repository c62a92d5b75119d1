import GateModel
import GateProtocol
import Testing

@testable import GateClient

private func revision(_ number: UInt64, epoch: UInt64 = 7) -> Revision {
    Revision(epoch: epoch, number: number)
}

private let parent = ModeState(mode: .parent, deadline: BootTime(nanoseconds: 900))
private let verifying = ModeState(mode: .verifying, deadline: BootTime(nanoseconds: 60))

private func snapshot(_ number: UInt64, _ mode: ModeState?, epoch: UInt64 = 7) -> WatchResponse {
    WatchResponse(
        firstNumber: number, revision: revision(number, epoch: epoch), isSnapshot: true, mode: mode, presentations: nil)
}

private func change(_ numbers: ClosedRange<UInt64>, _ mode: ModeState?, epoch: UInt64 = 7) -> WatchResponse {
    WatchResponse(
        firstNumber: numbers.lowerBound, revision: revision(numbers.upperBound, epoch: epoch), isSnapshot: false,
        mode: mode, presentations: nil)
}

/// The boot clock's nanoseconds; the wall clock's milliseconds, too.
private func time(_ number: Int64) -> ClientClock.Reading {
    ClientClock.Reading(boot: BootTime(nanoseconds: number), wall: WallTime(unixMilliseconds: number))
}

private let gone = GateError(.unavailable, .unspecified, "gone")

extension WatchStateMachine {
    fileprivate mutating func received(_ message: WatchResponse, at nanoseconds: Int64 = 0) -> WatchEvent? {
        messageReceived(message, at: time(nanoseconds), jitter: 1)
    }

    fileprivate mutating func lost() -> WatchEvent? {
        failed(gone, jitter: 1)
    }

    /// The machines of the tests, one in each state.
    fileprivate static let opening = WatchStateMachine()
    fileprivate static var awaitingSnapshot: WatchStateMachine {
        var machine = opening
        machine.streamOpened()
        return machine
    }
    fileprivate static var live: WatchStateMachine {
        var machine = awaitingSnapshot
        _ = machine.received(snapshot(5, parent))
        return machine
    }
    fileprivate static var overdue: WatchStateMachine {
        var machine = awaitingSnapshot
        _ = machine.received(snapshot(5, parent), at: 900)
        return machine
    }
    fileprivate static var away: WatchStateMachine {
        var machine = live
        _ = machine.lost()
        return machine
    }
    fileprivate static var reopening: WatchStateMachine {
        var machine = away
        machine.waited()
        return machine
    }
    fileprivate static var catchingUp: WatchStateMachine {
        var machine = reopening
        machine.streamOpened()
        return machine
    }
    fileprivate static var ended: WatchStateMachine {
        var machine = live
        machine.stopped()
        return machine
    }
}

@Suite("A watch over several connections")
struct WatchStateMachineTests {
    @Test("a watch opens a stream, takes the snapshot and is live")
    func begins() {
        var machine = WatchStateMachine()
        #expect(machine.action == .open(after: nil))
        machine.streamOpened()
        #expect(machine.action == .receive)
        #expect(machine.received(snapshot(5, parent)) == .snapshot(StateUpdate(snapshot(5, parent))))
        #expect(machine.action == .receive)
    }

    @Test("changes are reported in order, with the revisions they cover")
    func changes() {
        var machine = WatchStateMachine.live
        #expect(machine.received(change(6...6, .closed)) == .change(StateUpdate(change(6...6, .closed))))
        #expect(machine.received(change(7...9, verifying)) == .change(StateUpdate(change(7...9, verifying))))
        #expect(machine.received(change(10...10, nil)) == .change(StateUpdate(change(10...10, nil))))
    }

    @Test("revisions that were reported before are not reported again")
    func unique() {
        var machine = WatchStateMachine.live
        let before = machine
        #expect(machine.received(change(5...5, .closed)) == nil)
        #expect(machine.received(change(2...4, .closed)) == nil)
        #expect(machine.received(snapshot(5, .closed)) == nil)
        #expect(machine.received(snapshot(1, .closed)) == nil)
        #expect(machine == before)
    }

    @Test("a range that overlaps known revisions counts if it ends after them")
    func overlap() {
        var machine = WatchStateMachine.live
        #expect(machine.received(change(4...6, .closed)) == .change(StateUpdate(change(4...6, .closed))))
    }

    @Test("a newer snapshot replaces what is known, in the same epoch and in another one")
    func laterSnapshots() {
        var machine = WatchStateMachine.live
        #expect(machine.received(snapshot(9, .closed)) == .snapshot(StateUpdate(snapshot(9, .closed))))
        #expect(
            machine.received(snapshot(1, parent, epoch: 8)) == .snapshot(StateUpdate(snapshot(1, parent, epoch: 8))))
        #expect(
            machine.received(change(2...2, .closed, epoch: 8)) == .change(StateUpdate(change(2...2, .closed, epoch: 8)))
        )
    }

    @Test("a snapshot without a mode means child")
    func snapshotWithoutMode() {
        var machine = WatchStateMachine.awaitingSnapshot
        #expect(machine.received(snapshot(5, nil))?.mode == .closed)
    }

    @Test("a gap in the revisions is accepted, since the others changed nothing that is watched")
    func otherRevisions() {
        var machine = WatchStateMachine.live
        #expect(machine.received(change(8...8, .closed)) == .change(StateUpdate(change(8...8, .closed))))
        let last = change(.max ... .max, parent)
        #expect(machine.received(last) == .change(StateUpdate(last)))
        #expect(machine.received(last) == nil)
    }

    @Test("a change of another epoch is a loss, and the watch begins anew with a snapshot")
    func foreignChange() {
        var machine = WatchStateMachine.live
        let event = machine.received(change(6...6, parent, epoch: 8))
        #expect(event?.mode == .closed)
        guard case .lost(let error) = event else {
            Issue.record("\(String(describing: event)) is no loss")
            return
        }
        #expect(error.code == .internal)
        machine.waited()
        #expect(machine.action == .open(after: nil))
    }

    @Test("a change before the first snapshot is a loss")
    func changeBeforeSnapshot() {
        var machine = WatchStateMachine.awaitingSnapshot
        #expect(machine.received(change(1...1, parent))?.mode == .closed)
    }

    @Test("a daemon that is lost leaves child mode, told once, and attempts go on ever more rarely")
    func loss() {
        var machine = WatchStateMachine.live
        #expect(machine.lost() == .lost(gone))
        #expect(machine.action == .wait(.milliseconds(10)))
        machine.waited()
        #expect(machine.action == .open(after: revision(5)))
        #expect(machine.lost() == nil)
        #expect(machine.action == .wait(.milliseconds(20)))
    }

    @Test("a daemon that was never there counts as a loss")
    func neverThere() {
        var machine = WatchStateMachine()
        #expect(machine.lost() == .lost(gone))
        machine.waited()
        #expect(machine.lost() == nil)
        machine.waited()
        #expect(machine.action == .open(after: nil))
    }

    @Test("after a resume without news the last known state counts again once the daemon confirms it")
    func resumesWithNothingNew() {
        var machine = WatchStateMachine.catchingUp
        #expect(machine.action == .receive)
        #expect(machine.received(WatchResponse(current: revision(5))) == .resumed(StateUpdate(snapshot(5, parent))))
        #expect(machine.received(change(6...6, .closed)) == .change(StateUpdate(change(6...6, .closed))))
    }

    @Test("after a resume with news the mode stays child until they arrive")
    func resumesWithSomethingNew() {
        var machine = WatchStateMachine.catchingUp
        #expect(machine.received(snapshot(9, verifying)) == .snapshot(StateUpdate(snapshot(9, verifying))))
    }

    @Test(
        "a daemon that confirms another revision than the known one is not trusted",
        arguments: [revision(4), revision(5, epoch: 8)])
    func resumesWithAnotherStore(newest: Revision) {
        var machine = WatchStateMachine.catchingUp
        // It was told before that the daemon is away.
        #expect(machine.received(WatchResponse(current: newest)) == nil)
        machine.waited()
        #expect(machine.action == .open(after: nil))
    }

    @Test("if a change comes first after a resume, the whole state is reported")
    func resumesWithAChange() {
        var machine = WatchStateMachine.catchingUp
        #expect(machine.received(change(6...6, nil)) == .resumed(StateUpdate(snapshot(6, parent))))

        var other = WatchStateMachine.catchingUp
        #expect(other.received(change(6...6, .closed)) == .resumed(StateUpdate(snapshot(6, .closed))))
    }

    @Test("while catching up, a change of another epoch discards the known state")
    func catchingUpIsCareful() {
        var machine = WatchStateMachine.catchingUp
        // It was told before that the daemon is away.
        #expect(machine.received(change(8...8, parent, epoch: 8)) == nil)
        machine.waited()
        #expect(machine.action == .open(after: nil))
    }

    @Test("a confirmation of the current revision changes nothing in a live watch")
    func currentWhileLive() {
        var machine = WatchStateMachine.live
        let before = machine
        #expect(machine.received(WatchResponse(current: revision(5))) == nil && machine == before)
    }

    @Test("sign-in and entitlements are kept like the mode, each from the last message that had them")
    func signInAndEntitlements() {
        let anna = SignInState(
            session: SignInState.Session(name: "anna", isChild: true, deadline: BootTime(nanoseconds: 9)),
            isAuthenticating: false, needsAuthentication: false)
        let premium = EntitlementsState(entitlements: [], isSubscriptionActive: true)
        var machine = WatchStateMachine(topics: [.signIn, .entitlements])
        machine.streamOpened()
        var first = snapshot(5, nil)
        (first.signIn, first.entitlements) = (.closed, .closed)
        #expect(machine.received(first) == .snapshot(StateUpdate(first)))
        var logIn = change(6...6, nil)
        logIn.signIn = anna
        #expect(machine.received(logIn)?.signIn == anna)
        var payment = change(7...7, nil)
        payment.entitlements = premium
        #expect(machine.received(payment)?.signIn == nil)
        let lost = machine.lost()
        #expect(lost?.signIn == .closed && lost?.entitlements == .closed)
        machine.waited()
        machine.streamOpened()
        let resumed = machine.received(WatchResponse(current: revision(7)))
        #expect(resumed?.signIn == anna && resumed?.entitlements == premium)
    }

    @Test("a watch of presentations begins anew after a loss: another connection may see others")
    func presentationsAreNotResumed() {
        var machine = WatchStateMachine(topics: [.mode, .presentations])
        machine.streamOpened()
        _ = machine.received(snapshot(5, parent))
        #expect(machine.lost() == .lost(gone))
        machine.waited()
        #expect(machine.action == .open(after: nil))
        machine.streamOpened()
        #expect(machine.action == .receive)
        #expect(machine.received(snapshot(5, parent)) == .snapshot(StateUpdate(snapshot(5, parent))))
    }

    @Test("a loss at any point of coming back is silent, and keeps what is known")
    func lossWhileComingBack() {
        for var machine in [WatchStateMachine.reopening, .catchingUp] {
            #expect(machine.lost() == nil)
            machine.waited()
            #expect(machine.action == .open(after: revision(5)))
        }
    }

    @Test("after it was back, the next loss is told again, and the waits begin anew")
    func secondLoss() {
        var machine = WatchStateMachine.catchingUp
        _ = machine.received(WatchResponse(current: revision(5)))
        #expect(machine.lost() == .lost(gone))
        #expect(machine.action == .wait(.milliseconds(10)))
    }

    @Test("a second report of the same loss changes nothing")
    func lossWhileAway() {
        var machine = WatchStateMachine.away
        let before = machine
        #expect(machine.lost() == nil)
        #expect(machine == before)
    }

    @Test("a stopped watch has ended, and no event changes that")
    func ends() {
        for var machine in [
            WatchStateMachine.opening, .awaitingSnapshot, .live, .overdue, .away, .reopening, .catchingUp, .ended,
        ] {
            machine.stopped()
            #expect(machine.action == .end)
            machine.streamOpened()
            machine.waited()
            #expect(machine.received(snapshot(6, parent)) == nil)
            #expect(machine.lost() == nil)
            #expect(machine.action == .end)
        }
    }

    @Test("only a state that is known and not lost has a deadline")
    func hasTimeLeft() {
        for machine in [WatchStateMachine.live, .overdue] {
            #expect(machine.timeLeft(at: time(0)) == .nanoseconds(900))
            #expect(machine.timeLeft(at: time(901)) == .nanoseconds(-1))
        }
        for machine in [WatchStateMachine.opening, .awaitingSnapshot, .away, .reopening, .catchingUp, .ended] {
            #expect(machine.timeLeft(at: time(0)) == nil)
        }
    }

    @Test("the nearest deadline counts, of the mode, presentations, the session and active entitlements")
    func nearestDeadline() {
        var machine = WatchStateMachine(topics: [.mode, .presentations, .signIn, .entitlements])
        machine.streamOpened()
        var message = snapshot(5, .closed)
        (message.presentations, message.signIn) = ([], .closed)
        message.entitlements = entitlements(.expired, until: 1)
        _ = machine.received(message)
        #expect(machine.timeLeft(at: time(0)) == nil)

        message = change(6...6, nil)
        message.entitlements = entitlements(.subscribed, until: 1)
        _ = machine.received(message)
        #expect(machine.timeLeft(at: time(0)) == .milliseconds(1))

        message = change(7...7, parent)
        _ = machine.received(message)
        #expect(machine.timeLeft(at: time(0)) == .nanoseconds(900))

        message = change(8...8, nil)
        message.signIn = SignInState(
            session: SignInState.Session(name: "anna", isChild: true, deadline: BootTime(nanoseconds: 800)),
            isAuthenticating: false, needsAuthentication: false)
        _ = machine.received(message)
        #expect(machine.timeLeft(at: time(0)) == .nanoseconds(800))

        message = change(9...9, nil)
        message.presentations = [
            question(1, deadline: .never).summary(.waiting),
            question(2, deadline: BootTime(nanoseconds: 700)).summary(.offered),
        ]
        _ = machine.received(message)
        #expect(machine.timeLeft(at: time(0)) == .nanoseconds(800))  // An overdue question opens nothing.
    }

    @Test("a message whose deadline has passed is not reported; the next one reports the whole state")
    func takenLate() {
        var machine = WatchStateMachine.awaitingSnapshot
        #expect(machine.received(snapshot(5, parent), at: 900) == nil)
        #expect(machine.action == .receive)
        #expect(machine.received(change(6...6, nil), at: 900) == nil)
        #expect(machine.received(change(7...7, .closed), at: 900) == .snapshot(StateUpdate(snapshot(7, .closed))))

        var live = WatchStateMachine.live
        #expect(live.received(change(6...6, verifying), at: 60) == nil)
        #expect(live.received(snapshot(7, parent), at: 60) == .snapshot(StateUpdate(snapshot(7, parent))))
        #expect(live.received(change(8...8, .closed), at: 60) == .change(StateUpdate(change(8...8, .closed))))
    }

    @Test("if the clock can't be compared, no message counts as too late")
    func foreignClock() {
        var machine = WatchStateMachine.awaitingSnapshot
        #expect(machine.messageReceived(snapshot(5, parent), at: nil, jitter: 1)?.mode == parent)
    }

    @Test("a daemon that confirms a state whose deadline has passed is not trusted, and retries become rarer")
    func currentButOver() {
        var machine = WatchStateMachine.catchingUp
        #expect(machine.received(WatchResponse(current: revision(5)), at: 900) == nil)
        #expect(machine.lost() == nil)
        #expect(machine.action == .wait(.milliseconds(20)))
    }

    @Test("if no message follows one whose deadline had passed, the daemon counts as lost")
    func lossWhileOverdue() {
        var machine = WatchStateMachine.overdue
        #expect(machine.lost() == .lost(gone))
    }
}

private func entitlements(_ status: Entitlement.Status, until milliseconds: Int64) -> EntitlementsState {
    let source = Entitlement.Source(
        provider: .storeKit, saidAt: WallTime(unixMilliseconds: 0), status: status, product: "premium.monthly",
        holder: .device, until: WallTime(unixMilliseconds: milliseconds))
    return EntitlementsState(
        entitlements: [Entitlement(id: "premium", title: "Premium", source: source)],
        isSubscriptionActive: status.isActive)
}
