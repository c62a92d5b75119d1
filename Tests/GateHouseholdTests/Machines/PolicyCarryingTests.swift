import GateGuardians
import GateModel
import Testing

@testable import GateHousehold

@Suite("Carrying the policy for all devices (H-06)")
struct PolicyCarryingTests {
    private typealias Sample = SampleHousehold
    private static let key = SigningKey()

    private static func signed(_ number: UInt64) -> [UInt8] {
        let policy = HouseholdPolicy(
            household: Sample.household, number: number, issued: WallTime(unixMilliseconds: 1), files: [])
        return SignedText.sign(policy.payload, as: .policy, with: key)
    }

    /// One with gated, its challenge and the broker.
    private func connected(keptPolicy: [UInt8]? = nil) -> HouseholdStateMachine {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0")
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.brokerConnected(keptPolicy: keptPolicy, at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.published(.state, at: .at(0))
        return machine
    }

    private func policies(_ actions: [HouseholdAction]) -> [[UInt8]] {
        actions.compactMap { if case .submitPolicy(let signed) = $0 { signed } else { nil } }
    }

    @Test("a policy goes to gated, and once accepted its number is in this device's state")
    func taken() {
        var machine = connected()
        let signed = Self.signed(7)
        #expect(
            policies(machine.messageArrived(Sample.message(.policy, signed, isRetained: true), at: .at(100))) == [
                signed
            ])
        #expect(machine.taken(.policy, at: .at(200)).contains(.askHousehold))
        let state = machine.householdTold(challenge: Sample.challenge, isGuardians: false, policy: 7, at: .at(300))
            .states.last
        #expect(state?.policy == 7 && state?.challenge == Sample.challenge)
    }

    @Test(
        "the newest policy waits while another is under way or gated is busy, and a refused one is not offered again"
    )
    func waiting() {
        var machine = connected()
        let (first, second) = (Self.signed(7), Self.signed(8))
        _ = machine.messageArrived(Sample.message(.policy, first), at: .at(100))
        #expect(policies(machine.messageArrived(Sample.message(.policy, second), at: .at(101))).isEmpty)
        #expect(policies(machine.callFailed(.policy, .never, jitter: 0, at: .at(102))) == [second])
        _ = machine.callFailed(.policy, .later, jitter: 0, at: .at(103))
        #expect(policies(machine.timePassed(at: .at(60_000))) == [second])
        #expect(policies(machine.callFailed(.policy, .never, jitter: 0, at: .at(60_001))).isEmpty)
        #expect(policies(machine.timePassed(at: .at(200_000))).isEmpty)
        // A new gated may accept it.
        #expect(policies(machine.daemonReturned(.closed, at: .at(200_001))) == [second])
    }

    @Test("a policy that is too large is dropped, and a cleared topic changes nothing")
    func odd() {
        var machine = connected()
        let large = [UInt8](repeating: 1, count: HouseholdLimits.policyBytes + 1)
        #expect(policies(machine.messageArrived(Sample.message(.policy, large), at: .at(1))).isEmpty)
        #expect(machine.drops.malformed == 1)
        #expect(policies(machine.messageArrived(Sample.message(.policy, []), at: .at(2))).isEmpty)
        #expect(machine.drops.malformed == 1)
        let most = [UInt8](repeating: 1, count: HouseholdLimits.policyBytes)
        #expect(policies(machine.messageArrived(Sample.message(.policy, most), at: .at(3))) == [most])
    }

    @Test("the device with the household's key gives a broker its policy if that is missing or older there")
    func kept() {
        let own = Self.signed(8)
        for (found, isPublished) in [
            (nil, true), (Self.signed(7), true), (Self.signed(8), false), (Self.signed(9), false), ([1], true),
        ] as [([UInt8]?, Bool)] {
            var machine = connected(keptPolicy: own)
            if let found { _ = machine.messageArrived(Sample.message(.policy, found, isRetained: true), at: .at(1)) }
            let published = machine.published(.availability, at: .at(2)).publications
            #expect(published.contains(.policy) == isPublished)
            #expect(!machine.published(.policy, at: .at(3)).publications.contains(.policy))
        }
        var other = connected()
        #expect(!other.published(.availability, at: .at(2)).publications.contains(.policy))
    }

    @Test("messages of up to 1 MiB are accepted on the policy's topic alone")
    func inbox() {
        let inbox = MessageInbox()
        func append(_ topic: HouseholdTopic, _ count: Int) -> Bool {
            let text = topic.text(in: Sample.household)
            return [UInt8](repeating: 1, count: count).withUnsafeBytes { bytes in
                text.withCString { inbox.append(topic: $0, bytes, isRetained: true, expiry: nil) }
            } && inbox.take(atMost: 1).messages.count == 1
        }
        #expect(append(.policy, HouseholdLimits.policyBytes))
        #expect(!append(.policy, HouseholdLimits.policyBytes + 1))
        #expect(!append(.state(Sample.other), HouseholdLimits.messageBytes + 1))
        #expect(append(.state(Sample.other), HouseholdLimits.messageBytes))
        #expect(inbox.oversizedCount == 2)
    }

    @Test("a message on a topic of more than 256 bytes is not accepted, since the sender chooses the end of a topic")
    func longTopic() {
        let inbox = MessageInbox()
        let start = "gate/\(Sample.household)/devices/\(Sample.other)/requests/"
        func append(_ topic: String) -> Bool {
            [UInt8]([1]).withUnsafeBytes { bytes in
                topic.withCString { inbox.append(topic: $0, bytes, isRetained: true, expiry: nil) }
            } && inbox.take(atMost: 1).messages.count == 1
        }
        let rest = String(repeating: "1", count: 256 - start.utf8.count)
        #expect(append(start + rest) && !append(start + rest + "1"))
        #expect(!append(start + String(repeating: "\u{301}", count: 30_000)))
        #expect(inbox.oversizedCount == 2)
    }
}
