import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension Peer {
    /// polkit's daemon, which asks for other users' processes.
    fileprivate static let polkit = Peer(
        connection: 40, uid: 997, pid: 140, roles: [.app, .broker], program: "gatectl")

    /// This peer's process, asked for by polkit's daemon.
    fileprivate var throughPolkit: Peer {
        Peer.polkit.asking(for: Subject(uid: uid, pid: pid, startTime: 77), owner: owner, program: "pkexec")
    }
}

@Suite("A broker asks a grown-up in somebody's name, and waits for nobody (W-08)")
struct AskBrokerTests {
    private static let command = "org.example.clean command_line='/usr/sbin/clean a' program='/usr/sbin/clean'"

    /// What a program hears that asks at once.
    private func asks(
        _ details: String = AskBrokerTests.command, of gatedAction: String = "page.open", as peer: Peer,
        mayWait: Bool = true, presenting: Presenting = .elsewhere, _ device: inout Device
    ) throws -> Heard {
        var request = AuthorizationRequest(gatedAction: gatedAction, details: details)
        (request.mayWait, request.atOnce) = (mayWait, true)
        do throws(GateError) {
            return Heard(try device.apply(.authorize(request, presenting: presenting), as: peer).reply)
        } catch {
            return Heard(error)
        }
    }

    private func check(
        _ details: String = AskBrokerTests.command, of gatedAction: String = "page.open", as peer: Peer,
        _ device: Device
    ) -> AuthorizationOutlook.Outcome {
        device.state.outlook(of: gatedAction, details: details, for: peer, at: device.now).outcome
    }

    private func isUnshown(_ device: Device) -> Bool {
        device.state.queue.open.isEmpty && device.state.requests.open.isEmpty && device.stored.lockouts.isEmpty
    }

    // MARK: - The ask is the person's

    @Test("an ask that a broker files is the person's own, and the broker neither sees it nor takes it back")
    func owner() throws {
        var device = try Device.withAsks()
        #expect(try asks(as: Peer.ben.throughPolkit, &device) == .asked(1))
        #expect(device.state.asks(visibleTo: .ben).map(\.details) == [Self.command])
        #expect(device.state.asks(visibleTo: .olga).map(\.person) == ["mia"])
        #expect(device.state.asks(visibleTo: .polkit).isEmpty && device.state.asks(visibleTo: .anna).isEmpty)
        device.refuses(.withdrawAsk(1), as: .polkit, .notFound, .unknown)
        try device.apply(.withdrawAsk(1), as: .ben)
        #expect(device.states().isEmpty)
    }

    @Test("a broker finds the answer with the same words, and uses a yes that counts once, once")
    func answered() throws {
        var device = try Device.withAsks()
        #expect(try asks(as: Peer.ben.throughPolkit, &device) == .asked(1))
        #expect(try asks(as: Peer.bensOther.throughPolkit, &device) == .asked(1))
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        #expect(try asks(as: Peer.anna.throughPolkit, &device) == .asked(2))
        #expect(try asks(as: Peer.bensOther.throughPolkit, &device) == .granted)
        #expect(try asks(as: Peer.ben.throughPolkit, &device) == .asked(3))
        try device.apply(.answerAsk(3, isAllowed: false), as: .olga)
        #expect(try asks(as: Peer.ben.throughPolkit, &device) == .refused)
        #expect(try asks(as: .ben, &device) == .refused)
    }

    @Test("a yes counts for no command that differs by a character, and for no other action")
    func otherWords() throws {
        var device = try Device.withAsks()
        _ = try asks(as: Peer.ben.throughPolkit, &device)
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        let others = [Self.command + " ", Self.command.replacing("clean a", with: "clean b"), "org.example.clean", ""]
        for (number, words) in zip([2, 3, 4, 5] as [UInt64], others) {
            #expect(try asks(words, as: Peer.ben.throughPolkit, &device) == .asked(number))
        }
        #expect(check(of: "page.save", as: Peer.ben.throughPolkit, device) == .personNeeded)
        #expect(try asks(as: Peer.ben.throughPolkit, &device) == .granted)
    }

    @Test("a flood through a broker is the person's: neither the broker nor others whom it asks for are refused for it")
    func flood() throws {
        var device = try Device.withAsks()
        for number in 1...5 as ClosedRange<UInt64> {
            #expect(try asks("\(number)", as: Peer.ben.throughPolkit, &device) == .asked(number))
        }
        for details in ["6", "7"] {
            #expect(try asks(details, as: Peer.ben.throughPolkit, &device) == .other(.limit, what: "asks"))
        }
        #expect(try asks("6", as: .bensOther, &device) == .other(.limit, what: "asks"))
        // The same words again are no further question, however often they come.
        for _ in 0..<100 { #expect(try asks("1", as: Peer.ben.throughPolkit, &device) == .asked(1)) }
        #expect(device.stored.asks.count { _ in true } == 5 && isUnshown(device))
        #expect(try asks("6", as: Peer.anna.throughPolkit, &device) == .asked(6))
    }

    @Test("what is asked for a uid that is billed to somebody, for nobody on the list, or for itself does not wait")
    func nobodys() throws {
        var device = try Device.withAsks()
        let ranged = Peer(connection: 30, uid: 100_001, owner: .user(Peer.ben.uid), pid: 130, roles: .app)
        for peer in [ranged.throughPolkit, Peer.mara.throughPolkit, .polkit] {
            #expect(try asks(as: peer, &device) == .other(.noPresenter, what: "grown-up"))
        }
        #expect(device.stored.asks.isEmpty)
    }

    @Test("a broker answers nothing, in a grown-up's name neither")
    func answers() throws {
        var device = try Device.withAsks()
        _ = try asks(as: Peer.ben.throughPolkit, &device)
        for peer in [Peer.polkit, Peer.ben.throughPolkit, Peer.olga.throughPolkit] {
            device.refuses(.answerAsk(1, isAllowed: true), as: peer, .permissionDenied, .notPermitted)
        }
    }

    // MARK: - At once

    @Test("what is asked at once is on no screen, wherever it wants to be shown, and costs nothing")
    func unshown() throws {
        var device = try Device.withAsks()
        try device.apply(.register(.everything), as: .olga)
        try device.apply(.register(.everything), as: .mara)
        for presenting in Presenting.allCases {
            #expect(try asks(as: .ben, presenting: presenting, &device) == .asked(1))
            #expect(
                try asks("b", as: .ben, mayWait: false, presenting: presenting, &device)
                    == .other(.noPresenter, what: "grown-up"))
            for gatedAction in ["store.open", "page.send"] {
                let heard = try asks(of: gatedAction, as: Peer.ben.throughPolkit, presenting: presenting, &device)
                guard case .other(.noPresenter, _) = heard else {
                    Issue.record("\(gatedAction) \(presenting): \(heard)")
                    continue
                }
            }
        }
        #expect(isUnshown(device) && device.states() == [1: .waiting])
    }

