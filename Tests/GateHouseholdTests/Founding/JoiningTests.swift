import GateGuardians
import GateModel
import Synchronization
import Testing

@testable import GateHousehold

@Suite("Two devices over a broker, until one has joined (H-01)")
struct JoiningTests {
    private let now = FoundedHousehold.now

    private enum Ending: Sendable, Equatable {
        case joined(name: String, hasConfirmed: Bool)
        case failed(FoundingError)
    }

    /// The inviting device, from the code to its end.
    private struct Host {
        let code: JoinCode
        let ending: Task<Ending, Never>
        let keeping: @Sendable () -> HouseholdKeeping

        /// - Parameters:
        ///   - link: leads to both brokers, where devices that join have one of their own.
        ///   - joinBroker: how to connect to that one; `nil`: there is none.
        ///   - ask: says whether a newcomer is admitted; `nil`: nobody is asked.
        init(
            _ household: FoundedHousehold, _ broker: MemoryBroker, _ clock: JumpingClock, link: JoinLink? = nil,
            joinBroker: JoinLink.Identity? = nil, ask: (@Sendable (JoinRequest, CheckNumber) -> Bool)? = nil
        ) async throws {
            let keeping = Mutex(household.keeping)
            let box = Box(keeping)
            let inviting = try await Inviting(
                household.keeping, folder: "/nowhere", joinPort: 8884, joinBroker: joinBroker,
                over: link ?? broker.link, now: clock.now())
            code = inviting.code
            self.keeping = { box.value.withLock { $0 } }
            ending = Task {
                do throws(FoundingError) {
                    let question = ask.map { ask in
                        Inviting.Question(
                            refusal: { request throws(FoundingError) in
                                box.value.withLock { $0.refusal(of: request) }
                            },
                            ask: { request, number, _ in ask(request, number) })
                    }
                    let (request, hasConfirmed) = try await inviting.newcomer(
                        clock: clock.now, sleep: clock.sleep, question: question
                    ) {
                        request throws(FoundingError) in
                        var random = SystemRandomNumberGenerator()
                        let answer = box.value.withLock {
                            try? $0.admit(request, guardian: nil, now: FoundedHousehold.now, using: &random).answer
                        }
                        return answer ?? .refused(.malformed)
                    }
                    return .joined(name: request.name, hasConfirmed: hasConfirmed)
                } catch {
                    return .failed(error)
                }
            }
        }

        private final class Box: Sendable {
            let value: Mutex<HouseholdKeeping>
            init(_ value: consuming Mutex<HouseholdKeeping>) { self.value = value }
        }
    }

    private func join(
        _ code: JoinCode, _ broker: MemoryBroker, _ clock: JumpingClock,
        _ membership: HouseholdMembership? = nil, isAsking: (CheckNumber) -> Void = { _ in }
    ) async throws -> HouseholdSettings {
        let membership = try membership ?? FoundedHousehold.newcomer()
        // The authority is there, however slow this machine is.
        let patience = JumpingClock()
        let (_, household) = try await Joining(
            code, over: broker.link, clock: patience.now, sleep: patience.sleep
        ).authority()
        let joining = Joining(code, over: broker.link, clock: clock.now, sleep: clock.sleep)
        return try await joining.join(membership.request, household: household, authority: "ca.pem", isAsking: isAsking)
        {
            admission throws(FoundingError) in
            try membership.files(admission, code, now: FoundedHousehold.now).settings
        }
    }

