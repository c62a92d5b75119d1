import GateModel
import Testing

@testable import GateClient

private let gone = GateError(.unavailable, .unspecified, "gone")
private let tooLate = GateError(.aborted, .closed, "Somebody else was quicker.")
private let forbidden = GateError(.permissionDenied, .notPermitted, "You are no presenter.")

private func offer(_ id: UInt64) -> PresentationSummary { question(id).summary(.offered) }

extension PresenterStateMachine {
    fileprivate mutating func lost(_ error: GateError = gone) -> [News] { failed(error, jitter: 1) }
    fileprivate mutating func claimed(_ id: UInt64) -> [News] { claimed(question(id), jitter: 1) }
    fileprivate mutating func claimRefused(_ error: GateError) -> [News] { claimFailed(error, jitter: 1) }

    /// The machines of the tests, one in each state.
    fileprivate static let opening = PresenterStateMachine()
    fileprivate static var registering: PresenterStateMachine {
        var machine = opening
        machine.streamOpened()
        return machine
    }
    fileprivate static var idle: PresenterStateMachine {
        var machine = registering
        _ = machine.messageReceived(nil)
        return machine
    }
    fileprivate static var claiming: PresenterStateMachine {
        var machine = idle
        _ = machine.messageReceived(offer(1))
        return machine
    }
    fileprivate static var showing: PresenterStateMachine {
        var machine = claiming
        _ = machine.claimed(1)
        return machine
    }
    fileprivate static var away: PresenterStateMachine {
        var machine = idle
        _ = machine.lost()
        return machine
    }
    fileprivate static var ended: PresenterStateMachine {
        var machine = idle
        machine.stopped()
        return machine
    }
}

@Suite("A presenter over any number of connections")
struct PresenterStateMachineTests {
    @Test("a presentation on another screen is reported once, and again when it is gone")
    func elsewhere() {
        var machine = PresenterStateMachine.idle
        let (there, shown) = (
            PresentationElsewhere(question(7).summary(.claimed), on: .screenOfItsOwn),
            PresentationElsewhere(question(7).summary(.shown), on: .screenOfItsOwn)
        )
        #expect(machine.messageReceived(nil, elsewhere: there) == [.elsewhere(there)])
        #expect(machine.messageReceived(nil, elsewhere: shown) == [])
        let moved = PresentationElsewhere(question(7).summary(.shown), on: .grownUp)
        #expect(machine.messageReceived(nil, elsewhere: moved) == [.elsewhere(moved)])
        #expect(machine.action == .receive, "it is nothing to claim")
        #expect(machine.messageReceived(offer(8)) == [.elsewhere(nil)])
        #expect(machine.action == .claim(id: 8))
    }

    @Test("when the daemon is lost, the notice of another screen is withdrawn")
    func elsewhereIsLost() {
        var machine = PresenterStateMachine.idle
        let there = PresentationElsewhere(question(7).summary(.claimed), on: .grownUp)
        _ = machine.messageReceived(nil, elsewhere: there)
        #expect(machine.lost() == [.elsewhere(nil), .lost])
        machine = .showing
        #expect(machine.messageReceived(nil, elsewhere: there) == [.close(id: 1), .elsewhere(there)])
    }

