import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// The table of F-58a: what was seen, and which version is installed, against what is shown.
@Suite("Which entry of the release notes is shown (F-58a)")
struct ReleaseNotesRulesTests {
    enum Installed: CaseIterable {
        /// There is an entry of exactly this version.
        case exact
        /// There is one of the first release of its minor version, and none of its own.
        case minor
        /// There are only entries of later versions.
        case older
        /// There are only entries of earlier versions.
        case newer

        var version: AppVersion {
            switch self {
            case .exact: AppVersion(1, 2, 3)
            case .minor: AppVersion(1, 2, 5)
            case .older: AppVersion(0, 9, 0)
            case .newer: AppVersion(2, 4, 1)
            }
        }

        /// The entry that is shown to somebody who has seen nothing.
        var entry: AppVersion? {
            switch self {
            case .exact: AppVersion(1, 2, 3)
            case .minor: AppVersion(1, 2, 0)
            case .older, .newer: nil
            }
        }
    }

    private func entry(_ version: AppVersion, seen: Set<AppVersion> = []) -> AppVersion? {
        ReleaseNotesRules(notes: .draw, seen: seen).entry(for: version)?.version
    }

    @Test(
        "before anything was seen, the exact version's entry is shown, else its minor version's, and no other",
        arguments: Installed.allCases)
    func notPresented(installed: Installed) {
        #expect(entry(installed.version) == installed.entry)
    }

    @Test(
        "after the matching entry was seen, nothing is shown, and no other entry in its place",
        arguments: Installed.allCases)
    func presented(installed: Installed) {
        let seen = Set([installed.entry].compactMap { $0 })
        #expect(entry(installed.version, seen: seen) == nil)
        #expect(entry(installed.version, seen: Set(ReleaseNotes.draw.entries.map(\.version))) == nil)
    }

    @Test("entries of other versions that were seen do not hide this version's", arguments: Installed.allCases)
    func othersPresented(installed: Installed) {
        let others = Set(ReleaseNotes.draw.entries.map(\.version)).subtracting([installed.entry].compactMap { $0 })
        #expect(entry(installed.version, seen: others) == installed.entry)
    }

    @Test("entries are chosen right at the edges of versions")
    func edges() {
        #expect(entry(AppVersion(1, 2, 0)) == AppVersion(1, 2, 0))
        #expect(entry(AppVersion(1, 2, 0), seen: [AppVersion(1, 2, 0)]) == nil)
        // The exact version was seen, and the one of the minor version is older news.
        #expect(entry(AppVersion(1, 2, 3), seen: [AppVersion(1, 2, 3)]) == nil)
        #expect(entry(AppVersion(1, 2, 3), seen: [AppVersion(1, 2, 0)]) == AppVersion(1, 2, 3))
        // There is one of 1.3.1, and none of 1.3.0.
        #expect(entry(AppVersion(1, 3, 0)) == nil && entry(AppVersion(1, 3, 2)) == nil)
        #expect(entry(AppVersion(1, 3, 1)) == AppVersion(1, 3, 1))
        #expect(entry(AppVersion(2, 0, 9)) == AppVersion(2, 0, 0))
        #expect(entry(AppVersion(1, 20, 0)) == nil && entry(AppVersion(12, 0, 0)) == nil)
        #expect(entry(AppVersion(2, .max, .max)) == nil && entry(AppVersion(0, 0, 0)) == nil)
        #expect(
            ReleaseNotesRules(notes: ReleaseNotes(app: "a", entries: []), seen: []).entry(for: AppVersion(1, 0, 0))
                == nil)
    }
}

@Suite("What is new, by command (F-56 … F-58a)")
struct ReleaseNotesTests {
    private static let app = "org.example.draw"
    private static let newest = AppVersion(2, 0, 0)

    private func show(_ version: AppVersion = newest, itself: Bool = true) -> Command {
        .showWhatsNew(app: Self.app, version, presenting: itself ? .here : .elsewhere)
    }

    private func isNew(_ device: Device, _ version: AppVersion = newest, for peer: Peer = .anna) throws -> Bool {
        try device.state.whatsNew(in: Self.app, version, for: peer) != nil
    }

