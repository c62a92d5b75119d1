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
    @Test("what is on another screen is told once, however far it has come there, and taken back when it goes")
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

    @Test("with the daemon goes what was on another screen")
    func elsewhereIsLost() {
        var machine = PresenterStateMachine.idle
        let there = PresentationElsewhere(question(7).summary(.claimed), on: .grownUp)
        _ = machine.messageReceived(nil, elsewhere: there)
        #expect(machine.lost() == [.elsewhere(nil), .lost])
        machine = .showing
        #expect(machine.messageReceived(nil, elsewhere: there) == [.close(id: 1), .elsewhere(there)])
    }

    @Test(
        "that the desktop is covered is told once, before what was shown goes, and a loss of the daemon uncovers nothing"
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

    @Test("it registers, hears of an offer, claims it and hands it over")
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

    @Test("what is not on offer is not claimed", arguments: [Presentation.Stage.waiting, .claimed, .shown])
    func notOnOffer(stage: Presentation.Stage) {
        var machine = PresenterStateMachine.idle
        #expect(machine.messageReceived(question(1).summary(stage)) == [])
        #expect(machine.action == .receive)
    }

    @Test("a claim that lost the race is dropped silently, and what is offered again is claimed again")
    func lostRace() {
        var machine = PresenterStateMachine.claiming
        #expect(machine.claimRefused(tooLate) == [])
        #expect(machine.action == .receive)
        #expect(machine.messageReceived(nil) == [])
        #expect(machine.messageReceived(offer(1)) == [])
        #expect(machine.action == .claim(id: 1))
    }

    @Test("a claim that is not permitted any more is dropped too: there may be others for this presenter")
    func claimNotPermitted() {
        var machine = PresenterStateMachine.claiming
        #expect(machine.claimRefused(forbidden) == [])
        #expect(machine.action == .receive)
    }

    @Test("a claim without an answer is not waited for: letting go hands back what it may have got")
    func claimWithoutAnswer() {
        for error in [gone, GateError(.deadlineExceeded, .unspecified, "Too slow."), .cancelled] {
            var machine = PresenterStateMachine.claiming
            #expect(machine.claimRefused(error) == [.lost])
            #expect(machine.action == .wait(.milliseconds(10)))
        }
    }

    @Test("another presentation than was claimed is not handed over")
    func otherThanClaimed() {
        var machine = PresenterStateMachine.claiming
        #expect(machine.claimed(2) == [.lost])
        #expect(machine.action == .wait(.milliseconds(10)))
    }

    @Test(
        "what a message says of the presentation that is held does not take it off the screen",
        arguments: [Presentation.Stage.claimed, .shown])
    func stillShown(stage: Presentation.Stage) {
        var machine = PresenterStateMachine.showing
        let before = machine
        #expect(machine.messageReceived(question(1).summary(stage)) == [])
        #expect(machine == before)
    }

    @Test("a cover that was on offer again is closed, and comes again with a new claim (F-64)")
    func offeredAgain() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(offer(1)) == [.close(id: 1)])
        #expect(machine.action == .claim(id: 1))
        let again = signIn(1, cookie: 9)
        #expect(machine.claimed(again, jitter: 1) == [.show(again)])
    }

    @Test("a cover that gives way is closed before what goes first is shown, and comes back after it (F-64)")
    func coverGivesWay() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(offer(2)) == [.close(id: 1)])
        let first = question(2)
        #expect(machine.claimed(first, jitter: 1) == [.show(first)])
        #expect(machine.messageReceived(offer(1)) == [.close(id: 2)])
        #expect(machine.action == .claim(id: 1))
    }

    @Test("what waits behind something else is closed, and not claimed")
    func waitsBehind() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(question(1).summary(.waiting)) == [.close(id: 1)])
        #expect(machine.action == .receive)
    }

    @Test("the next offer closes what is shown first")
    func next() {
        var machine = PresenterStateMachine.showing
        #expect(machine.messageReceived(offer(2)) == [.close(id: 1)])
        #expect(machine.action == .claim(id: 2))
        let second = question(2)
        #expect(machine.claimed(second, jitter: 1) == [.show(second)])
    }

    @Test("what is shown when the daemon is lost is closed, before the loss is told")
    func lossWhileShowing() {
        var machine = PresenterStateMachine.showing
        #expect(machine.lost() == [.close(id: 1), .lost])
        machine.waited()
        machine.streamOpened()
        #expect(machine.messageReceived(offer(1)) == [.registered])
        #expect(machine.action == .claim(id: 1))
    }

    @Test("a loss is told once, attempts go on ever more rarely, and being back is told")
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

    @Test("a daemon that was never there is a loss too, and one told twice is one")
    func neverThere() {
        var machine = PresenterStateMachine.opening
        #expect(machine.lost() == [.lost])
        let before = machine
        #expect(machine.lost() == [])
        #expect(machine == before)
    }

    @Test("being over a limit passes; being refused does not")
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

    @Test("a presenter whose client has registered once more leaves it at that")
    func registeredTwice() {
        var machine = PresenterStateMachine.idle
        #expect(machine.lost(tooLate) == [.refused(tooLate)])
        #expect(machine.action == .end)
    }

    @Test("it ends in every state, and then nothing moves it")
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
