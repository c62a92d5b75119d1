import GateModel
import Testing

@testable import GateHousehold

@Suite("Carrying between the broker and gated (H-02, H-03)")
struct HouseholdStateMachineTests {
    private typealias Sample = SampleHousehold
    private typealias Machine = HouseholdStateMachine
    private static let parent = ModeState(mode: .parent, deadline: BootTime(nanoseconds: 60_000_000_000))

    private func machine() -> HouseholdStateMachine {
        HouseholdStateMachine(household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0")
    }

    /// One with gated and its challenge; nothing is under way but to collect.
    private func connected() -> HouseholdStateMachine {
        var machine = machine()
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.published(.availability, at: .at(0))
        _ = machine.published(.state, at: .at(0))
        return machine
    }

    // MARK: - Who hears of others

    @Test("a device that commands no others ignores their messages, whatever the broker delivers (H-02)")
    func listening() {
        var machine = machine()
        #expect(!machine.brokerConnected(at: .at(0)).contains(.listen(true)))
        _ = machine.daemonReturned(.closed, at: .at(0))
        let told = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(0))
        #expect(told.allSatisfy { if case .listen = $0 { false } else { true } })
        _ = machine.taken(.report, at: .at(0))
        let state = Sample.message(.state(Sample.other), Sample.state().json, isRetained: true)
        #expect(machine.messageArrived(state, at: .at(1)).news.isEmpty)
        let availability = Sample.message(.availability(Sample.other), Availability.online.payload)
        #expect(machine.messageArrived(availability, at: .at(1)).news.isEmpty)
    }

