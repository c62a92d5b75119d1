import GateModel
import Testing

@testable import GateHousehold

@Suite("What people use is carried between the household's devices (Z-02)")
struct UsageCarryingTests {
    private typealias Sample = SampleHousehold

    private var machine = HouseholdStateMachine(
        household: Sample.household, device: Sample.me, name: "Mine", version: "1", sumsUsage: true)

    init() {
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
    }

    private func published(in actions: [HouseholdAction]) -> [Publication] {
        actions.compactMap {
            if case .publish(let publication) = $0, case .usage = publication.id { publication } else { nil }
        }
    }

    private func submitted(in actions: [HouseholdAction]) -> [[UInt8]] {
        actions.compactMap { if case .submitUsage(let signed) = $0 { signed } else { nil } }
    }

    private func collected(in actions: [HouseholdAction]) -> [UInt64] {
        actions.compactMap { if case .collectUsage(let change) = $0 { change } else { nil } }
    }

    /// gated tells a report.
    private mutating func told(_ change: UInt64, _ signed: [UInt8], at milliseconds: Int64) -> [HouseholdAction] {
        machine.usageTold(OutgoingUsage(change: change, signed: signed), at: .at(milliseconds))
    }

    private mutating func arrives(
        _ signed: [UInt8], from device: HouseholdID = Sample.other, at milliseconds: Int64 = 0
    ) -> [HouseholdAction] {
        machine.messageArrived(Sample.message(.usage(device), signed), at: .at(milliseconds))
    }

    @Test("a report is retained for eight days, and the newest one is published at most once a minute")
    mutating func ownReports() {
        let first = told(2, [1], at: 0)
        #expect(collected(in: first) == [2])
        #expect(published(in: first).map(\.payload) == [[1]])
        #expect(published(in: first).map(\.topic) == [HouseholdTopic.usage(Sample.me).text(in: Sample.household)])
        #expect(published(in: first).allSatisfy { $0.isRetained && $0.expiry == .seconds(8 * 24 * 3600) })
        #expect(published(in: machine.published(.usage, at: .at(10))).isEmpty)
        #expect(published(in: told(3, [2], at: 20_000)).isEmpty)
        #expect(published(in: told(4, [3], at: 40_000)).isEmpty)
        #expect(published(in: machine.timePassed(at: .at(59_999))).isEmpty)
        #expect(published(in: machine.timePassed(at: .at(60_000))).map(\.payload) == [[3]])
        _ = machine.published(.usage, at: .at(60_010))
        // The same report once more is no news.
        #expect(published(in: told(5, [3], at: 200_000)).isEmpty)
        #expect(published(in: machine.timePassed(at: .at(300_000))).isEmpty)
    }

    @Test("a broker that comes back gets the newest report at once")
    mutating func brokerAway() {
        _ = told(2, [1], at: 0)
        _ = machine.brokerLost(at: .at(100))
        #expect(published(in: told(3, [2], at: 200)).isEmpty)
        #expect(published(in: machine.brokerConnected(at: .at(300))).map(\.payload) == [[2]])
    }

    @Test("nothing is published before gated has told something, and an empty report takes away what was published")
    mutating func nothing() {
        #expect(published(in: told(2, [], at: 0)).isEmpty)
        #expect(published(in: machine.timePassed(at: .at(100_000))).isEmpty)
        #expect(published(in: told(3, [1], at: 100_000)).map(\.payload) == [[1]])
        _ = machine.published(.usage, at: .at(100_010))
        #expect(published(in: told(4, [], at: 200_000)).map(\.payload) == [[]])
        _ = machine.published(.usage, at: .at(200_010))
        _ = machine.brokerLost(at: .at(300_000))
        #expect(published(in: machine.brokerConnected(at: .at(300_010))).isEmpty)
    }

    @Test("gated that refuses to tell is not asked again until it comes back")
    mutating func refused() {
        #expect(collected(in: machine.callFailed(.usage, .never, jitter: 0, at: .at(0))).isEmpty)
        #expect(collected(in: machine.timePassed(at: .at(600_000))).isEmpty)
        _ = machine.daemonLost(at: .at(600_001))
        #expect(collected(in: machine.daemonReturned(.closed, at: .at(600_002))) == [0])
    }

    @Test("of each other device the newest report goes to gated, one at a time; refused ones are not offered again")
    mutating func others() {
        #expect(submitted(in: arrives([1])) == [[1]])
        #expect(submitted(in: arrives([2])).isEmpty)
        #expect(submitted(in: arrives([9], from: Sample.third)).isEmpty)
        #expect(submitted(in: arrives([3])).isEmpty)
        #expect(submitted(in: machine.taken(.usageElsewhere, at: .at(1))) == [[3]])
        #expect(submitted(in: machine.callFailed(.usageElsewhere, .never, jitter: 0, at: .at(2))) == [[9]])
        #expect(machine.drops.unwanted == 1)
        #expect(submitted(in: machine.taken(.usageElsewhere, at: .at(3))).isEmpty)
    }

    @Test("a report that gated could not take comes again, unless the device has told a newer one meanwhile")
    mutating func later() {
        _ = arrives([1])
        _ = machine.daemonLost(at: .at(1))
        _ = machine.callFailed(.usageElsewhere, .later, jitter: 0, at: .at(2))
        #expect(submitted(in: machine.daemonReturned(.closed, at: .at(3))) == [[1]])
        _ = arrives([2], at: 4)
        _ = machine.callFailed(.usageElsewhere, .later, jitter: 0, at: .at(5))
        #expect(submitted(in: machine.timePassed(at: .at(600_000))) == [[2]])
    }

    @Test("a report waits for a newer list of devices, which may have revoked the one that tells it")
    mutating func newestList() {
        _ = machine.messageArrived(Sample.message(.guardians, [5]), at: .at(0))
        #expect(submitted(in: arrives([1], at: 1)).isEmpty)
        #expect(submitted(in: machine.taken(.guardians, at: .at(2))) == [[1]])
    }

    @Test("an empty, a too long and this device's own report are not passed on, nor any without `usage: true`")
    mutating func passedOver() {
        #expect(submitted(in: arrives([])).isEmpty)
        #expect(submitted(in: arrives([1], from: Sample.me)).isEmpty)
        #expect(submitted(in: arrives([UInt8](repeating: 1, count: HouseholdLimits.signedBytes + 1))).isEmpty)
        #expect(machine.drops.malformed == 1)
        var silent = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "1")
        _ = silent.daemonReturned(.closed, at: .at(0))
        _ = silent.brokerConnected(at: .at(0))
        #expect(submitted(in: silent.messageArrived(Sample.message(.usage(Sample.other), [1]), at: .at(0))).isEmpty)
    }

    @Test("reports of 64 devices wait for gated, and no more")
    mutating func limit() {
        _ = machine.daemonLost(at: .at(0))
        for number in 0..<70 { _ = arrives([UInt8(number)], from: Sample.device(number)) }
        #expect(machine.drops.tooMany == 6)
    }
}
