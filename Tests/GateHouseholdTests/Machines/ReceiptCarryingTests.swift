import GateModel
import Testing

@testable import GateHousehold

@Suite("What was bought is carried (H-05)")
struct ReceiptCarryingTests {
    private typealias Sample = SampleHousehold

    private var machine = HouseholdStateMachine(
        household: Sample.household, device: Sample.me, name: "Mine", version: "1", sharesReceipts: true)

    init() {
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
    }

    private func published(in actions: [HouseholdAction]) -> [Publication] {
        actions.compactMap {
            if case .publish(let publication) = $0, case .receipt = publication.id { publication } else { nil }
        }
    }

    private func submitted(in actions: [HouseholdAction]) -> [[UInt8]] {
        actions.compactMap { if case .submitReceipt(let signed) = $0 { signed } else { nil } }
    }

    private func message(_ number: UInt64, of device: HouseholdID = Sample.other, _ signed: [UInt8] = [8])
        -> BrokerMessage
    {
        BrokerMessage(
            topic: HouseholdTopic.receipt(device, number).text(in: Sample.household), payload: signed, isRetained: true)
    }

    @Test("each shared receipt is retained on a topic of its own without expiry, and cleared when no longer shared")
    mutating func shared() {
        let told = published(in: machine.sharedTold(Sample.shared, at: .at(0)))
        #expect(
            told.map(\.topic) == (1...3).map { HouseholdTopic.receipt(Sample.me, $0).text(in: Sample.household) })
        #expect(told.map(\.payload) == [[1], [2], []] && told.allSatisfy { $0.isRetained && $0.expiry == nil })
        for number: UInt64 in 1...3 { _ = machine.published(.receipt(number), at: .at(1)) }
        let newer = OutgoingReceipts(change: 3, receipts: [OutgoingReceipt(number: 2, signed: [9])])
        let changed = published(in: machine.sharedTold(newer, at: .at(2)))
        #expect(changed.map(\.payload) == [[], [9]] && changed.map(\.id) == [.receipt(1), .receipt(2)])
    }

    @Test("a reconnected broker gets all receipts again, sixteen at a time")
    mutating func brokerAway() {
        let many = OutgoingReceipts(
            change: 2, receipts: (1...40).map { OutgoingReceipt(number: $0, signed: [UInt8($0)]) })
        #expect(published(in: machine.sharedTold(many, at: .at(0))).count == 16)
        #expect(published(in: machine.published(.receipt(1), at: .at(1))).map(\.id) == [.receipt(17)])
        _ = machine.brokerLost(at: .at(2))
        #expect(published(in: machine.brokerConnected(at: .at(3))).count == 16)
    }

    @Test("receipts that an earlier run left at the broker are cleared if gated no longer has them")
    mutating func leftBehind() {
        #expect(published(in: machine.messageArrived(message(7, of: Sample.me), at: .at(0))).isEmpty)
        #expect(published(in: machine.sharedTold(Sample.shared, at: .at(0))).map(\.payload) == [[1], [2], [], []])
        #expect(published(in: machine.messageArrived(message(9, of: Sample.me), at: .at(0))).map(\.payload) == [[]])
    }

    @Test("other devices' receipts go to gated one at a time, and refused ones are not offered again")
    mutating func heard() {
        #expect(submitted(in: machine.messageArrived(message(1), at: .at(0))) == [[8]])
        #expect(submitted(in: machine.messageArrived(message(2, of: Sample.third, [9]), at: .at(1))).isEmpty)
        #expect(submitted(in: machine.callFailed(.receipt, .never, jitter: 0, at: .at(2))) == [[9]])
        #expect(machine.drops.unwanted == 1)
        #expect(submitted(in: machine.taken(.receipt, at: .at(3))).isEmpty)
        #expect(submitted(in: machine.messageArrived(message(1, []), at: .at(4))).isEmpty)
    }

    @Test("receipts that arrived while gated was away are submitted when it is back")
    mutating func daemonAway() {
        _ = machine.messageArrived(message(1), at: .at(0))
        _ = machine.daemonLost(at: .at(1))
        _ = machine.callFailed(.receipt, .later, jitter: 0, at: .at(2))
        #expect(submitted(in: machine.messageArrived(message(2), at: .at(3))).isEmpty)
        #expect(submitted(in: machine.daemonReturned(.closed, at: .at(4))) == [[8]])
    }

    @Test("once an hour all receipts are requested again, since gated may now accept one it refused")
    mutating func hearing() {
        let hour = HouseholdLimits.receiptInterval.millisecondsRoundedUp
        #expect(!machine.timePassed(at: .at(hour - 1)).contains(.hearReceipts))
        #expect(machine.deadline.map { $0 <= HouseholdStateMachine.Moment.at(hour).boot } ?? false)
        #expect(machine.timePassed(at: .at(hour)).contains(.hearReceipts))
        #expect(!machine.timePassed(at: .at(hour + 1)).contains(.hearReceipts))
        _ = machine.brokerLost(at: .at(hour + 2))
        #expect(!machine.timePassed(at: .at(3 * hour)).contains(.hearReceipts))
    }

    @Test("a device that shares nothing accepts no receipts, and clears those it has shared")
    mutating func notShared() {
        machine = HouseholdStateMachine(household: Sample.household, device: Sample.me, name: "Mine", version: "1")
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        #expect(submitted(in: machine.messageArrived(message(1), at: .at(0))).isEmpty)
        let cleared = OutgoingReceipts(change: 2, receipts: [OutgoingReceipt(number: 4, signed: [])])
        #expect(published(in: machine.sharedTold(cleared, at: .at(1))).map(\.payload) == [[]])
        #expect(!machine.timePassed(at: .at(10_000_000)).contains(.hearReceipts))
    }

    @Test("a receipt that is too long is dropped, and a sender of too many loses its own")
    mutating func limits() {
        let long = [UInt8](repeating: 1, count: HouseholdLimits.receiptBytes + 1)
        #expect(submitted(in: machine.messageArrived(message(1, long), at: .at(0))).isEmpty)
        #expect(machine.drops.malformed == 1)
        _ = machine.messageArrived(message(1, of: Sample.third, [1]), at: .at(0))
        _ = machine.messageArrived(message(2, of: Sample.third, [2]), at: .at(0))
        for number: UInt64 in 1...200 { _ = machine.messageArrived(message(number), at: .at(1)) }
        #expect(machine.receipts.waiting.count { $0.sender == Sample.third } == 1)
        #expect(machine.receipts.waiting.count { $0.sender == Sample.other } == HouseholdLimits.waitingOfSender)
    }
}
