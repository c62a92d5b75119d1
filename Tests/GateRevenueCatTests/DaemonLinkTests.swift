import GateClient
import GateModel
import GateProtocol
import Testing

@testable import gate_revenuecat

@Suite("What is heard of the daemon")
struct DaemonLinkTests {
    private func message(_ kinds: [Presentation.Kind]?) -> StateUpdate {
        let presentations = kinds?.enumerated().map { index, kind in
            PresentationSummary(
                id: UInt64(index + 1), purpose: .pay, kind: kind, deadline: .init(nanoseconds: 1), style: .sheet,
                isDismissible: true, stage: .shown, asked: PresentationContext(uid: 1, pid: 1, program: "game"))
        }
        return StateUpdate(
            firstNumber: 1, revision: Revision(epoch: 1, number: 1), presentations: presentations)
    }

    @Test("a daemon that is there says whether a paywall is open")
    func present() {
        for (kinds, isOpen) in [
            ([.paywall], true), ([.challenge(.quiz), .paywall], true), ([.signIn], false), ([], false),
        ]
            as [([Presentation.Kind], Bool)]
        {
            #expect(DaemonLink.events(of: .snapshot(message(kinds))) == [.present(isPaywallOpen: isOpen)])
            #expect(DaemonLink.events(of: .resumed(message(kinds))) == [.present(isPaywallOpen: isOpen)])
            #expect(DaemonLink.events(of: .change(message(kinds))) == [.changed(isPaywallOpen: isOpen)])
        }
    }

    @Test("a change of something else is none here")
    func otherChange() {
        #expect(DaemonLink.events(of: .change(message(nil))) == [])
        #expect(DaemonLink.events(of: .snapshot(message(nil))) == [.present(isPaywallOpen: false)])
    }

    @Test("a daemon that is lost is away")
    func lost() {
        #expect(DaemonLink.events(of: .lost(GateError(.unavailable, .unspecified, ""))) == [.away])
    }
}
