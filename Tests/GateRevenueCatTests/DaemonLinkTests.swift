import GateClient
import GateModel
import GateProtocol
import Testing

@testable import gate_revenuecat

@Suite("Events from the daemon")
struct DaemonLinkTests {
    private func message(_ kinds: [Presentation.Kind]?, restoreCount: UInt32 = 0) -> StateUpdate {
        let presentations = kinds?.enumerated().map { index, kind in
            PresentationSummary(
                id: UInt64(index + 1), purpose: .pay, kind: kind, deadline: .init(nanoseconds: 1), style: .sheet,
                isDismissible: true, stage: .shown, asked: PresentationContext(uid: 1, pid: 1, program: "game"),
                restoreCount: restoreCount)
        }
        return StateUpdate(
            firstNumber: 1, revision: Revision(epoch: 1, number: 1), presentations: presentations)
    }

    private func paywalls(_ event: WatchEvent) -> Paywalls? {
        switch DaemonLink.events(of: event).first {
        case .present(let paywalls), .changed(let paywalls): paywalls
        case .away, nil: nil
        }
    }

    @Test("a daemon that is present says whether a paywall is open")
    func present() {
        for (kinds, isOpen) in [
            ([.paywall], true), ([.challenge(.quiz), .paywall], true), ([.signIn], false), ([], false),
        ]
            as [([Presentation.Kind], Bool)]
        {
            #expect(paywalls(.snapshot(message(kinds)))?.isOpen == isOpen)
            #expect(paywalls(.resumed(message(kinds)))?.isOpen == isOpen)
            #expect(paywalls(.change(message(kinds)))?.isOpen == isOpen)
        }
    }

    @Test("each time somebody says that they have paid already is reported once (S-08)")
    func restored() throws {
        let before = try #require(paywalls(.snapshot(message([.paywall]))))
        let once = try #require(paywalls(.change(message([.paywall], restoreCount: 1))))
        #expect(!before.isRestoreAsked(since: Paywalls()) && !before.isRestoreAsked(since: before))
        #expect(once.isRestoreAsked(since: before) && once.isRestoreAsked(since: Paywalls()))
        #expect(!once.isRestoreAsked(since: once) && !before.isRestoreAsked(since: once))
        #expect(paywalls(.change(message([.signIn], restoreCount: 1))) == Paywalls(), "that is no paywall")
    }

    @Test("a change of other topics is no event")
    func otherChange() {
        #expect(DaemonLink.events(of: .change(message(nil))) == [])
        #expect(DaemonLink.events(of: .snapshot(message(nil))) == [.present(Paywalls())])
    }

    @Test("a daemon that is lost is away")
    func lost() {
        #expect(DaemonLink.events(of: .lost(GateError(.unavailable, .unspecified, ""))) == [.away])
    }
}