    @Test("a newcomer joins, the inviting device is told, and the new list is published")
    func joins() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock)
        let settings = try await join(host.code, broker, clock)
        #expect(await host.ending.value == .joined(name: "Mia's tablet", hasConfirmed: true))
        let list = try #require(broker.retained[HouseholdTopic.guardians.text(in: settings.household)])
        #expect(try HouseholdList(signed: list, by: settings.publicKey).member(settings.device) != nil)
        #expect(broker.identities.dropFirst() == [.anyone, .newcomer(authority: "ca.pem")])
    }

    @Test(
        "devices that join have a broker of their own: only the list goes to the members', and without that nobody joins",
        arguments: [true, false])
    func brokerOfItsOwn(areMembersThere: Bool) async throws {
        let (household, members, newcomers) = (try FoundedHousehold(), MemoryBroker(), MemoryBroker())
        let link = JoinLink { host, port, identity, filters throws(FoundingError) in
            guard areMembersThere || port == 8884 else { throw .broker("it is away") }
            return try await (port == 8884 ? newcomers : members).link.open(host, port, identity, filters)
        }
        let inviting = JoinLink.Identity.inviting(authority: "ca.pem", password: "secret")
        let (clock, patience) = (JumpingClock(), JumpingClock())
        let host = try await Host(household, newcomers, clock, link: link, joinBroker: inviting)
        #expect(newcomers.identities == [inviting] && members.identities.isEmpty)
        let list = HouseholdTopic.guardians.text(in: household.secret.household)
        if areMembersThere {
            _ = try await join(host.code, newcomers, patience)
            #expect(await host.ending.value == .joined(name: "Mia's tablet", hasConfirmed: true))
            #expect(members.published.map(\.topic) == [list] && members.retained[list] != nil)
            #expect(members.identities == [.device(folder: "/nowhere")])
        } else {
            await #expect(throws: FoundingError.noAnswer) { _ = try await join(host.code, newcomers, patience.thawed) }
            #expect(await host.ending.value == .failed(.broker("it is away")))
            #expect(host.keeping().list.members.count == 1)
        }
        #expect(newcomers.published.allSatisfy { $0.topic.contains("/join/") })
    }

    @Test("the broker never sees the code, a name or a key")
    func sealed() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock)
        _ = try await join(host.code, broker, clock)
        for (topic, payload) in broker.published where topic.contains("/join/") && !topic.hasSuffix("/authority") {
            let text = String(decoding: payload, as: UTF8.self)
            #expect(!text.contains("tablet") && !text.contains("version"))
            #expect(!topic.contains(host.code.text))
        }
    }

    @Test("a person agrees after both devices showed the same number, and only then is the newcomer listed")
    func admitted() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let box = Texts(Mutex([]))
        let host = try await Host(household, broker, clock) { request, number in
            box.append("\(request.name), \(request.host): \(number.text)")
            // The list says it, and nobody has the certificate.
            return broker.retained[HouseholdTopic.guardians.text(in: household.secret.household)] == nil
        }
        var told: [String] = []
        let settings = try await join(host.code, broker, clock, isAsking: { told.append($0.text) })
        #expect(await host.ending.value == .joined(name: "Mia's tablet", hasConfirmed: true))
        #expect(host.keeping().list.member(settings.device) != nil)
        #expect(told.count == 1 && box.all == ["Mia's tablet, tablet-7: \(told.first ?? "")"])
    }

    @Test("a person declines: the newcomer is told, the list stays as it was, and the code is used up")
    func declined() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock) { _, _ in false }
        await #expect(throws: FoundingError.refused(.declined)) { try await join(host.code, broker, clock) }
        #expect(await host.ending.value == .failed(.notAdmitted(name: "Mia's tablet", .declined)))
        #expect(host.keeping().list == household.keeping.list && host.keeping().issued.count == 1)
        await #expect(throws: FoundingError.noAnswer) { try await join(host.code, broker, clock.thawed) }
    }

    @Test("a device that can't be admitted is refused without asking a person, and the code stays valid")
    func asksNobody() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock) { request, _ in request.name == "Mia's tablet" }
        let namesake = try FoundedHousehold.newcomer("kitchen-laptop")
        await #expect(throws: FoundingError.refused(.name)) { try await join(host.code, broker, clock, namesake) }
        _ = try await join(host.code, broker, clock)
        #expect(await host.ending.value == .joined(name: "Mia's tablet", hasConfirmed: true))
    }

    @Test("if the broker is lost while a person decides, nobody is listed")
    func lostMeanwhile() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock) { _, _ in
            broker.fail()
            return true
        }
        await #expect(throws: FoundingError.broker("The connection to the broker has broken.")) {
            try await join(host.code, broker, clock)
        }
        #expect(await host.ending.value == .failed(.broker("The connection to the broker has broken.")))
        #expect(host.keeping().list == household.keeping.list)
    }

    @Test("a broker that sends endlessly does not keep a newcomer beyond its time limits")
    func talkative() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock(pause: .zero).thawed)
        let code = try household.code()
        let talking = Task {
            while !Task.isCancelled {
                broker.publish("gate/\(FoundedHousehold.nobody)/join/authority", [1])
                broker.publish(JoinTopic.answer(code.place, in: household.secret.household), [1])
                clock.step(.seconds(1))
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { talking.cancel() }
        let joining = Joining(code, over: broker.link, clock: clock.now, sleep: JumpingClock().sleep)
        await #expect(throws: FoundingError.otherAuthority) { try await joining.authority() }
        await #expect(throws: FoundingError.noAnswer) {
            try await joining.join(
                FoundedHousehold.newcomer().request, household: household.secret.household, authority: "ca.pem"
            ) { _ throws(FoundingError) in }
        }
    }

    @Test("a code works once, and a second device gets no answer or a refusal")
    func once() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock)
        _ = try await join(host.code, broker, clock)
        _ = await host.ending.value
        await #expect(throws: FoundingError.noAnswer) { try await join(host.code, broker, clock.thawed) }
        #expect(host.keeping().list.members.count == 2)
    }

    @Test("an unused code expires after ten minutes")
    func late() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock().thawed)
        let host = try await Host(household, broker, clock)
        #expect(await host.ending.value == .failed(.late))
        await #expect(throws: FoundingError.noAnswer) { try await join(host.code, broker, clock) }
    }

    @Test("with another code of the same household nobody answers")
    func wrongCode() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock)
        let other = try household.code()
        await #expect(throws: FoundingError.noAnswer) { try await join(other, broker, JumpingClock().thawed) }
        host.ending.cancel()
    }

    @Test("a broker that has no authority, or another one, is refused before anything is sent there")
    func otherAuthority() async throws {
        let (household, clock) = (try FoundedHousehold(), JumpingClock().thawed)
        let code = try household.code()
        for certificate in [nil, try FoundedHousehold().authority] {
            let broker = MemoryBroker()
            if let certificate {
                broker.publish(JoinTopic.authority(in: household.secret.household), certificate, isRetained: true)
            }
            let before = broker.published.count
            await #expect(throws: FoundingError.otherAuthority) {
                try await Joining(code, over: broker.link, clock: clock.now, sleep: clock.sleep).authority()
            }
            #expect(broker.published.count == before)
        }
    }

    @Test("if two households share a broker, the code finds its own")
    func twoHouseholds() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        for _ in 0..<3 {
            let other = try FoundedHousehold()
            broker.publish(JoinTopic.authority(in: other.secret.household), try other.authority, isRetained: true)
        }
        let host = try await Host(household, broker, clock)
        let settings = try await join(host.code, broker, clock)
        #expect(settings.household == household.secret.household)
    }

    @Test("a broker that changes, repeats, loses or returns messages makes nobody join wrongly")
    func hostile() async throws {
        for way in 0..<5 {
            let count = Mutex(0)
            let counter = Counter(count)
            let broker = MemoryBroker { topic, payload in
                guard topic.contains("/join/"), !topic.hasSuffix("/authority") else { return [payload] }
                let number = counter.next()
                switch way {
                case 0: return [payload, payload, payload]
                // The first request and the first answer.
                case 1: return [1, 3].contains(number) ? [] : [payload]
                case 2: return [Array(payload.dropLast()) + [payload.last.map { $0 ^ 1 } ?? 0], payload]
                case 3: return [[], [UInt8](repeating: 1, count: 200_000), payload]
                case _: return [Array(payload.reversed())]
                }
            }
            let (household, clock) = (try FoundedHousehold(), JumpingClock())
            let host = try await Host(household, broker, clock)
            if way == 4 {
                await #expect(throws: FoundingError.noAnswer) {
                    try await join(host.code, broker, JumpingClock().thawed)
                }
                #expect(host.keeping().list.members.count == 1)
                host.ending.cancel()
            } else {
                // Only a lost message is sent again.
                let newcomer = way == 1 ? JumpingClock(pause: .seconds(3)).thawed : clock
                let settings = try await join(host.code, broker, newcomer)
                #expect(host.keeping().list.members.count == 2, "way \(way)")
                #expect(host.keeping().list.member(settings.device) != nil)
            }
        }
    }

    @Test("if the broker is lost both devices report it, and nothing has changed")
    func lost() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock)
        broker.fail()
        #expect(await host.ending.value == .failed(.broker("The connection to the broker has broken.")))
        #expect(host.keeping().list.members.count == 1)
    }

    @Test("a newcomer that can't write its files stays on the list unconfirmed")
    func notWritten() async throws {
        let (household, broker, clock) = (try FoundedHousehold(), MemoryBroker(), JumpingClock())
        let host = try await Host(household, broker, clock)
        let joining = Joining(host.code, over: broker.link, clock: clock.now, sleep: clock.sleep)
        let (_, id) = try await joining.authority()
        let full = FoundingError.file(path: "/etc/gate/household.new", problem: "No space left on device")
        await #expect(throws: full) {
            try await joining.join(FoundedHousehold.newcomer().request, household: id, authority: "ca.pem") {
                _ throws(FoundingError) -> Int in throw full
            }
        }
        clock.thaw()
        #expect(await host.ending.value == .joined(name: "Mia's tablet", hasConfirmed: false))
    }

    private final class Texts: Sendable {
        private let texts: Mutex<[String]>
        init(_ texts: consuming Mutex<[String]>) { self.texts = texts }
        var all: [String] { texts.withLock { $0 } }
        func append(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private final class Counter: Sendable {
        private let count: Mutex<Int>
        init(_ count: consuming Mutex<Int>) { self.count = count }
        func next() -> Int {
            count.withLock {
                $0 += 1; return $0
            }
        }
    }
}