    @Test(
        "a covered desktop is reported once, before what was shown is closed; losing the daemon does not uncover it"
    )
    func covered() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(nil, isCovered: true) == [.covered(true), .close(id: 1)])
        #expect(machine.messageReceived(nil, isCovered: true) == [])
        #expect(machine.lost() == [.lost])
        machine.waited()
        machine.streamOpened()
        #expect(machine.messageReceived(nil, isCovered: true) == [.registered])
        #expect(machine.messageReceived(nil) == [.covered(false)])
    }

    @Test("a presenter registers, hears of an offer, claims it and shows it")
    func wholeWay() {
        var machine = PresenterStateMachine()
        #expect(machine.action == .open)
        machine.streamOpened()
        #expect(machine.action == .receive)
        #expect(machine.messageReceived(nil) == [.registered])
        #expect(machine.action == .receive)
        #expect(machine.messageReceived(offer(1)) == [])
        #expect(machine.action == .claim(id: 1))
        let shown = question(1)
        #expect(machine.claimed(shown, jitter: 1) == [.show(shown)])
        #expect(machine.action == .receive)
        #expect(machine.messageReceived(nil) == [.close(id: 1)])
        #expect(machine.messageReceived(nil) == [])
    }

    @Test("an offer that comes with the registration is claimed too")
    func offerAtOnce() {
        var machine = PresenterStateMachine.registering
        #expect(machine.messageReceived(offer(4)) == [.registered])
        #expect(machine.action == .claim(id: 4))
    }

    @Test("only presentations on offer are claimed", arguments: [Presentation.Stage.waiting, .claimed, .shown])
    func notOnOffer(stage: Presentation.Stage) {
        var machine = PresenterStateMachine.idle
        #expect(machine.messageReceived(question(1).summary(stage)) == [])
        #expect(machine.action == .receive)
    }

    @Test("a claim that came too late is dropped silently, and a renewed offer is claimed again")
    func lostRace() {
        var machine = PresenterStateMachine.claiming
        #expect(machine.claimRefused(tooLate) == [])
        #expect(machine.action == .receive)
        #expect(machine.messageReceived(nil) == [])
        #expect(machine.messageReceived(offer(1)) == [])
        #expect(machine.action == .claim(id: 1))
    }

    @Test("a claim that is refused for its rights is dropped, and the presenter goes on")
    func claimNotPermitted() {
        var machine = PresenterStateMachine.claiming
        #expect(machine.claimRefused(forbidden) == [])
        #expect(machine.action == .receive)
    }

    @Test("a claim that gets no answer ends the connection, which hands back what it may have claimed")
    func claimWithoutAnswer() {
        for error in [gone, GateError(.deadlineExceeded, .unspecified, "Too slow."), .cancelled] {
            var machine = PresenterStateMachine.claiming
            #expect(machine.claimRefused(error) == [.lost])
            #expect(machine.action == .wait(.milliseconds(10)))
        }
    }

    @Test("a claim answered with another presentation counts as a loss of the daemon")
    func otherThanClaimed() {
        var machine = PresenterStateMachine.claiming
        #expect(machine.claimed(2) == [.lost])
        #expect(machine.action == .wait(.milliseconds(10)))
    }

    @Test(
        "a message about the presentation that is shown does not close it",
        arguments: [Presentation.Stage.claimed, .shown])
    func stillShown(stage: Presentation.Stage) {
        var machine = PresenterStateMachine.showing
        let before = machine
        #expect(machine.messageReceived(question(1).summary(stage)) == [])
        #expect(machine == before)
    }

    @Test("a cover that is offered again is closed, claimed anew and shown again (F-64)")
    func offeredAgain() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(offer(1)) == [.close(id: 1)])
        #expect(machine.action == .claim(id: 1))
        let again = signIn(1, cookie: 9)
        #expect(machine.claimed(again, jitter: 1) == [.show(again)])
    }

    @Test("a cover that gives way is closed before the next presentation is shown, and comes back afterwards (F-64)")
    func coverGivesWay() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(offer(2)) == [.close(id: 1)])
        let first = question(2)
        #expect(machine.claimed(first, jitter: 1) == [.show(first)])
        #expect(machine.messageReceived(offer(1)) == [.close(id: 2)])
        #expect(machine.action == .claim(id: 1))
    }

    @Test("a presentation that has to wait again is closed and not claimed")
    func waitsBehind() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(question(1).summary(.waiting)) == [.close(id: 1)])
        #expect(machine.action == .receive)
    }

    @Test("a new offer closes the presentation on the screen first")
    func next() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(offer(2)) == [.close(id: 1)])
        #expect(machine.action == .claim(id: 2))
        let second = question(2)
        #expect(machine.claimed(second, jitter: 1) == [.show(second)])
    }

    @Test("when the daemon is lost, what is shown is closed before the loss is reported")
    func lossWhileShowing() {
        var machine = PresenterStateMachine.showing
        #expect(machine.lost() == [.close(id: 1), .lost])
        machine.waited()
        machine.streamOpened()
        #expect(machine.messageReceived(offer(1)) == [.registered])
        #expect(machine.action == .claim(id: 1))
    }

    @Test("a loss is reported once, retries become rarer, and the return is reported")
    func loss() {
        var machine = PresenterStateMachine.idle
        #expect(machine.lost() == [.lost])
        #expect(machine.action == .wait(.milliseconds(10)))
        machine.waited()
        #expect(machine.action == .open)
        #expect(machine.lost() == [])
        #expect(machine.action == .wait(.milliseconds(20)))
        machine.waited()
        machine.streamOpened()
        #expect(machine.lost() == [])
        machine.waited()
        machine.streamOpened()
        #expect(machine.messageReceived(nil) == [.registered])
        #expect(machine.lost() == [.lost])
        #expect(machine.action == .wait(.milliseconds(10)))
    }

    @Test("a daemon that was never there counts as a loss, and is reported once")
    func neverThere() {
        var machine = PresenterStateMachine.opening
        #expect(machine.lost() == [.lost])
        let before = machine
        #expect(machine.lost() == [])
        #expect(machine == before)
    }

    @Test("a presenter refused for a limit tries again, and one refused for its rights ends")
    func refused() {
        for var machine in [PresenterStateMachine.opening, .registering, .idle] {
            #expect(machine.lost(GateError(.resourceExhausted, .limit, "Too many presenters.")) == [.lost])
            #expect(machine.action == .wait(.milliseconds(10)))
        }
        for var machine in [PresenterStateMachine.opening, .registering, .idle] {
            #expect(machine.lost(forbidden) == [.refused(forbidden)])
            #expect(machine.action == .end)
        }
        var showing = PresenterStateMachine.showing
        #expect(showing.lost(forbidden) == [.close(id: 1), .refused(forbidden)])
        #expect(showing.action == .end)
    }

    @Test("a presenter whose client registers again ends")
    func registeredTwice() {
        var machine = PresenterStateMachine.idle
        #expect(machine.lost(tooLate) == [.refused(tooLate)])
        #expect(machine.action == .end)
    }

    @Test("a stopped presenter has ended, and no event changes that")
    func ends() {
        for var machine in [
            PresenterStateMachine.opening, .registering, .idle, .claiming, .showing, .away, .ended,
        ] {
            machine.stopped()
            #expect(machine.action == .end)
            machine.streamOpened()
            machine.waited()
            #expect(machine.messageReceived(offer(1)) == [])
            #expect(machine.claimed(1) == [])
            #expect(machine.claimRefused(tooLate) == [])
            #expect(machine.lost() == [])
            #expect(machine.action == .end)
        }
    }

    @Test("however it goes, each presentation is shown at most once at a time and closed exactly once")
    func randomWalk() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var machine = PresenterStateMachine()
            var onScreen: UInt64?
            for _ in 0..<200 {
                let news: [PresenterStateMachine.News]
                let fails = Int.random(in: 0..<8, using: &random) == 0
                switch machine.action {
                case .open where fails, .receive where fails: news = machine.lost()
                case .open:
                    machine.streamOpened()
                    news = []
                case .receive:
                    let stage = Presentation.Stage.allCases.randomElement(using: &random) ?? .offered
                    let id = UInt64.random(in: 0...3, using: &random)
                    news = machine.messageReceived(id == 0 ? nil : question(id).summary(stage))
                case .claim(let id):
                    news = fails ? machine.claimRefused(Bool.random() ? tooLate : gone) : machine.claimed(id)
                case .wait:
                    machine.waited()
                    news = []
                case .end:
                    Issue.record("it ended")
                    return
                }
                for piece in news {
                    switch piece {
                    case .show(let presentation):
                        #expect(onScreen == nil)
                        onScreen = presentation.id
                    case .close(let id):
                        #expect(onScreen == id)
                        onScreen = nil
                    case .registered, .lost: #expect(onScreen == nil)
                    case .refused: Issue.record("it was refused")
                    case .elsewhere: Issue.record("nothing is on another screen")
                    case .covered: Issue.record("nothing is covered")
                    }
                }
            }
        }
    }
}
