import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Closing one's own presenter does not make looking at questions free (G-03)")
struct PutAwayTests {
    /// Ben's own presenter, on another connection.
    private static let bens = Peer(connection: 20, uid: 1002, pid: 120, roles: [.app, .presenter])

    enum Leaving: CaseIterable {
        case unregistered, died, showsOthers

        func leave(_ peer: Peer, on device: inout Device) throws {
            switch self {
            case .unregistered: try device.apply(.unregister, as: peer)
            case .died: try device.apply(.peerDisconnected, as: peer)
            case .showsOthers: try device.apply(.register(PresenterAbilities(challenges: [], styles: [])), as: peer)
            }
        }
    }

    private func device(_ presenters: Peer...) throws -> Device {
        var device = Device(configuration: .gates)
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    @Test(
        "a question that the requester's own presenter gives up counts as unanswered, however the presenter leaves",
        arguments: Leaving.allCases)
    func own(leaving: Leaving) throws {
        var device = Device(configuration: .gates)
        for count in 0..<2 as Range<UInt64> {
            try device.apply(.register(.everything), as: Self.bens)
            let wait = try device.waitFor("link.open", as: .ben)
            _ = try device.claim(count + 1, as: Self.bens)
            try leaving.leave(Self.bens, on: &device)
            #expect(device.refusal(of: wait)?.reason == .noPresenter)
            #expect(device.lockout(of: .ben, at: "link.open")?.unanswered == Int(count) + 1)
            #expect(device.lockout(of: .ben, at: "link.open")?.wrongAnswers == Int(count))
        }
        #expect(device.journal.last?.kind == .withdrawn)
    }

    @Test("a question for parent mode that the user's own presenter gives up counts as unanswered")
    func mode() throws {
        var device = try device(Self.bens)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        _ = try device.claim(1, as: Self.bens)
        try device.apply(.unregister, as: Self.bens)
        #expect(device.refusal(of: wait)?.reason == .noPresenter && device.lockout(of: .ben)?.unanswered == 1)
    }

    @Test("a question that was not claimed costs nothing; one that was counts, even if another presenter had it last")
    func innocent() throws {
        var device = try device(Self.bens)
        _ = try device.waitFor("link.open", as: .ben)
        try device.apply(.unregister, as: Self.bens)
        #expect(device.lockout(of: .ben, at: "link.open") == nil)
        for presenter in [Self.bens, .mara] { try device.apply(.register(.everything), as: presenter) }
        _ = try device.waitFor("link.open", as: .ben)
        _ = try device.claim(2, as: Self.bens)
        try device.apply(.unregister, as: Self.bens)
        _ = try device.claim(2, as: .mara)
        try device.apply(.unregister, as: .mara)
        #expect(device.state.presentations(visibleTo: .root).isEmpty)
        #expect(device.lockout(of: .ben, at: "link.open")?.unanswered == 1)
    }

    @Test("a question that is put away counts as unanswered, even if another question takes its place")
    func replaced() throws {
        var configuration = Configuration.gates
        configuration.gatedActions["link.open"]?.requirement = .any([
            .challenge(ChallengeRule(.quiz)), .challenge(ChallengeRule(.arithmeticEntry)),
        ])
        var device = Device(configuration: configuration)
        try device.apply(.register(PresenterAbilities(challenges: [.arithmeticEntry], styles: [.sheet])), as: .mara)
        try device.apply(.register(PresenterAbilities(challenges: [.quiz], styles: [.sheet])), as: Self.bens)
        let wait = try device.waitFor("link.open", as: .ben)
        _ = try device.claim(1, as: Self.bens)
        try device.apply(.unregister, as: Self.bens)
        #expect(device.settled[wait] == nil)
        #expect(device.state.presentations(visibleTo: .root).map(\.kind.challenge) == [.arithmeticEntry])
        #expect(device.lockout(of: .ben, at: "link.open")?.unanswered == 1)
    }
}
