import GateGuardians
import GateModel
import Testing

@testable import GateHousehold

@Suite("Messages waiting for gated")
struct SenderQueueTests {
    private typealias Sample = SampleHousehold
    private static let never = BootTime.never

    private func element(_ number: Int, from sender: HouseholdID, expires: BootTime = never) -> SenderQueue.Element {
        .init(sender: sender, signed: [UInt8(truncatingIfNeeded: number)], expires: expires)
    }

    @Test("the oldest message is taken first, and no other while it is under way")
    func order() {
        var queue = SenderQueue(limit: 64)
        for number in 1...3 { #expect(queue.append(element(number, from: Sample.other)) == 0) }
        #expect(queue.takeFirst()?.signed == [1])
        #expect(queue.takeFirst() == nil)
        queue.returnUnderWay()
        #expect(queue.takeFirst()?.signed == [1])
        #expect(queue.removeUnderWay()?.signed == [1])
        #expect(queue.removeUnderWay() == nil)
        #expect(queue.takeFirst()?.signed == [2])
    }

    @Test("a sender that sends too many loses its own oldest messages, and nobody else's")
    func flood() {
        var queue = SenderQueue(limit: 64)
        _ = queue.append(element(1, from: Sample.other))
        for number in 0..<500 { _ = queue.append(element(number, from: Sample.third)) }
        #expect(queue.waiting.count == 64)
        #expect(queue.waiting.first == element(1, from: Sample.other))
        #expect(queue.waiting.last == element(499, from: Sample.third))
        #expect(queue.append(element(2, from: Sample.me)) == 1, "another one had to go")
        #expect(queue.waiting.count == 64)
        #expect(queue.waiting.first?.sender == Sample.other && queue.waiting.last?.sender == Sample.me)
        #expect(
            queue.waiting.dropFirst().first?.signed == [UInt8(truncatingIfNeeded: 438)],
            "the oldest of the one who has the most")
    }

    @Test("a sender with few messages loses none while another one fills the queue, and two such senders get half each")
    func fewBesideFlood() {
        var queue = SenderQueue(limit: 64)
        _ = queue.append(element(1, from: Sample.other))
        for number in 0..<500 { _ = queue.append(element(number, from: Sample.third)) }
        #expect(queue.append(element(2, from: Sample.other)) == 1)
        #expect(queue.waiting.filter { $0.sender == Sample.other }.map(\.signed) == [[1], [2]])
        #expect(queue.waiting.count == 64)
        for number in 0..<500 { _ = queue.append(element(number, from: Sample.other)) }
        #expect(queue.waiting.count { $0.sender == Sample.other } == 32 && queue.waiting.count == 64)
    }

    @Test("each of 10,000 senders has room, for at most 64 messages, and all together have a limit of bytes")
    func wide() {
        var queue = SenderQueue(limit: 10_000)
        for number in 0..<10_000 { #expect(queue.append(element(number, from: Sample.device(number))) == 0) }
        #expect(queue.append(element(1, from: Sample.other)) == 1)
        #expect(queue.waiting.count == 10_000)
        var count = 0
        while queue.takeFirst() != nil {
            _ = queue.removeUnderWay()
            count += 1
        }
        #expect(count == 10_000 && queue.isEmpty)

        for number in 0..<100 { _ = queue.append(element(number, from: Sample.other)) }
        #expect(queue.waiting.count == 64 && queue.waiting.first?.signed == [36])
        let large = [UInt8](repeating: 1, count: 64 << 10)
        for number in 0..<1000 {
            _ = queue.append(.init(sender: Sample.device(number % 20), signed: large, expires: .never))
        }
        #expect(queue.waiting.reduce(0) { $0 + $1.signed.count } <= 16 << 20)
        #expect(queue.waiting.count > 200)
    }

    @Test("a waiting message expires, but not the one under way")
    func expiry() {
        var queue = SenderQueue(limit: 64)
        let soon = BootTime(nanoseconds: 10)
        _ = queue.append(element(1, from: Sample.other, expires: soon))
        _ = queue.append(element(2, from: Sample.other, expires: soon))
        _ = queue.append(element(3, from: Sample.other))
        _ = queue.takeFirst()
        #expect(queue.removeExpired(at: BootTime(nanoseconds: 9)) == 0)
        #expect(queue.removeExpired(at: soon) == 1)
        #expect(queue.underWay?.signed == [1] && queue.waiting.map(\.signed) == [[3]])
    }
}

@Suite("Messages on their way to the broker")
struct OutboxTests {
    private typealias Sample = SampleHousehold
    private static let now = BootTime(nanoseconds: 1_000_000_000)

    private func outbox(_ count: Int, expires: BootTime = .never) -> Outbox {
        var outbox = Outbox()
        for number in 0..<count {
            outbox.append(.results(sender: Sample.me, target: Sample.other), [UInt8(number)], expires: expires)
        }
        return outbox
    }