    @Test(
        "a new list that makes the device a guardian's starts listening, and one that does not stops and forgets"
    )
    func listChanges() throws {
        var machine = machine()
        _ = machine.brokerConnected(at: .at(0))
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        #expect(machine.messageArrived(Sample.message(.guardians, [1]), at: .at(1)).contains(.submitGuardians([1])))
        #expect(machine.taken(.guardians, at: .at(2)).contains(.askHousehold))
        let told = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(3))
        #expect(told == [.listen(true)], "and the state is as it was")
        let state = Sample.message(.state(Sample.other), Sample.state().json, isRetained: true)
        #expect(machine.messageArrived(state, at: .at(4)).news.map(\.devices.count) == [1])
        _ = machine.taken(.report, at: .at(5))
        _ = machine.brokerLost(at: .at(6))
        #expect(machine.brokerConnected(at: .at(7)).contains(.listen(true)))
        for _ in 1...2 { _ = machine.taken(.report, at: .at(8)) }
        _ = machine.messageArrived(Sample.message(.guardians, [2]), at: .at(9))
        _ = machine.callFailed(.guardians, .never, jitter: 0, at: .at(10))
        let revoked = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(11))
        #expect(revoked.contains(.listen(false)))
        let news = try #require(revoked.news.first)
        #expect(news.isAll && news.devices.isEmpty && news.hasBroker)
    }

    // MARK: - This device's state

    @Test(
        "after connecting, availability and state are published retained, the state once gated has given the challenge")
    func connecting() throws {
        var machine = machine()
        let actions = machine.brokerConnected(at: .at(0))
        #expect(
            actions == [
                .publish(
                    Publication(
                        .availability, "gate/\(Sample.household)/devices/\(Sample.me)/availability",
                        Array("online".utf8), isRetained: true))
            ])
        #expect(machine.deadline == nil, "nothing is known of the mode yet")
        let asking = machine.daemonReturned(Self.parent, at: .at(10))
        #expect(asking.contains(.askHousehold) && asking.publications.isEmpty)
        let told = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(20))
        guard case .publish(let publication) = try #require(told.first) else {
            Issue.record("\(told)")
            return
        }
        #expect(publication.topic == "gate/\(Sample.household)/devices/\(Sample.me)/state")
        #expect(publication.isRetained && publication.expiry == nil)
        #expect(
            DeviceStateMessage(json: publication.payload)
                == DeviceStateMessage(
                    device: Sample.me, name: "Mine", mode: .parent,
                    parentUntil: WallTime(unixMilliseconds: 1_800_000_060_000),
                    updated: WallTime(unixMilliseconds: 1_800_000_000_020), challenge: Sample.challenge, gate: "0.9.0"))
        #expect(machine.brokerConnected(at: .at(30)).isEmpty, "it is connected already")
    }

    @Test(
        "every half hour gated is asked for a new challenge, and until it answers the state has the former one"
    )
    func renewsChallenge() throws {
        var machine = connected()
        let renewal: Int64 = 1_800_000
        #expect(machine.deadline == Machine.Moment.at(renewal).boot)
        // A command that used none has the same one: that does not make it newer.
        _ = machine.messageArrived(Sample.command("lock"), at: .at(1000))
        _ = machine.commandAnswered(result: [1], challenge: Sample.challenge, at: .at(2000))
        #expect(!machine.timePassed(at: .at(renewal - 1)).contains(.askHousehold))
        #expect(machine.timePassed(at: .at(renewal)).contains(.askHousehold))
        #expect(machine.deadline != Machine.Moment.at(renewal).boot, "it does not ask without end")
        // gated can't tell it at the moment.
        let failed = machine.callFailed(.household, .later, jitter: 0, at: .at(renewal + 10))
        #expect(failed.states.allSatisfy { $0.challenge == Sample.challenge })
        let again = try #require(machine.deadline)
        #expect(machine.timePassed(at: .init(boot: again, wall: .init(unixMilliseconds: 0))).contains(.askHousehold))
        let next = [UInt8](repeating: 9, count: 32)
        _ = machine.published(.state, at: .at(renewal + 3_600_000))
        let told = machine.householdTold(challenge: next, isGuardians: false, at: .at(renewal + 3_600_000))
        #expect(told.states.map(\.challenge) == [next])
        // A command that uses it brings another one, and that one gets old by itself.
        _ = machine.messageArrived(Sample.command("extend"), at: .at(renewal + 3_700_000))
        _ = machine.commandAnswered(
            result: [], challenge: [UInt8](repeating: 8, count: 32), at: .at(renewal + 3_700_000))
        _ = machine.published(.state, at: .at(renewal + 3_700_000))
        #expect(!machine.timePassed(at: .at(2 * renewal + 3_600_000)).contains(.askHousehold))
        _ = machine.daemonLost(at: .at(2 * renewal + 3_600_001))
        #expect(!machine.timePassed(at: .at(9 * renewal)).contains(.askHousehold))
    }

    @Test("without gated the mode is child, and there is no challenge")
    func noDaemon() {
        var machine = machine()
        _ = machine.brokerConnected(at: .at(0))
        let state = machine.daemonLost(at: .at(1)).states.first
        #expect(state?.mode == .child && state?.challenge == [] && state?.parentUntil == nil)
        #expect(machine.daemonLost(at: .at(2)).isEmpty)
    }

    @Test(
        "the state is published without a challenge if gated can't give one",
        arguments: [
            DaemonFailure.later, .never,
        ])
    func noChallenge(failure: DaemonFailure) {
        var machine = machine()
        _ = machine.brokerConnected(at: .at(0))
        _ = machine.daemonReturned(Self.parent, at: .at(0))
        let state = machine.callFailed(.household, failure, jitter: 0, at: .at(1)).states.first
        #expect(state?.mode == .parent && state?.challenge == [])
        _ = machine.published(.state, at: .at(2))
        let later = machine.timePassed(at: .at(2001))
        #expect(later.contains(.askHousehold) == (failure == .later))
    }

    @Test("a changed state is published at once, then at most 20 times a second, and the newest always is")
    func rate() {
        var machine = connected()
        var published: [(Int64, Mode)] = []
        // The state changes each millisecond for a second, and the broker acknowledges at once.
        for now in Int64(1000)..<2000 {
            var actions = machine.timePassed(at: .at(now))
            actions += machine.modeChanged(now % 2 == 0 ? Self.parent : .closed, at: .at(now))
            for state in actions.states {
                published.append((now, state.mode))
                actions += machine.published(.state, at: .at(now))
            }
        }
        #expect(published.count == 20)
        #expect(published.first?.0 == 1000)
        #expect(machine.deadline == .init(nanoseconds: 2000 * 1_000_000))
        #expect(machine.timePassed(at: .at(2000)).states.map(\.mode) == [.child], "the last one is not lost")
        #expect(machine.published(.state, at: .at(2001)).isEmpty && machine.isQuiet)
    }

    @Test("a slow broker gets one state at a time")
    func slowBroker() {
        var machine = connected()
        #expect(machine.modeChanged(Self.parent, at: .at(1000)).states.count == 1)
        for now in Int64(1)...100 { #expect(machine.modeChanged(.closed, at: .at(1000 + now)).states.isEmpty) }
        #expect(machine.published(.state, at: .at(1200)).states.map(\.mode) == [.child])
    }

    @Test("a late will is corrected at most once a second, and this device's own state is ignored")
    func ownTopics() {
        var machine = connected()
        let offline = Sample.message(.availability(Sample.me), Array("offline".utf8))
        let kept = Sample.message(.availability(Sample.me), Array("offline".utf8), isRetained: true)
        #expect(machine.messageArrived(kept, at: .at(50)).isEmpty && machine.isQuiet)
        #expect(machine.messageArrived(offline, at: .at(100)).publications.isEmpty)
        #expect(machine.deadline == .init(nanoseconds: 1_000_000_000))
        #expect(machine.timePassed(at: .at(1000)).publications == [.availability])
        _ = machine.published(.availability, at: .at(1001))
        let online = Sample.message(.availability(Sample.me), Array("online".utf8))
        #expect(machine.messageArrived(online, at: .at(5000)).isEmpty)
        #expect(machine.messageArrived(Sample.message(.state(Sample.me), []), at: .at(5000)).isEmpty)
        #expect(machine.drops == HouseholdDrops())
    }

    @Test("a publication that the broker refused is not repeated until its content changes")
    func refused() {
        var machine = connected()
        #expect(machine.modeChanged(Self.parent, at: .at(1000)).publications == [.state])
        #expect(machine.publicationRefused(.state, at: .at(1001)).isEmpty && machine.isQuiet)
        #expect(machine.drops.refused == 1)
        #expect(machine.modeChanged(.closed, at: .at(2000)).publications == [.state])
    }

    // MARK: - Other devices

    @Test("other devices' states are reported to gated, one report after the other")
    func others() {
        var machine = connected()
        let state = Sample.state()
        let first = machine.messageArrived(
            Sample.message(.state(Sample.other), state.json, isRetained: true), at: .at(1))
        #expect(
            first.news == [DeviceNews(devices: [DeviceReport(state, isOnline: false)], isAll: false, hasBroker: true)])
        let online = Sample.message(.availability(Sample.other), Array("online".utf8))
        #expect(machine.messageArrived(online, at: .at(2)).isEmpty, "a report is under way")
        let second = machine.taken(.report, at: .at(3))
        #expect(second.news.map(\.devices) == [[DeviceReport(state, isOnline: true)]])
        _ = machine.taken(.report, at: .at(4))
        #expect(machine.brokerLost(at: .at(5)).news.map(\.devices) == [[DeviceReport(state, isOnline: false)]])
    }

    @Test("malformed messages, and ones about another device than their topic's, are counted and dropped")
    func malformed() {
        var machine = connected()
        let messages = [
            Sample.message(.state(Sample.other), Sample.state(of: Sample.third).json),
            Sample.message(.state(Sample.other), Array("{}".utf8)),
            Sample.message(.state(Sample.other), Array(repeating: 0x20, count: 100_000)),
            Sample.message(.availability(Sample.other), Array("maybe".utf8)), Sample.command(""),
            Sample.message(.commands(sender: Sample.other, target: nil), Array(repeating: 1, count: (64 << 10) + 1)),
            Sample.message(.guardians, Array(repeating: 1, count: HouseholdLimits.listBytes + 1)),
        ]
        for message in messages { #expect(machine.messageArrived(message, at: .at(1)).isEmpty) }
        #expect(machine.drops.malformed == messages.count)
        let foreign = [
            BrokerMessage(topic: "gate/x", payload: []), Sample.command("a", to: Sample.third),
            Sample.message(.results(sender: Sample.other, target: Sample.third), [1]),
        ]
        for message in foreign { #expect(machine.messageArrived(message, at: .at(1)).isEmpty) }
        #expect(machine.drops.foreign == foreign.count)
        #expect(machine.drops.text == "3 of no topic for this device, 7 malformed")
        #expect(machine.messageArrived(Sample.message(.availability(Sample.other), []), at: .at(1)).isEmpty)
    }

    @Test("if gated could not take a report, all devices are reported again later")
    func reportFailed() {
        var machine = connected()
        _ = machine.messageArrived(Sample.message(.state(Sample.other), Sample.state().json), at: .at(1))
        #expect(machine.callFailed(.report, .later, jitter: 0, at: .at(2)).isEmpty)
        #expect(machine.deadline == .init(nanoseconds: 2_002_000_000))
        let news = machine.timePassed(at: .at(2002)).news
        #expect(news.map(\.isAll) == [true] && news.first?.devices.count == 1)
        #expect(machine.callFailed(.report, .never, jitter: 0, at: .at(2003)).isEmpty)
        #expect(machine.drops.unwanted == 1 && machine.isQuiet)
    }

    // MARK: - The list of guardians

    @Test("the newest list is submitted to gated, again after gated was away, and removing it changes nothing")
    func guardians() {
        var machine = connected()
        let list = { (text: String) in Sample.message(.guardians, Array(text.utf8), isRetained: true) }
        #expect(machine.messageArrived(list("1"), at: .at(1)) == [.submitGuardians(Array("1".utf8))])
        #expect(machine.messageArrived(list("2"), at: .at(2)).isEmpty)
        #expect(machine.messageArrived(list("3"), at: .at(3)).isEmpty)
        #expect(machine.taken(.guardians, at: .at(4)) == [.askHousehold, .submitGuardians(Array("3".utf8))])
        #expect(machine.callFailed(.guardians, .never, jitter: 0, at: .at(5)).isEmpty)
        #expect(machine.messageArrived(list(""), at: .at(6)).isEmpty)
        _ = machine.daemonLost(at: .at(7))
        #expect(machine.daemonReturned(.closed, at: .at(8)).contains(.submitGuardians(Array("3".utf8))))
        #expect(machine.callFailed(.guardians, .later, jitter: 0, at: .at(9)).isEmpty)
        #expect(machine.timePassed(at: .at(2009)).contains(.submitGuardians(Array("3".utf8))))
    }
}
