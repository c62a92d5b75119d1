import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// Each command by each kind of peer, while Anna's question is open.
@Suite("Who may do what")
struct PermissionTests {
    enum Who: CaseIterable {
        case nobody
        case app
        case presenter
        case administrator
        case requester
        case daemon

        var peer: Peer {
            switch self {
            case .nobody: Peer(connection: 9, uid: 1009, pid: 109, roles: [])
            case .app: .ben
            case .presenter: .mara
            case .administrator: .root
            case .requester: .anna
            case .daemon: .daemon
            }
        }
    }

    private static let everyone: Set<Who> = [.app, .presenter, .administrator, .requester, .daemon]

    private static let rules: [(Command, Set<Who>)] = [
        (.toggle(presenting: .here), everyone),
        (.lock, everyone),
        (.extend(nil, presenting: .here), everyone),
        (.cancel, [.administrator, .requester, .daemon]),
        (.override(.child, nil, reason: "bedtime"), [.administrator, .daemon]),
        (.recover, [.administrator, .daemon]),
        (.configure(.builtIn, detail: "SIGHUP"), [.administrator, .daemon]),
        (.authorize(AuthorizationRequest(gatedAction: "", details: ""), presenting: .here), everyone),
        (.redeem(Grant.Proof(bytes: []), gatedAction: "", details: ""), everyone),
        (.revoke(uid: nil, gatedAction: nil), everyone),
        (.revoke(uid: Peer.anna.uid, gatedAction: nil), [.requester, .administrator, .daemon]),
        (.clearLockouts(uid: nil, gate: nil), [.administrator, .daemon]),
        (.answerAsk(99, isAllowed: true), [.administrator, .daemon]),
        (.withdrawAsk(99), everyone),
        (.askMoreTime(gatedAction: "", wish: nil), everyone),
        (.setPasscode(hash: "hash"), [.administrator, .daemon]),
        (.setTOTP(key: GateSecret([1]), usedStep: 0), [.administrator, .daemon]),
        (.removeSecret(.passcode), [.administrator, .daemon]),
        (.openForm(FormTarget(name: "")), everyone),
        (.labelDraft(FormTarget(name: ""), label: ""), everyone),
        (.announceSuggestion(FormTarget(name: ""), at: nil, FormPath("name"), for: .seconds(1)), everyone),
        (.editForm(FormTarget(name: ""), at: nil, .reset), everyone),
        (.saveForm(FormTarget(name: "")), everyone),
        (.loadForm(FormTarget(name: ""), at: nil, response: nil), everyone),
        (.completeForm(FormTarget(name: ""), at: nil), everyone),
        (.discardForm(FormTarget(name: "")), everyone),
        (.withdrawResponse(1), everyone),
        (.requestForm(name: ""), everyone),
        (.showWhatsNew(app: "", AppVersion(1, 0, 0), presenting: .here), everyone),
        (.acknowledgeWhatsNew(app: "", AppVersion(1, 0, 0)), everyone),
        (.resetWhatsNew(app: nil), everyone),
        (.register(.everything), [.presenter, .administrator, .daemon]),
        (.unregister, everyone),
        (.claim(presentation: 99), everyone),
        (.secretChecked(presentation: 1, .wrong), [.daemon]),
        (.callEnded(WaitID(1)), everyone),
        (.start, [.daemon]),
        (.closeForDamage(quarantinedFile: "old"), [.daemon]),
        (.deadlineReached, [.daemon]),
        (.peerDisconnected, everyone),
    ]

    @Test("a role allows what the table says, and everything else is refused without a trace")
    func roles() throws {
        var asked = Device()
        _ = try asked.ask(as: .anna)
        for (command, allowed) in Self.rules {
            for who in Who.allCases {
                var device = asked
                var refusal: GateError?
                do throws(GateError) {
                    try device.apply(command, as: who.peer)
                } catch {
                    refusal = error
                    #expect(device.state == asked.state, "\(command) by \(who) left a trace")
                }
                #expect((refusal?.code != .permissionDenied) == allowed.contains(who), "\(command) by \(who)")
                if refusal?.code == .permissionDenied {
                    #expect(refusal?.reason == .notPermitted)
                }
            }
        }
    }

    @Test("a cookie works only on the connection that got it, whatever role another peer has", arguments: Who.allCases)
    func cookies(who: Who) throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        let answer = Command.complete(question.cookie, .text(question.question.solution))
        if who == .requester {
            try device.apply(answer, as: who.peer)
            #expect(device.mode == .parent)
        } else {
            let before = device.state
            for command in [answer, .dismiss(question.cookie), .report(question.cookie, .shown)] {
                let error = #expect(throws: GateError.self) { try device.apply(command, as: who.peer) }
                #expect(error?.code == .permissionDenied && error?.reason == .wrongCookie)
            }
            #expect(device.state == before)
        }
    }

    @Test("any peer may cancel if no question is open, since nothing is taken from anybody")
    func cancelNothing() throws {
        for who in Who.allCases where who != .nobody {
            var device = Device()
            #expect(try device.apply(.cancel, as: who.peer).isChange == false)
        }
    }
}