    @Test("up to 16 messages are under way in order, and each is kept until the broker has it")
    func window() {
        var outbox = outbox(20)
        #expect(outbox.takeDue(at: Self.now).map(\.signed) == (0..<16).map { [UInt8($0)] })
        #expect(outbox.takeDue(at: Self.now).isEmpty)
        outbox.ended(3)
        outbox.ended(3)
        #expect(outbox.letters.count == 19)
        #expect(outbox.takeDue(at: Self.now).map(\.signed) == [[16]])
        outbox.ended(20)
        #expect(outbox.letters.count == 19, "it was not under way")
    }

    @Test("messages under way when the broker was lost are sent again before later ones")
    func lost() {
        var outbox = outbox(18)
        _ = outbox.takeDue(at: Self.now)
        outbox.ended(1)
        outbox.brokerLost()
        #expect(outbox.takeDue(at: Self.now).map(\.number) == Array(2...17))
    }

    @Test("messages that wait for the broker expire, but not the ones under way")
    func expiry() {
        var outbox = outbox(17, expires: BootTime(nanoseconds: 5))
        _ = outbox.takeDue(at: Self.now)
        #expect(outbox.removeExpired(at: BootTime(nanoseconds: 5)) == 1)
        #expect(outbox.letters.count == 16)
        #expect(!outbox.isFull && self.outbox(64).isFull)
    }

    @Test("a message that nobody received is sent again after 2 s, and does not delay others")
    func unheard() {
        var outbox = outbox(64)
        #expect(outbox.isFull)
        _ = outbox.takeDue(at: Self.now)
        #expect(outbox.unheard(1, at: Self.now) == 0 && outbox.unheard(1, at: Self.now) == 0)
        #expect(!outbox.isFull && outbox.letters.count == 64)
        #expect(outbox.takeDue(at: Self.now).map(\.number) == [17])
    }

    @Test("nothing is sent while 16 are under way, and new messages come before repeated ones")
    func order() {
        var outbox = outbox(17)
        _ = outbox.takeDue(at: Self.now)
        #expect(outbox.unheard(1, at: Self.now) == 0 && outbox.takeDue(at: Self.now).map(\.number) == [17])
        #expect(outbox.deadline == nil, "there is no room, however late it is")
        let later = Self.now.advanced(by: .seconds(2))
        #expect(outbox.takeDue(at: later).isEmpty)
        outbox.ended(2)
        #expect(outbox.deadline == later)
        outbox.append(.results(sender: Sample.me, target: Sample.other), [1], expires: .never)
        #expect(outbox.takeDue(at: later).map(\.number) == [18])
        outbox.ended(3)
        #expect(outbox.takeDue(at: later).map(\.number) == [1] && outbox.deadline == nil)
    }

    @Test("up to 256 messages wait for absent devices, and a further one displaces the oldest")
    func unheardLimit() {
        var outbox = Outbox()
        var dropCount = 0
        for number in 1...300 {
            outbox.append(.results(sender: Sample.me, target: Sample.other), [1], expires: .never)
            #expect(outbox.takeDue(at: Self.now).map(\.number) == [UInt64(number)])
            dropCount += outbox.unheard(UInt64(number), at: Self.now)
        }
        #expect(dropCount == 44 && outbox.letters.count == 256 && outbox.letters.first?.number == 45)
    }
}

@Suite("A retained topic")
struct RetainedTopicTests {
    private func time(_ milliseconds: Int64) -> BootTime { BootTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("the newest content is published, one publication at a time and not too often")
    func newest() {
        var topic = RetainedTopic(interval: .milliseconds(50))
        #expect(topic.deadline == nil && topic.publish(at: time(0)) == false)
        topic.changed()
        #expect(topic.publish(at: time(1000)) == true)
        #expect(topic.publish(at: time(2000)) == false, "it is under way")
        topic.changed()
        topic.changed()
        #expect(topic.deadline == nil)
        topic.ended()
        #expect(topic.deadline == time(1050))
        #expect(topic.publish(at: time(1049)) == false)
        #expect(topic.publish(at: time(1050)) == true)
        topic.ended()
        #expect(topic.deadline == nil && topic.publish(at: time(9000)) == false)
        topic.ended()
        #expect(topic.deadline == nil)
    }

    @Test("a reconnected broker gets the content at once, whatever was under way")
    func again() {
        var topic = RetainedTopic(interval: .seconds(1))
        topic.changed()
        #expect(topic.publish(at: time(0)) == true)
        topic.brokerConnected()
        #expect(topic.publish(at: time(1)) == true)
    }
}

@Suite("One kind of call to gated")
struct DaemonLaneTests {
    private func time(_ seconds: Int64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }

    @Test("only one call is under way, and the waits after failures grow")
    func failures() {
        var lane = DaemonLane()
        for (second, delay) in [(0, 2), (10, 4), (20, 8)] as [(Int64, Int64)] {
            #expect(lane.isFree && lane.deadline == nil)
            lane.begin(daemon: 1)
            #expect(!lane.isFree)
            #expect(lane.failed(.later, daemon: 1, at: time(second), jitter: 1) == true)
            #expect(lane.deadline == time(second + delay) && !lane.isFree)
            lane.timePassed(at: time(second + delay - 1))
            #expect(!lane.isFree)
            lane.timePassed(at: time(second + delay))
        }
        lane.begin(daemon: 1)
        #expect(lane.succeeded(daemon: 1) == true)
        lane.begin(daemon: 1)
        _ = lane.failed(.later, daemon: 1, at: time(100), jitter: 1)
        #expect(lane.deadline == time(102), "after a success it is the first failure again")
    }

    @Test("after a refusal, or a failure of a former daemon, there is no wait")
    func noWait() {
        var lane = DaemonLane()
        lane.begin(daemon: 1)
        #expect(lane.failed(.never, daemon: 1, at: time(0), jitter: 0) == true && lane.isFree)
        lane.begin(daemon: 1)
        #expect(lane.failed(.later, daemon: 2, at: time(0), jitter: 0) == true && lane.isFree)
    }

    @Test("a daemon that has returned is called at once, and the former one's answer is ignored")
    func returned() {
        var lane = DaemonLane()
        lane.begin(daemon: 1)
        _ = lane.failed(.later, daemon: 1, at: time(0), jitter: 0)
        lane.daemonReturned()
        #expect(lane.isFree)
        lane.begin(daemon: 1)
        lane.daemonReturned()
        #expect(!lane.isFree, "the call is under way all the same")
        #expect(lane.succeeded(daemon: 2) == false)
        #expect(lane.isFree)
    }

    @Test("an end that belongs to no call changes nothing")
    func late() {
        var lane = DaemonLane()
        #expect(lane.succeeded(daemon: 1) == false && lane.failed(.later, daemon: 1, at: time(0), jitter: 0) == false)
        lane.begin(daemon: 1)
        _ = lane.failed(.later, daemon: 1, at: time(0), jitter: 0)
        #expect(lane.succeeded(daemon: 1) == false && lane.failed(.never, daemon: 1, at: time(0), jitter: 0) == false)
        #expect(lane.deadline == time(2))
    }
}

@Suite("The list on the device that keeps it (H-08)")
struct KeptListTests {
    private let old = Self.list(number: 1)
    private let new = Self.list(number: 2)

    private static func list(number: UInt64) -> [UInt8] {
        let list = HouseholdList(
            household: SampleHousehold.household, number: number, issued: WallTime(unixMilliseconds: 1),
            expires: WallTime(unixMilliseconds: 2),
            members: [
                HouseholdMember(id: SampleHousehold.me, name: "Mine", publicKey: [UInt8](repeating: 1, count: 32))
            ])
        return SignedText.sign(list.payload, as: .list, with: SigningKey())
    }

    @Test("a broker without a list gets it, but only after the broker has sent what it keeps")
    func missing() {
        var kept = KeptList(.list)
        kept.brokerConnected(old)
        #expect(kept.takeDue() == nil)
        kept.brokerHasSpoken()
        #expect(kept.takeDue() == old)
        #expect(kept.takeDue() == nil, "it is under way")
        kept.ended()
        kept.brokerHasSpoken()
        #expect(kept.takeDue() == nil, "the broker has it")
    }

    @Test("a broker keeps the same or a newer list, and an older or malformed one is replaced")
    func present() {
        for (has, isReplaced) in [
            (old, true), (new, false), (Self.list(number: 3), false), (Array("nobody".utf8), true),
        ] {
            var kept = KeptList(.list)
            kept.brokerConnected(new)
            kept.arrived(has)
            kept.brokerHasSpoken()
            #expect((kept.takeDue() == new) == isReplaced)
        }
    }

    @Test(
        "a list file older than gated's list comes from a backup and is not published")
    func restored() {
        for (number, isPublished) in [(1, true), (2, true), (3, false)] as [(UInt64, Bool)] {
            for moment in 0..<3 {
                var kept = KeptList(.list)
                if moment == 0 { kept.daemonKnows(number) }
                kept.brokerConnected(new)
                if moment == 1 { kept.daemonKnows(number) }
                kept.brokerHasSpoken()
                if moment == 2 { kept.daemonKnows(number) }
                #expect((kept.takeDue() == new) == isPublished, "\(number), \(moment)")
            }
        }
    }

    @Test("a device that does not keep the list publishes none, and a reconnected broker gets it again")
    func elsewhere() {
        var kept = KeptList(.list)
        kept.brokerConnected(nil)
        kept.brokerHasSpoken()
        #expect(kept.takeDue() == nil)
        kept.brokerConnected(new)
        kept.brokerHasSpoken()
        kept.brokerLost()
        #expect(kept.takeDue() == nil)
        kept.brokerConnected(new)
        kept.brokerHasSpoken()
        #expect(kept.takeDue() == new)
    }
}