    private func seen(_ device: Device, by peer: Peer = .anna) -> [AppVersion] {
        device.state.releaseNotes(for: peer).first?.seen ?? []
    }

    // MARK: - Ways of closing it

    /// How a person puts the news away, and what the asker is told.
    enum Closing: CaseIterable {
        case primary
        case secondary
        case dismissed

        func command(_ cookie: PresentationCookie) -> Command {
            switch self {
            case .primary: .complete(cookie, .acknowledged(.primary))
            case .secondary: .complete(cookie, .acknowledged(.secondary))
            case .dismissed: .dismiss(cookie)
            }
        }

        var outcome: WhatsNewOutcome {
            switch self {
            case .primary, .dismissed: .shown
            case .secondary: .secondaryChosen
            }
        }
    }

    @Test(
        "news that the requester's own screen closes in any way count as seen, and are not shown again",
        arguments: Closing.allCases)
    func onOwnScreen(closing: Closing) throws {
        var device = try Device.asking()
        let opened = try device.apply(show(), as: .anna)
        let notice = try opened.presentation()
        #expect(opened.audit.map(\.kind) == [.whatsNewOpened] && notice.summary.purpose == .whatsNew)
        #expect(notice.content == .whatsNew(WhatsNewNotice(app: Self.app, entry: .of(Self.newest))))
        #expect(notice.summary.isDismissible && notice.summary.asked.details == "org.example.draw 2.0.0")
        #expect(try isNew(device), "not yet")
        let closed = try device.apply(closing.command(notice.cookie), as: .anna)
        #expect(closed.reply == .whatsNew(closing.outcome) && closed.audit.map(\.kind) == [.whatsNewSeen])
        #expect(try !isNew(device) && seen(device) == [Self.newest] && device.state.lockouts.isEmpty)
        #expect(try device.apply(show(), as: .anna).reply == .whatsNew(.nothingNew))
        #expect(device.state.presentations(visibleTo: .root).isEmpty)
        device.checkForms()
    }

    @Test(
        "news that a presenter closes in any way count as seen, and the requester hears how they were closed",
        arguments: Closing.allCases)
    func onAPresenter(closing: Closing) throws {
        var device = try Device.asking(.mara)
        let wait = try device.apply(show(itself: false), as: .anna).wait()
        let notice = try device.claim(1, as: .mara)
        let closed = try device.apply(closing.command(notice.cookie), as: .mara)
        #expect(closed.reply == .done && device.reply(to: wait) == .whatsNew(closing.outcome))
        #expect(try !isNew(device) && isNew(device, for: .mara), "seen by whom it was shown for")
    }

    @Test("news that expired, were withdrawn, or lost their requester or presenter do not count as seen")
    func notSeen() throws {
        var device = try Device.asking(.mara)
        let late = try device.apply(show(itself: false), as: .anna).wait()
        _ = try device.claim(1, as: .mara)
        try device.turn(by: Limits.whatsNewTime)
        #expect(try device.refusal(of: late)?.code == .deadlineExceeded && isNew(device))
        let withdrawn = try device.apply(show(itself: false), as: .anna).wait()
        _ = try device.claim(2, as: .mara)
        try device.apply(.withdraw(presentation: 2), as: .root)
        #expect(try device.refusal(of: withdrawn)?.reason == .closed && isNew(device))
        let cancelled = try device.apply(show(itself: false), as: .anna).wait()
        _ = try device.claim(3, as: .mara)
        try device.apply(.callEnded(cancelled), as: .anna)
        #expect(try isNew(device) && device.state.presentations(visibleTo: .root).isEmpty)
        let lost = try device.apply(show(itself: false), as: .anna).wait()
        _ = try device.claim(4, as: .mara)
        try device.apply(.peerDisconnected, as: .mara)
        #expect(try device.refusal(of: lost)?.reason == .noPresenter && isNew(device))
        let notice = try device.apply(show(), as: .anna).presentation()
        try device.apply(.peerDisconnected, as: .anna)
        #expect(try isNew(device) && device.refusal(.dismiss(notice.cookie), as: .anna)?.reason == .closed)
        #expect(seen(device).isEmpty && !device.kinds().contains(.whatsNewSeen))
    }

