import GateModel
import Testing

@testable import GateHousehold

@Suite("Carrying commands and results (H-03)")
struct CommandCarryingTests {
    private typealias Sample = SampleHousehold

    /// One that is connected on both sides; nothing is under way but to collect.
    private func connected() -> HouseholdStateMachine {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0")
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.published(.availability, at: .at(0))
        _ = machine.published(.state, at: .at(0))
        return machine
    }

    private func answered(
        _ machine: inout HouseholdStateMachine, _ result: String = "done", at now: Int64
    ) -> [HouseholdAction] {
        machine.commandAnswered(
            result: Array(result.utf8), challenge: Array(repeating: 9, count: 32), at: .at(now))
    }

    @Test("commands for this device and for all go to gated unread, one at a time and in order")
    func order() {
        var machine = connected()
        #expect(machine.messageArrived(Sample.command("1"), at: .at(1)).commands == ["1"])
        #expect(machine.messageArrived(Sample.command("2", from: Sample.third, to: nil), at: .at(2)).isEmpty)
        #expect(machine.messageArrived(Sample.command("3", from: Sample.me), at: .at(3)).isEmpty)
        #expect(answered(&machine, at: 100).commands == ["2"])
        #expect(answered(&machine, at: 200).commands == ["3"])
        #expect(answered(&machine, at: 300).commands.isEmpty)
    }

