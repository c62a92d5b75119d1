import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The places of the queue for presenters")
struct QueuePlacesTests {
    private static let ask = Command.authorize(AuthorizationRequest(gatedAction: "link.open"), presenting: .elsewhere)
    private static let dad = Peer(
        connection: 20, uid: 1020, pid: 120, roles: [.app, .presenter, .grownUpPresenter])

    /// The number of requests of this child that are accepted, of ten.
    private func accepted(of child: UInt32, _ device: inout Device) -> Int {
        (0..<10 as Range<UInt64>).count { number in
            let peer = Peer(connection: UInt64(child) * 100 + number, uid: child, pid: 1, roles: .app)
            return (try? device.apply(Self.ask, as: peer)) != nil
        }
    }

    @Test("many children fill twelve places, and neither those of grown-ups nor those of administrators")
    func children() throws {
        var device = Device(configuration: .gates)
        try device.apply(.register(.everything), as: .mara)
        #expect((2000..<2006).map { accepted(of: $0, &device) } == [4, 4, 4, 0, 0, 0])
        for _ in 0..<Limits.queuedForGrownUps { try device.apply(Self.ask, as: .olga) }
        device.refuses(Self.ask, as: Self.dad, .resourceExhausted, .limit)
        for _ in 0..<Limits.queuedForAdministrators { try device.apply(Self.ask, as: .root) }
        device.refuses(Self.ask, as: .root, .resourceExhausted, .limit)
        // A second grown-up, and an administrator, get a place for everybody as soon as one is free.
        try device.apply(.peerDisconnected, as: Peer(connection: 200_000, uid: 2000, pid: 1, roles: .app))
        var other = device
        try device.apply(Self.ask, as: Self.dad)
        device.refuses(Self.ask, as: .root, .resourceExhausted, .limit)
        try other.apply(Self.ask, as: .root)
        other.refuses(Self.ask, as: Self.dad, .resourceExhausted, .limit)
    }

    @Test("questions of other devices take no places from this one's, nor the other way round")
    func otherDevices() throws {
        var laptop = Device(configuration: .ofLaptop)
        try laptop.apply(.applyList(.millers()), as: .carrier)
        try laptop.apply(.takeDeviceKey(RandomWalk.annasKey), as: .root)
        try laptop.apply(.register(.everything), as: .olga)
        let heard = (1...8 as ClosedRange<UInt64>).map { HeardRequest.of(RequestName(.tablet, $0)) }
        var before = laptop
        try laptop.apply(.receiveRequests(RequestNews(heard: heard)), as: .carrier)
        #expect((2000..<2004).map { accepted(of: $0, &laptop) } == [4, 4, 4, 0])
        for _ in 0..<4 { try laptop.apply(Self.ask, as: .olga) }
        #expect((2000..<2004).map { accepted(of: $0, &before) } == [4, 4, 4, 0])
        try before.apply(.receiveRequests(RequestNews(heard: heard)), as: .carrier)
        for device in [laptop, before] {
            #expect(
                device.state.queue.open.count { !$0.asked.device.isEmpty } == HeardRequestBook.askedAtOnce)
        }
    }
}
