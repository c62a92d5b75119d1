import GateModel
import NIOEmbedded
import Testing

@testable import GateDaemon

@Suite("Users taking turns on a thread")
struct ThreadTurnsTests {
    private var turns = ThreadTurns<String>(waiting: 6, perUser: 3)

    private mutating func submit(_ work: String, _ payer: ThreadTurns<String>.Payer) -> String {
        switch turns.submitted(work, for: payer) {
        case .begin(let work): "begin \(work)"
        case .wait: "wait"
        case .refuse: "refuse"
        }
    }

    /// Begins everything that waits, and returns it in order.
    private mutating func rest() -> [String] {
        var begun: [String] = []
        while let work = turns.ended() { begun.append(work) }
        return begun
    }

    @Test("a user's work waits for at most one piece of another user's work")
    mutating func inTurn() {
        #expect(submit("anna 1", .owner(.user(1))) == "begin anna 1")
        for number in 2...4 { #expect(submit("anna \(number)", .owner(.user(1))) == "wait") }
        #expect(submit("ben 1", .owner(.user(2))) == "wait")
        #expect(submit("ben 2", .owner(.user(2))) == "wait")
        #expect(rest() == ["anna 2", "ben 1", "anna 3", "ben 2", "anna 4"])
        #expect(submit("carl", .owner(.user(3))) == "begin carl")
    }

    @Test("urgent work comes before all users' work, and is never refused")
    mutating func urgent() {
        _ = submit("anna 1", .owner(.user(1)))
        _ = submit("anna 2", .owner(.user(1)))
        for number in 1...10 { #expect(submit("reload \(number)", .urgent) == "wait") }
        #expect(rest() == (1...10).map { "reload \($0)" } + ["anna 2"])
    }

    @Test("work beyond a user's share, or beyond the total, is refused")
    mutating func limits() {
        _ = submit("anna", .owner(.user(1)))
        for _ in 0..<3 { #expect(submit("anna", .owner(.user(1))) == "wait") }
        #expect(submit("anna", .owner(.user(1))) == "refuse")
        for _ in 0..<3 { #expect(submit("ben", .owner(.user(2))) == "wait") }
        #expect(submit("carl", .owner(.user(3))) == "refuse")
        #expect(rest().count == 6)
    }

    @Test("a user is busy from the begin of the first piece of work to the end of the last")
    mutating func busy() {
        #expect(!turns.isBusy(for: .owner(.user(1))))
        _ = submit("anna 1", .owner(.user(1)))
        _ = submit("ben 1", .owner(.user(2)))
        #expect(
            turns.isBusy(for: .owner(.user(1))) && turns.isBusy(for: .owner(.user(2))) && !turns.isBusy(for: .urgent))
        _ = turns.ended()
        #expect(!turns.isBusy(for: .owner(.user(1))) && turns.isBusy(for: .owner(.user(2))))
        _ = turns.ended()
        #expect(!turns.isBusy(for: .owner(.user(2))))
    }

    @Test("work whose result is outdated is begun again before its user's other work")
    func again() {
        let loop = EmbeddedEventLoop(), held = HeldThreads()
        let thread = SharedThread(held, eventLoop: loop, turns: ThreadTurns(waiting: 6, perUser: 3))
        var (state, told): (Int, [String]) = (0, [])
        let isTaken = thread.submit(for: .owner(.user(1))) {
            let begun = state
            return { begun }
        } again: {
            $0 != state
        } then: {
            told.append("first \($0)")
        }
        #expect(isTaken)
        #expect(thread.submit(for: .owner(.user(1)), { { 0 } }) { _ in told.append("second") })
        state = 1
        for _ in 0..<3 {
            held.finishAll()
            loop.run()
        }
        #expect(told == ["first 1", "second"])
    }
}