    @Test("what needs nobody is granted at once, and no question waits for it")
    func notNeeded() throws {
        var device = try Device.withAsks()
        guard case .other(.notParent, _) = try asks(of: "photos.delete", as: .ben, &device) else {
            Issue.record("it is granted in child mode, or something waits")
            return
        }
        try device.enterParentMode(as: .anna)
        #expect(try asks(of: "photos.delete", as: .ben, &device) == .granted)
        #expect(try asks(of: "page.save", as: Peer.ben.throughPolkit, &device) == .granted)
        #expect(device.stored.asks.isEmpty)
    }

    @Test("a question that is on a screen stays there, and what asks the same at once is told its number")
    func shownAlready() throws {
        var device = try Device.withAsks()
        try device.apply(.register(.everything), as: .olga)
        guard case .waits(let wait) = try device.asksFor(Self.command) else {
            Issue.record("no screen shows it")
            return
        }
        #expect(try asks(as: Peer.ben.throughPolkit, &device) == .asked(1))
        let question = try device.claim(1, as: .olga)
        try device.apply(.complete(question.cookie, .text("yes")), as: .olga)
        #expect(Heard(device.reply(to: wait)) == .granted)
    }

    // MARK: - Checks

    /// Mia has a yes to the command that lasts.
    private func lasting() throws -> Device {
        var device = try Device.withAsks()
        _ = try asks(as: Peer.ben.throughPolkit, &device)
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        let key = try #require(device.stored.keptGrants.answer(to: 1))
        device.stored.keptGrants[key]?.yes?.uses = .max
        return try device.restarted()
    }

    @Test("a check does not count a yes that counts once, and leaves it")
    func checkOnce() throws {
        var device = try Device.withAsks()
        _ = try asks(as: Peer.ben.throughPolkit, &device)
        #expect(check(as: Peer.ben.throughPolkit, device) == .personNeeded)
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        for peer in [Peer.ben, Peer.ben.throughPolkit] { #expect(check(as: peer, device) == .personNeeded) }
        #expect(device.states() == [1: .allowed])
        #expect(try asks(as: Peer.ben.throughPolkit, &device) == .granted)
    }

    @Test("a check counts a yes that lasts, for exactly its words and its person, as long as it holds")
    func checkLasting() throws {
        var device = try lasting()
        for peer in [Peer.ben, .bensOther, Peer.ben.throughPolkit, Peer.ben.throughPolkit] {
            #expect(check(as: peer, device) == .granted)
        }
        for words in ["", Self.command + " ", Self.command.replacing("'", with: "\""), "org.example.clean"] {
            #expect(check(words, as: Peer.ben.throughPolkit, device) == .personNeeded, "\(words)")
        }
        let ranged = Peer(connection: 30, uid: 100_001, owner: .user(Peer.ben.uid), pid: 130, roles: .app)
        for peer in [Peer.anna, Peer.anna.throughPolkit, ranged.throughPolkit, .polkit, .olga] {
            #expect(check(as: peer, device) == .personNeeded, "\(peer)")
        }
        #expect(check(of: "page.save", as: .ben, device) == .personNeeded)

        var refused = device
        try refused.apply(.answerAsk(1, isAllowed: false), as: .olga)
        #expect(check(as: Peer.ben.throughPolkit, refused) == .personNeeded)
        var earlier = device
        earlier.wallTime = Device.newYear.advanced(by: .seconds(-60))
        try earlier.turn(by: .seconds(1))
        #expect(check(as: Peer.ben.throughPolkit, earlier) == .personNeeded)
        try device.pass(.days(3))
        #expect(check(as: Peer.ben.throughPolkit, device) == .personNeeded)
    }

    @Test("details that a grant could not have are denied by a check, too")
    func checkDetails() throws {
        let device = try Device.withAsks()
        for details in ["a\nb", "a\u{202E}b", String(repeating: "a", count: Limits.detailsByteCount + 1)] {
            let outlook = device.state.outlook(of: "page.open", details: details, for: .ben, at: device.now)
            #expect(outlook.outcome == .denied && outlook.refusal?.reason == .invalidRequest)
        }
        let longest = String(repeating: "a", count: Limits.detailsByteCount)
        #expect(check(longest, as: .ben, device) == .personNeeded)
    }
}
