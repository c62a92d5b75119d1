import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Whose time a use takes, and which yes ends it (Z-02, W-04)")
struct UseTests {
    @Test("a uid in a person's range uses that person's time, and has none of its own (Z-02)")
    func ranges() throws {
        var device = try Device.withUsage()
        let guests = [100_000, 100_001].map { uid in
            Peer(connection: UInt64(uid), uid: uid, owner: Peer.ben.owner, pid: 7, roles: .app)
        }
        try device.use(1, as: guests[0])
        try device.live(.seconds(600))
        #expect(device.left == .seconds(3000))
        // Together they take the time of one.
        try device.use(2, as: guests[1])
        try device.use(3)
        try device.live(.seconds(600))
        try device.stop(1, as: guests[0])
        try device.live(.seconds(600))
        #expect(device.left == .seconds(1800))
        try device.live(.seconds(1800))
        #expect(device.left == .zero)
        for peer in guests + [.ben] {
            let refusal = try #require(throws: GateError.self) { try device.use(4, as: peer) }
            #expect(refusal.reason == .outOfHours && device.refusal(for: peer)?.reason == .outOfHours)
        }
        // Time is Mia's alone, and nothing is counted for the uids of her range.
        #expect(Set(device.stored.usage.meters.map(\.uid)) == [Peer.ben.uid])
    }
}
