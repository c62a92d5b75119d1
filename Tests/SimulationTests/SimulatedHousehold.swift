import GateCore
import GateGuardians
import GateHousehold
import GateModel
import GateScripting

/// Five devices, two of them guardians', and a broker that loses, repeats, delays, reorders, replays, makes up and lies. The devices know the
/// household's list; the broker knows everything that was ever said, and has keys of its own.
struct SimulatedHousehold {
    /// A promise that was broken.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// How often something happened: a simulation in which nothing does shows nothing.
    struct Tally: Hashable {
        var opened = 0
        var locked = 0
        var confirmed = 0
        var refused = 0
        var lies = 0
        var restarts = 0
    }

    private struct Packet {
        var target: Int
        var message: BrokerMessage
    }

    private var world: SimulatedMember.World
    private var random: SeededGenerator
    private var members: [SimulatedMember]
    private let list: HouseholdList
    private let household: HouseholdID
    /// Commands on their way, and everything that was ever on its way.
    private var packets: [Packet] = []
    private var recorded: [Packet] = []
    /// The newest challenge of each device, as guardians heard it: it may be made up.
    private var challenges: [HouseholdID: [UInt8]] = [:]
    /// What guardians have signed: the order, and the device; `nil`: all.
    private var said: [HouseholdID: (order: GuardianOrder, device: HouseholdID?, challenge: [UInt8])] = [:]
    /// When each challenge was first published.
    private var published: [[UInt8]: BootTime] = [:]
    private let liar = SigningKey()
    private(set) var tally = Tally()

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0xf0f0)
        let (secret, keys) = (SigningKey(), (0..<5).map { _ in SigningKey() })
        let household = HouseholdID(using: &random)
        let ids = keys.map { _ in HouseholdID(using: &random) }
        let world = SimulatedMember.World(random: SeededGenerator(seed: seed))
        let list = HouseholdList(
            household: household, number: 1, issued: world.wall, expires: world.wall.advanced(by: .seconds(86_400)),
            members: ids.indices.map {
                HouseholdMember(
                    id: ids[$0], name: "Device \($0)", publicKey: keys[$0].publicKey,
                    guardian: $0 < 2 ? "Guardian \($0)" : nil)
            })
        let signed = SignedHouseholdList(
            list, signed: SignedText.sign(list.payload, as: .list, with: secret), verifiedBy: secret.publicKey)
        members = ids.indices.map {
            let settings = HouseholdSettings(
                household: household, device: ids[$0], name: "Device \($0)", publicKey: secret.publicKey,
                broker: .init(host: "broker", authority: "a", certificate: "c", key: "k"))
            return SimulatedMember(settings, key: keys[$0], list: signed)
        }
        (self.world, self.random, self.list, self.household) = (world, random, list, household)
        for index in members.indices {
            members[index].start(&self.world)
            members[index].reconnect(&self.world)
        }
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            try step()
            carryOut()
        }
    }

    private mutating func step() throws {
        let open = members.map(\.isOpen)
        let deeds = members.map(\.deeds.count)
        var openedAtHome: Int?
        let index = members.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<100, using: &random) {
        // Each message goes to several devices, so more have to be delivered than are sent.
        case ..<50: for _ in 0..<6 { deliver() }
        case ..<68: command()
        case ..<78: lie()
        case ..<84: replay()
        case ..<88:
            let mode = [Mode.child, .parent].randomElement(using: &random) ?? .child
            members[index].set(mode, &world)
            if mode == .parent { openedAtHome = index }
        case ..<91:
            members[index].restart(&world)
            tally.restarts += 1
        case ..<94: members[index].reconnect(&world)
        case ..<96: members[index].wallError = .seconds(Int64.random(in: -400...400, using: &random))
        case ..<97: pass(.seconds(Int64.random(in: 60...7200, using: &random)))
        default: pass(.milliseconds(Int64.random(in: 1...20_000, using: &random)))
        }
        try checkOpening(since: open, deeds, atHome: openedAtHome)
        try checkResults()
    }

    // MARK: - Promises

    /// Checks that a device was opened only by a guardian's command for it, obeyed once, or by its own grown-up.
    private mutating func checkOpening(since open: [Bool], _ deeds: [Int], atHome: Int?) throws {
        for (index, member) in members.enumerated() {
            let new = member.deeds.dropFirst(deeds[index])
            for deed in new {
                guard let word = said[deed.command], word.order == deed.order, word.device ?? member.id == member.id
                else {
                    throw Broken(description: "device \(index) does what no guardian said: \(deed)")
                }
                if deed.order.opens {
                    guard member.deeds.count(where: { $0.command == deed.command }) == 1 else {
                        throw Broken(description: "device \(index) opens twice by one word: \(deed)")
                    }
                    guard let time = published[word.challenge], time.duration(to: world.now) <= .seconds(3600) else {
                        throw Broken(description: "device \(index) opens by a challenge of long ago: \(deed)")
                    }
                    tally.opened += 1
                } else {
                    guard deed.mode == .child else {
                        throw Broken(description: "device \(index) is open after a lock: \(deed)")
                    }
                    tally.locked += 1
                }
            }
            guard !member.isOpen || open[index] || atHome == index || new.contains(where: \.order.opens) else {
                throw Broken(description: "device \(index) opened by nobody's word")
            }
        }
    }

    /// Checks what guardians may believe about their commands.
    private mutating func checkResults() throws {
        for index in members.indices {
            let results = members[index].results
            members[index].results = []
            for signed in results {
                guard let text = try? SignedText(signed, as: .result),
                    let result = try? CommandResult(payload: text.payload),
                    let member = list.member(result.device), (try? text.verify(with: member.publicKey)) != nil
                else { continue }
                guard result.refusal == nil else {
                    tally.refused += 1
                    continue
                }
                guard let device = members.first(where: { $0.id == result.device }),
                    device.deeds.contains(where: { $0.command == result.command })
                else { throw Broken(description: "\(result) is confirmed, and was not obeyed") }
                tally.confirmed += 1
            }
        }
    }

    // MARK: - The guardians

    private mutating func command() {
        let guardian = members[Int.random(in: 0..<2, using: &random)]
        let isForAll = Int.random(in: 0..<5, using: &random) == 0
        let target = isForAll ? nil : members.randomElement(using: &random)?.id
        let orders: [GuardianOrder] = [
            .lock, .extend(.seconds(60)), .override(.parent, .seconds(90), reason: "play"),
            .override(.child, nil, reason: "bed"),
        ]
        let order = isForAll ? .lock : orders.randomElement(using: &random) ?? .lock
        let command = GuardianCommand(
            id: HouseholdID(using: &random), household: household, device: target, guardian: guardian.id, order: order,
            challenge: target.flatMap { challenges[$0] } ?? [],
            expires: world.wall.advanced(by: guardian.wallError).advanced(by: GuardianCommand.life))
        said[command.id] = (order, target, command.challenge)
        send(
            SignedText.sign(command.payload, as: .command, with: guardian.key),
            .commands(sender: guardian.id, target: target))
    }

    // MARK: - The broker

    /// Takes what the devices publish.
    private mutating func carryOut() {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for index in members.indices {
                let publications = members[index].outgoing
                members[index].outgoing = []
                for publication in publications {
                    isQuiet = false
                    take(publication)
                    members[index].published(publication, &world)
                }
            }
        }
    }

    private mutating func take(_ publication: Publication) {
        guard let topic = HouseholdTopic(publication.topic, in: household) else { return }
        if case .state(let device) = topic, let state = DeviceStateMessage(json: publication.payload) {
            challenges[device] = state.challenge
            published[state.challenge] = published[state.challenge] ?? world.now
        }
        send(publication.payload, topic)
    }

    /// On its way to each that may read it.
    private mutating func send(_ payload: [UInt8], _ topic: HouseholdTopic) {
        let message = BrokerMessage(topic: topic.text(in: household), payload: payload)
        for (index, member) in members.enumerated() {
            let isMeant =
                switch topic {
                case .commands(_, let target): target ?? member.id == member.id
                case .results(_, let target), .answer(_, let target, _): target == member.id
                case .state(let device), .availability(let device), .request(let device, _),
                    .receipt(let device, _), .usage(let device):
                    device != member.id
                case .guardians, .policy: true
                case .certificate, .revokedCertificates, .homeAssistant, .homeAssistantRequest, .homeAssistantUsed:
                    false
                }
            if isMeant { packets.append(Packet(target: index, message: message)) }
        }
    }

    /// Loses or delivers a random message, or delivers it and keeps it.
    private mutating func deliver() {
        guard let index = packets.indices.randomElement(using: &random) else { return }
        let packet = packets[index]
        recorded.append(packet)
        let fate = Int.random(in: 0..<10, using: &random)
        if fate != 0 { packets.swapAt(index, packets.count - 1) }
        if fate != 0 { packets.removeLast() }
        if fate != 1 { members[packet.target].hear(packet.message, &world) }
    }

    /// Delivers an old message again, to its device or to another.
    private mutating func replay() {
        guard let packet = recorded.randomElement(using: &random) else { return }
        tally.lies += 1
        let target = Bool.random(using: &random) ? packet.target : members.indices.randomElement(using: &random) ?? 0
        members[target].hear(packet.message, &world)
    }

    private mutating func lie() {
        tally.lies += 1
        let index = members.indices.randomElement(using: &random) ?? 0
        let (victim, guardian) = (members[index], members[Int.random(in: 0..<2, using: &random)])
        let key = Bool.random(using: &random) ? liar : members[4].key
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            challenges[victim.id] = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: 32)
        case 1:
            let command = GuardianCommand(
                id: HouseholdID(using: &random), household: household, device: victim.id, guardian: guardian.id,
                order: .override(.parent, nil, reason: "lie"), challenge: challenges[victim.id] ?? [],
                expires: world.wall.advanced(by: .seconds(200)))
            send(
                SignedText.sign(command.payload, as: .command, with: key),
                .commands(sender: guardian.id, target: victim.id))
        case 2:
            guard let id = said.keys.sorted(by: { $0.description < $1.description }).randomElement(using: &random)
            else { return }
            let result = CommandResult(household: household, device: victim.id, command: id, refusal: nil, mode: .child)
            // The fifth device lies about others, and not about itself: what it says of itself is its word.
            guard victim.id != members[4].id else { return }
            send(
                SignedText.sign(result.payload, as: .result, with: key),
                .results(sender: victim.id, target: guardian.id))
        default:
            // A message that was changed by the broker.
            guard var packet = recorded.randomElement(using: &random), !packet.message.payload.isEmpty else { return }
            let place = packet.message.payload.indices.randomElement(using: &random) ?? 0
            packet.message.payload[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            members[packet.target].hear(packet.message, &world)
        }
    }

    private mutating func pass(_ duration: Duration) {
        world.now = world.now.advanced(by: duration)
        world.wall = world.wall.advanced(by: duration)
        for index in members.indices { members[index].timePassed(&world) }
    }
}