    @Test("news take no other answer than their buttons, and the secondary one only if they have it")
    func answers() throws {
        var device = try Device.asking()
        let notice = try device.apply(show(AppVersion(1, 3, 1)), as: .anna).presentation()
        for answer in [.acknowledged(.secondary), .text("yes"), .released, .secret(GateSecret([1]))]
            as [ChallengeAnswer]
        {
            #expect(device.refusal(.complete(notice.cookie, answer), as: .anna)?.code == .invalidArgument, "\(answer)")
        }
        #expect(
            device.refusal(.complete(notice.cookie, .acknowledged(.primary)), as: .ben)?.reason == .wrongCookie)
        #expect(device.refusal(.awaitClosing(notice.cookie), as: .anna) != nil)
        #expect(try isNew(device, AppVersion(1, 3, 1)))
        try device.apply(.complete(notice.cookie, .acknowledged(.primary)), as: .anna)
        // A challenge can't be acknowledged.
        let question = try device.ask(as: .anna)
        #expect(
            device.refusal(.complete(question.cookie, .acknowledged(.primary)), as: .anna)?.code
                == .invalidArgument)
    }

    // MARK: - Asked for at once

    @Test("if two programs ask at once the news are shown once, and the second hears that nothing is new")
    func twoPrograms() throws {
        var device = try Device.asking(.mara)
        let first = try device.apply(show(itself: false), as: .anna).wait()
        // On a presenter's screen or on one's own: it is on its way to one already.
        for itself in [false, true] {
            #expect(try device.apply(show(itself: itself), as: .annasOther).reply == .whatsNew(.nothingNew))
        }
        let bens = try device.apply(show(itself: false), as: .ben).wait()
        let notice = try device.claim(1, as: .mara)
        try device.apply(.dismiss(notice.cookie), as: .mara)
        #expect(device.reply(to: first) == .whatsNew(.shown))
        #expect(device.settled[bens] == nil && device.kinds().filter { $0 == .whatsNewSeen }.count == 1)
        let next = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        #expect(next.asked.uid == Peer.ben.uid)
    }

    @Test("news on a screen are closed when they are acknowledged elsewhere or changed by a reload")
    func closedByState() throws {
        var device = try Device.asking(.mara)
        let first = try device.apply(show(itself: false), as: .anna).wait()
        try device.apply(.acknowledgeWhatsNew(app: Self.app, Self.newest), as: .annasOther)
        #expect(device.reply(to: first) == .whatsNew(.nothingNew))
        let second = try device.apply(show(itself: false), as: .ben).wait()
        var configuration = Configuration.asking
        configuration.releaseNotes[Self.app]?.entries[0].titles = "Other"
        try device.apply(.configure(configuration, detail: "r"), as: .daemon)
        #expect(device.reply(to: second) == .whatsNew(.nothingNew))
        #expect(try isNew(device, for: .ben), "that one was not seen")
        let third = try device.apply(show(itself: false), as: .ben).wait()
        configuration.releaseNotes = [:]
        try device.apply(.configure(configuration, detail: "r"), as: .daemon)
        #expect(
            device.reply(to: third) == .whatsNew(.nothingNew) && device.state.presentations(visibleTo: .root).isEmpty)
    }

    // MARK: - The ledger

    @Test("seen versions are kept for each account and app, over restarts")
    func ledger() throws {
        var configuration = Configuration.asking
        configuration.releaseNotes["org.example.sing"] = ReleaseNotes(
            app: "org.example.sing", entries: [.of(Self.newest)])
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 0)
        try device.register("lina")
        let acknowledged = try device.apply(.acknowledgeWhatsNew(app: Self.app, AppVersion(1, 2, 9)), as: .anna)
        #expect(acknowledged.reply == .done && acknowledged.isChange)
        #expect(seen(device) == [AppVersion(1, 2, 0)], "the entry, not the version")
        let again = try device.apply(.acknowledgeWhatsNew(app: Self.app, AppVersion(1, 2, 9)), as: .anna)
        #expect(again.reply == .done && !again.isChange)
        #expect(try device.state.whatsNew(in: "org.example.sing", Self.newest, for: .anna) != nil)
        #expect(
            try isNew(device, AppVersion(1, 2, 9), for: .ben) && !isNew(device, AppVersion(1, 2, 9), for: .annasOther))
        try device.logIn("lina", as: .ben)
        #expect(try isNew(device, AppVersion(1, 2, 9)), "the person who is signed in is somebody else")
        try device.apply(.acknowledgeWhatsNew(app: Self.app, Self.newest), as: .anna)
        var restarted = Device(device.stored, configuration: configuration)
        try restarted.apply(.start, as: .daemon)
        #expect(seen(restarted) == [AppVersion(1, 2, 0)] && restarted.state.signIn.session == nil)
        try restarted.logIn("lina", as: .ben)
        #expect(seen(restarted) == [Self.newest])
    }

    @Test("news count as seen for the person who was signed in when they were requested")
    func holderOfTheRequest() throws {
        var device = try Device.asking(.mara)
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        try device.apply(show(itself: false), as: .anna)
        let notice = try device.claim(1, as: .mara)
        try device.apply(.logOut, as: .anna)
        try device.apply(.dismiss(notice.cookie), as: .mara)
        #expect(try isNew(device))
        try device.logIn("lina", as: .ben)
        #expect(try !isNew(device))
    }

    @Test("a reset forgets what this person has seen of one app or all, and returns the number")
    func reset() throws {
        var configuration = Configuration.asking
        configuration.releaseNotes["org.example.sing"] = ReleaseNotes(
            app: "org.example.sing", entries: [.of(Self.newest)])
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 0)
        for peer in [Peer.anna, .ben] {
            try device.apply(.acknowledgeWhatsNew(app: Self.app, Self.newest), as: peer)
            try device.apply(.acknowledgeWhatsNew(app: Self.app, AppVersion(1, 2, 0)), as: peer)
            try device.apply(.acknowledgeWhatsNew(app: "org.example.sing", Self.newest), as: peer)
        }
        let one = try device.apply(.resetWhatsNew(app: Self.app), as: .anna)
        #expect(one.reply == .count(2) && one.audit.map(\.kind) == [.whatsNewReset])
        #expect(try isNew(device) && device.state.whatsNew(in: "org.example.sing", Self.newest, for: .anna) == nil)
        #expect(try device.apply(.resetWhatsNew(app: nil), as: .annasOther).reply == .count(1))
        let nothing = try device.apply(.resetWhatsNew(app: nil), as: .anna)
        #expect(nothing.reply == .count(0) && !nothing.isChange)
        #expect(seen(device, by: .ben) == [Self.newest, AppVersion(1, 2, 0)], "the newest first")
        #expect(try device.apply(show(), as: .anna).presentation().content.kind == .whatsNew)
        device.checkForms()
    }

    @Test("an app without release notes has nothing new; news without a presenter are refused")
    func refused() throws {
        var device = try Device.asking()
        let unknown = Command.showWhatsNew(app: "rocket", Self.newest, presenting: .elsewhere)
        #expect(try device.apply(unknown, as: .anna).reply == .whatsNew(.nothingNew))
        for command in [
            .acknowledgeWhatsNew(app: "rocket", Self.newest), .resetWhatsNew(app: "rocket"),
        ] as [Command] {
            #expect(device.refusal(command, as: .anna)?.code == .notFound, "\(command)")
        }
        #expect(device.refusal(show(itself: false), as: .anna)?.reason == .noPresenter)
        #expect(
            try device.apply(show(AppVersion(9, 0, 0), itself: false), as: .anna).reply == .whatsNew(.nothingNew),
            "with nothing new nobody is needed")
        try device.apply(show(), as: .anna)
        #expect(device.refusal(show(AppVersion(1, 2, 0)), as: .anna)?.reason == .limit, "one at a time")
        try device.apply(.register(PresenterAbilities(kinds: [.form], styles: [.sheet])), as: .mara)
        #expect(device.refusal(show(itself: false), as: .ben)?.reason == .noPresenter)
        #expect(seen(device).isEmpty)
    }
}