    @Test("an answer is published to the command's sender, and then the state with the new challenge")
    func answer() {
        var machine = connected()
        _ = machine.messageArrived(Sample.command("1"), at: .at(1))
        let actions = answered(&machine, "signed", at: 100)
        #expect(actions.publications == [.letter(1), .state])
        #expect(
            actions.letters == [
                Publication(
                    .letter(1), "gate/\(Sample.household)/devices/\(Sample.me)/to/\(Sample.other)/results",
                    Array("signed".utf8), expiry: .seconds(300))
            ])
        #expect(actions.states.map(\.challenge) == [Array(repeating: 9, count: 32)])
    }

    @Test("a command that is no guardian's gets no answer, but the state gets a new challenge")
    func noAnswer() {
        var machine = connected()
        _ = machine.messageArrived(Sample.command("1"), at: .at(1))
        let actions = answered(&machine, "", at: 100)
        #expect(actions.publications == [.state])
    }

    @Test("a command that gated refuses is dropped, and the next one goes on")
    func refused() {
        var machine = connected()
        _ = machine.messageArrived(Sample.command("1"), at: .at(1))
        _ = machine.messageArrived(Sample.command("2"), at: .at(2))
        let actions = machine.callFailed(.command, .never, jitter: 0, at: .at(3))
        #expect(actions.commands == ["2"] && machine.drops.unwanted == 1)
    }

    @Test("while gated is away commands wait and expire, and it gets the rest in order when it is back")
    func away() {
        var machine = connected()
        _ = machine.messageArrived(Sample.command("1"), at: .at(1))
        _ = machine.messageArrived(Sample.command("2", expiry: .seconds(5)), at: .at(2))
        _ = machine.messageArrived(Sample.command("3", expiry: .seconds(100_000)), at: .at(3))
        _ = machine.daemonLost(at: .at(4))
        #expect(machine.callFailed(.command, .later, jitter: 0, at: .at(5)).commands.isEmpty)
        #expect(machine.timePassed(at: .at(60_000)).commands.isEmpty)
        #expect(machine.daemonReturned(.closed, at: .at(60_000)).commands == ["1"])
        #expect(machine.drops.expired == 1)
        #expect(answered(&machine, at: 60_001).commands == ["3"])

        _ = machine.messageArrived(Sample.command("4", expiry: .seconds(100_000)), at: .at(60_002))
        _ = machine.timePassed(at: .at(360_003))
        #expect(machine.drops.expired == 2, "whatever the sender says, nothing counts for longer than five minutes")
    }

    @Test("a failed command is tried again, and an answer of the former gated does not set the challenge")
    func again() {
        var machine = connected()
        _ = machine.messageArrived(Sample.command("1"), at: .at(1))
        #expect(machine.callFailed(.command, .later, jitter: 0, at: .at(2)).commands.isEmpty)
        #expect(machine.timePassed(at: .at(2002)).commands == ["1"])
        _ = machine.daemonReturned(.closed, at: .at(2003))
        let actions = answered(&machine, "late", at: 2004)
        #expect(actions.letters.map(\.payload) == [Array("late".utf8)], "what was done is told all the same")
        #expect(actions.states.isEmpty)
        let told = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(2005))
        #expect(told.states.map(\.challenge) == [Sample.challenge])
    }

    @Test("a retained command may be of any age, and is dropped")
    func retained() {
        var machine = connected()
        #expect(machine.messageArrived(Sample.command("1", isRetained: true), at: .at(1)).isEmpty)
        #expect(machine.drops.retained == 1)
    }

    @Test("at most 64 commands wait; a flooding sender displaces its own, and others' reach gated")
    func flood() {
        var machine = connected()
        #expect(machine.messageArrived(Sample.command("first", from: Sample.third), at: .at(1)).commands == ["first"])
        _ = machine.messageArrived(Sample.command("lock", from: Sample.third), at: .at(2))
        for number in 0..<1000 { _ = machine.messageArrived(Sample.command("\(number)"), at: .at(3)) }
        #expect(machine.drops.tooMany == 1000 - 63)
        #expect(answered(&machine, at: 4).commands == ["lock"])
        #expect(answered(&machine, at: 5).commands == ["937"])
    }

    @Test("results for this device go to gated one at a time, and refused ones are dropped")
    func results() {
        var machine = connected()
        let result = { (text: String) in
            Sample.message(.results(sender: Sample.other, target: Sample.me), Array(text.utf8))
        }
        #expect(machine.messageArrived(result("1"), at: .at(1)).results == ["1"])
        for text in ["2", "3"] { #expect(machine.messageArrived(result(text), at: .at(2)).isEmpty) }
        #expect(machine.taken(.result, at: .at(3)).results == ["2"])
        #expect(machine.callFailed(.result, .later, jitter: 0, at: .at(4)).results.isEmpty)
        #expect(machine.timePassed(at: .at(2004)).results == ["2"])
        #expect(machine.callFailed(.result, .never, jitter: 0, at: .at(2005)).results == ["3"])
        #expect(machine.drops.unwanted == 1)
    }

    // MARK: - Commands of this device's gated

    @Test("commands are collected while there is a broker, and published to one device or to all")
    func collecting() {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0")
        #expect(!machine.daemonReturned(.closed, at: .at(0)).contains(.collect))
        #expect(machine.brokerConnected(at: .at(1)).contains(.collect))
        let actions = machine.collected(
            [OutgoingCommand(device: Sample.other, signed: [1]), OutgoingCommand(device: nil, signed: [2])], at: .at(2))
        let prefix = "gate/\(Sample.household)/devices/\(Sample.me)/to"
        #expect(
            actions.letters == [
                Publication(.letter(1), "\(prefix)/\(Sample.other)/commands", [1], expiry: .seconds(300)),
                Publication(.letter(2), "\(prefix)/all/commands", [2], expiry: .seconds(300)),
            ])
        #expect(actions.contains(.collect))
    }

    @Test("unacknowledged messages are sent again on the next connection until they expire")
    func connectionLost() {
        var machine = connected()
        let commands = (0..<20).map { OutgoingCommand(device: Sample.other, signed: [UInt8($0)]) }
        #expect(machine.collected(commands, at: .at(0)).letters.count == 16)
        #expect(machine.published(.letter(1), at: .at(1)).letters.map(\.payload) == [[16]])
        _ = machine.brokerLost(at: .at(2))
        #expect(machine.published(.letter(2), at: .at(3)).isEmpty, "an answer that came too late")
        let again = machine.brokerConnected(at: .at(10_000)).letters
        #expect(again.map(\.payload) == (1...16).map { [UInt8($0)] })
        #expect(again.first?.expiry == .seconds(290))
        _ = machine.brokerLost(at: .at(20_000))
        #expect(machine.brokerConnected(at: .at(300_000)).letters.isEmpty)
        #expect(machine.drops.expired == 19)
    }

    @Test("a command that no device received is sent again until one does or it expires")
    func unheard() {
        var machine = connected()
        let command = OutgoingCommand(device: Sample.other, signed: [1])
        #expect(machine.collected([command], at: .at(1000)).letters.count == 1)
        #expect(machine.publicationUnheard(.letter(1), at: .at(1001)).letters.isEmpty)
        #expect(machine.deadline == .init(nanoseconds: 3_001_000_000))
        #expect(machine.timePassed(at: .at(3001)).letters.map(\.expiry) == [.milliseconds(297_999)])
        _ = machine.publicationUnheard(.letter(1), at: .at(3002))
        #expect(machine.timePassed(at: .at(301_000)).letters.isEmpty)
        #expect(machine.drops.expired == 1 && machine.isQuiet)
        #expect(
            machine.publicationUnheard(.state, at: .at(301_001)).isEmpty, "a state is for those who come later, too")
    }

    @Test("a gated that refuses to hand out commands is not asked again until it returns")
    func noCollecting() {
        var machine = connected()
        #expect(!machine.callFailed(.collect, .never, jitter: 0, at: .at(1)).contains(.collect))
        #expect(!machine.timePassed(at: .at(1_000_000)).contains(.collect))
        #expect(machine.daemonReturned(.closed, at: .at(1_000_001)).contains(.collect))
        #expect(!machine.callFailed(.collect, .later, jitter: 0, at: .at(1_000_002)).contains(.collect))
        #expect(machine.timePassed(at: .at(1_002_002)).contains(.collect))
    }

    @Test(
        "while the broker takes nothing gated keeps its commands, and this device obeys none that it could not answer")
    func fullOutbox() {
        var machine = connected()
        let commands = (0..<64).map { OutgoingCommand(device: Sample.other, signed: [UInt8($0)]) }
        #expect(!machine.collected(commands, at: .at(1)).contains(.collect))
        #expect(machine.messageArrived(Sample.command("1"), at: .at(2)).commands.isEmpty)
        let actions = machine.published(.letter(1), at: .at(3))
        #expect(actions.contains(.collect) && actions.commands == ["1"])
    }
}
