import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Apps are told an age range if a grown-up wants that, and otherwise nothing (Y-01, Y-02)")
struct AgeTests {
    private static let mia = GatePerson(
        name: "mia", kind: .child(born: CivilDate(year: 2012, month: 5, day: 14)),
        user: GatePerson.UnixUser(name: "ben", uid: Peer.ben.uid))
    private static let mum = GatePerson(name: "mum", kind: .grownUp, user: .init(name: "anna", uid: Peer.anna.uid))
    private static let teenager = AgeRange(low: 13, high: 15, source: .guardian)
    private static let grownUp = AgeRange(low: 18, high: nil, source: .grownUp)

    /// The first of January 2026, on which Mia is thirteen. Ben's user is Mia's, and Anna's is Mum's.
    private func device(
        isOn: Bool = true, _ people: [GatePerson] = [mia, mum], _ configuration: Configuration = .gates
    ) throws -> Device {
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.setPasscode(hash: "$p"), as: .root)
        for person in people { try device.apply(.setPerson(person), as: .root) }
        try device.recognize()
        if isOn { try device.apply(.setAges(isOn: true), as: .root) }
        return device
    }

    // MARK: - Who is told what

    @Test("an app is told nothing until a grown-up allows it, and waits for the answer on the list")
    func asked() throws {
        var device = try device()
        let chat = Peer.ben.named("chat")
        #expect(try device.ageRange(for: chat) == nil && device.ageRange(for: chat) == nil)
        #expect(
            device.state.ageApps == [AgeApp(person: "mia", app: "chat", choice: .ask, isWaiting: true)])
        #expect(device.kinds().last == .ageSettingsChanged, "an app that waits writes nothing into the journal")
        try device.apply(.chooseAge("mia", "chat", .always), as: .root)
        #expect(try device.ageRange(for: chat) == Self.teenager)
        #expect(try device.ageRange(for: .ben.named("other")) == nil)
        #expect(try device.ageRange(for: .anna.named("chat")) == nil)
        #expect(device.stored == device.state.records)
    }

    @Test("each choice tells what it says, and one for now ends with the half-year", arguments: AgeChoice.allCases)
    func choices(choice: AgeChoice) throws {
        var device = try device()
        let chat = Peer.ben.named("chat")
        try device.apply(.chooseAge("mia", "chat", .always), as: .root)
        try device.apply(.chooseAge("mia", "chat", choice), as: .root)
        let isTold = choice == .always || choice == .forNow
        #expect(try device.ageRange(for: chat) == (isTold ? Self.teenager : nil))
        device.wallTime = WallTime(unixMilliseconds: 1_782_863_999_999)
        #expect(try device.ageRange(for: chat) == (isTold ? Self.teenager : nil), "the last moment of June")
        device.wallTime = WallTime(unixMilliseconds: 1_782_864_000_000)
        #expect(try device.ageRange(for: chat) == (choice == .always ? Self.teenager : nil))
        let kept: AgeChoice = choice == .always || choice == .never ? choice : .ask
        #expect(device.state.ageApps.map(\.choice) == [kept] && device.state.ageApps[0].isWaiting == (kept == .ask))
        #expect(device.stored == device.state.records)
    }

    @Test("whatever the reason is, nothing is the same nothing")
    func nothing() throws {
        let chat = Peer.ben.named("chat")
        func answer(
            isOn: Bool = true, _ people: [GatePerson] = [Self.mia], _ peer: Peer = chat, _ choice: AgeChoice? = .always
        ) throws -> AgeRange? {
            var device = try device(isOn: isOn, people)
            if let choice, !peer.program.isEmpty, people.first?.kind != .shared {
                try device.apply(.chooseAge("mia", "chat", choice), as: .root)
            }
            return try device.ageRange(for: peer)
        }
        #expect(try answer() == Self.teenager)
        #expect(try answer(isOn: false) == nil, "off")
        for choice in [AgeChoice.never, .notNow, .ask] { #expect(try answer([Self.mia], chat, choice) == nil) }
        #expect(try answer([Self.mia], chat, nil) == nil, "unanswered")
        #expect(try answer([Self.mia], .ben) == nil, "a program without a name")
        #expect(try answer([Self.mia], .theo.named("chat")) == nil, "nobody's user")
        var unknown = Self.mia
        unknown.kind = .child(born: nil)
        #expect(try answer([unknown]) == nil, "no date of birth")
        unknown.kind = .shared
        #expect(try answer([unknown], chat, nil) == nil, "nobody is signed in")
        var other = try device()
        try other.apply(.chooseAge("mia", "chat", .always), as: .root)
        try other.apply(.usersChecked(recognized: [Peer.anna.uid]), as: .daemon)
        #expect(try other.ageRange(for: chat) == nil, "not recognized")
    }

    @Test("a uid in a person's range is told that person's range; a grown-up's program is told that they are one")
    func whose() throws {
        var device = try device()
        for person in ["mia", "mum"] { try device.apply(.chooseAge(person, "chat", .always), as: .root) }
        let container = Peer(
            connection: 20, uid: 200_000, owner: .user(Peer.ben.uid), pid: 9, roles: .app, program: "chat")
        #expect(try device.ageRange(for: container) == Self.teenager)
        #expect(try device.ageRange(for: .anna.named("chat")) == Self.grownUp)
    }

    @Test("on a shared user, and on no other, it is the range of whoever is signed in and confirmed")
    func shared() throws {
        let tv = GatePerson(name: "tv", kind: .shared, user: .init(name: "ben", uid: Peer.ben.uid))
        var device = try device([tv], .premium)
        try device.register("otto", Self.mia.kind)
        try device.apply(.chooseAge("otto", "chat", .always), as: .root)
        let chat = Peer.ben.named("chat")
        #expect(try device.ageRange(for: chat) == nil)
        try device.logIn("otto", as: .ben)
        #expect(try device.ageRange(for: chat) == Self.teenager)
        #expect(try device.ageRange(for: .theo.named("chat")) == nil, "nobody's user")
        try device.apply(.logOut, as: .ben)
        #expect(try device.ageRange(for: chat) == nil)
        #expect(device.refusal(.chooseAge("tv", "chat", .always), as: .root)?.parameters["field"] == "person")
        #expect(device.state.ageApps.map(\.person) == ["otto"])
    }

    @Test("a person in parent mode's list who was not confirmed is nobody to apps")
    func unconfirmed() throws {
        let tv = GatePerson(name: "tv", kind: .shared, user: .init(name: "ben", uid: Peer.ben.uid))
        var device = try device([tv], .premium)
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        try device.apply(.register(GatePerson(name: "kim", kind: .grownUp), passwordHash: "$kim"), as: .theo)
        try device.apply(.chooseAge("kim", "chat", .always), as: .root)
        try device.logIn("kim", as: .ben)
        #expect(device.state.signIn.session?.name == "kim")
        #expect(try device.ageRange(for: .ben.named("chat")) == nil)
    }

    @Test("the half-year is that of the device's clock, in its zone")
    func zone() throws {
        var device = try device()
        try device.apply(.chooseAge("mia", "chat", .forNow), as: .root)
        let june = WallTime(unixMilliseconds: 1_782_864_000_000 - 3_600_000)
        for (minutes, isTold) in [(59, true), (60, false)] {
            var copy = device
            copy.zone = ZoneOffsets(minutesEastOfUTC: minutes)
            copy.wallTime = june
            #expect(try copy.ageRange(for: .ben.named("chat")) == (isTold ? Self.teenager : nil))
        }
    }

    // MARK: - The end of a half-year

    @Test("a choice for now ends at the deadline, without anybody asking; without one there is no deadline")
    func deadline() throws {
        var device = try device()
        #expect(device.state.nextDeadline == nil)
        try device.apply(.chooseAge("mia", "chat", .notNow), as: .root)
        let days = (31 + 28 + 31 + 30 + 31 + 30) * 86_400
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(days)))
        let before = device.state.revision.number
        try device.pass(.seconds(days))
        #expect(device.state.ageApps.map(\.isWaiting) == [true] && device.state.nextDeadline == nil)
        #expect(device.state.revision.number == before + 1)
    }

    @Test("a clock that is set to another half-year ends a choice for now, and going back gives nothing")
    func clockSet() throws {
        for days in [-200, -1, 181, 5000] {
            var device = try device()
            try device.apply(.chooseAge("mia", "chat", .forNow), as: .root)
            let begin = device.wallTime
            device.wallTime = begin.advanced(by: .seconds(days * 86_400))
            try device.apply(.deadlineReached, as: .daemon)
            device.wallTime = begin
            #expect(try device.ageRange(for: .ben.named("chat")) == nil, "\(days)")
            #expect(device.state.nextDeadline == nil)
        }
    }

    @Test("local clocks that are set back across midnight, and clocks far off, end nothing twice and hang nothing")
    func oddClocks() throws {
        // Five seconds after July has begun the clock is set back by an hour, so June comes again.
        var device = try device()
        let july = WallTime(unixMilliseconds: 1_782_864_000_000)
        device.zone = ZoneOffsets(changes: [.init(at: july.advanced(by: .seconds(5)), minutesEastOfUTC: -60)])
        device.wallTime = july.advanced(by: .seconds(-10))
        try device.apply(.chooseAge("mia", "chat", .forNow), as: .root)
        try device.pass(.seconds(20))
        #expect(device.state.ageApps.map(\.choice) == [.ask])
        try device.apply(.chooseAge("mia", "chat", .forNow), as: .root)
        for time in [Int64.min, -1, 1 << 53, .max] {
            device.wallTime = WallTime(unixMilliseconds: time)
            try device.apply(.chooseAge("mia", "chat", .notNow), as: .root)
            try device.turn(by: .seconds(1))
            #expect(try device.ageRange(for: .ben.named("chat")) == nil)
        }
        #expect(device.stored == device.state.records)
    }

    // MARK: - The list

    @Test("a program that calls itself many names fills 32 places, and what was chosen stays")
    func flood() throws {
        var device = try device()
        try device.apply(.chooseAge("mia", "chat", .always), as: .root)
        for number in 0..<200 { #expect(try device.ageRange(for: .ben.named("app \(number)")) == nil) }
        #expect(device.state.ageApps.count == 33)
        #expect(try !device.apply(.ageAsked, as: .ben.named("one more")).isChange)
        #expect(try device.ageRange(for: .ben.named("chat")) == Self.teenager)
        #expect(try device.ageRange(for: .anna.named("app")) == nil && device.state.ageApps.last?.person == "mum")
        // An answer makes room for another app, until there are 128.
        for number in 0..<95 {
            try device.apply(.chooseAge("mia", "chosen \(number)", .never), as: .root)
        }
        let limit = device.refusal(.chooseAge("mia", "too many", .never), as: .root)
        #expect(limit?.reason == .limit && limit?.parameters["what"] == "age-apps")
        #expect(limit?.parameters["maximum"] == "128")
        try device.apply(.chooseAge("mia", "chosen 0", .always), as: .root)
        try device.apply(.chooseAge("mia", "unknown", .ask), as: .root)
        for app in ["app 0", "chosen 1"] { try device.apply(.chooseAge("mia", app, .ask), as: .root) }
        try device.apply(.chooseAge("mia", "not too many", .never), as: .root)
        #expect(device.state.ageApps.count { $0.person == "mia" } == 127)
    }

    @Test("an app that is to be asked about leaves the list, and is on it again when it asks")
    func forgotten() throws {
        var device = try device()
        try device.apply(.chooseAge("mia", "chat", .always), as: .root)
        try device.apply(.chooseAge("mia", "chat", .ask), as: .root)
        #expect(device.state.ageApps.isEmpty)
        #expect(try device.ageRange(for: .ben.named("chat")) == nil && device.state.ageApps.map(\.isWaiting) == [true])
    }

    @Test("while age ranges are off an app is listed, but does not wait for an answer")
    func off() throws {
        var device = try device(isOn: false)
        #expect(try device.ageRange(for: .ben.named("chat")) == nil)
        #expect(device.state.ageApps == [AgeApp(person: "mia", app: "chat", choice: .ask, isWaiting: false)])
        #expect(device.state.ageState(visibleTo: .root).waiting.isEmpty)
        try device.apply(.setAges(isOn: true), as: .root)
        #expect(device.state.ageState(visibleTo: .root).waiting.map(\.app) == ["chat"])
    }

    @Test("the first question of an app makes the same change whether age ranges are on or off, known or not")
    func sameChange() throws {
        var unknown = Self.mia
        unknown.kind = .child(born: nil)
        var transitions: [Set<RecordChange>] = []
        for (isOn, person) in [(true, Self.mia), (false, Self.mia), (true, unknown)] {
            var device = try device(isOn: isOn, [person])
            let first = try device.apply(.ageAsked, as: .ben.named("chat"))
            #expect(first.isChange && first.audit.isEmpty && first.effects.isEmpty)
            #expect(try !device.apply(.ageAsked, as: .ben.named("chat")).isChange)
            transitions.append(Set(first.records))
        }
        #expect(Set(transitions).count == 1)
    }

    @Test("who is removed from the list of people, or becomes a shared user, takes along what apps were told")
    func removed() throws {
        for isRemoved in [true, false] {
            var device = try device()
            for app in ["b", "a"] { try device.apply(.chooseAge("mia", app, .always), as: .root) }
            try device.apply(.chooseAge("mum", "a", .always), as: .root)
            var shared = Self.mia
            shared.kind = .shared
            try device.apply(isRemoved ? .removePerson(name: "mia") : .setPerson(shared), as: .root)
            #expect(device.state.ageApps.map(\.person) == ["mum"])
            try device.apply(.setPerson(Self.mia), as: .root)
            try device.recognize()
            #expect(try device.ageRange(for: .ben.named("a")) == nil)
            #expect(device.stored == device.state.records)
        }
    }

    @Test("an app whose name comes in another spelling is the same app")
    func spelling() throws {
        var device = try device()
        try device.apply(.chooseAge("mia", "caf\u{E9}", .always), as: .root)
        #expect(try device.ageRange(for: .ben.named("cafe\u{301}")) == Self.teenager)
        #expect(device.state.ageApps.count == 1)
    }

    // MARK: - Who may

    @Test("only administrators and grown-ups change something, and a grown-up with a grant for these words")
    func permissions() throws {
        var device = try device()
        let commands: [(Command, String)] = [
            (.setAges(isOn: false, gates: [8, 12]), "set age ranges off, at 8, 12"),
            (.setAges(isOn: true), "set age ranges on, at 13, 16, 18"),
            (.chooseAge("mia", "chat", .always), "always tell the age range of mia to the app chat"),
            (.chooseAge("mia", "chat", .never), "never tell the age range of mia to the app chat"),
            (.chooseAge("mia", "chat", .ask), "ask before telling the age range of mia to the app chat"),
            (.chooseAge("mia", "chat", .forNow), "for now tell the age range of mia to the app chat"),
            (.chooseAge("mia", "chat", .notNow), "for now do not tell the age range of mia to the app chat"),
        ]
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        for (command, words) in commands {
            for peer in [Peer.ben, .mara, .olga, .shop] {
                #expect(device.refusal(command, as: peer)?.parameters["what"] == "administrator")
            }
            let refusal = try #require(device.refusal(command, as: .anna))
            #expect(refusal.code == .permissionDenied && refusal.parameters["what"] == "change-grant")
            #expect(refusal.parameters["details"] == words)
        }
        // Peers that may not change anything learn nothing about the list.
        #expect(device.refusal(.chooseAge("nobody", "chat", .ask), as: .ben)?.code == .permissionDenied)
    }

    @Test("a grant for the words makes the change once, and is used up")
    func granted() throws {
        var device = try device()
        let words = "always tell the age range of mia to the app chat"
        let question = try device.authorize("gate.change", words, as: .anna).presentation()
        let waiting = try device.apply(.complete(question.cookie, .secret(GateSecret("1".utf8))), as: .anna).wait()
        try device.check(question.id, finds: .right(step: nil))
        guard case .granted(let grant) = device.reply(to: waiting) else { throw UnexpectedReply(reply: .done) }
        let other = Command.chooseAge("mia", "chats", .always, grant: grant.proof)
        #expect(device.refusal(other, as: .anna)?.parameters["what"] == "change-grant")
        let command = Command.chooseAge("mia", "chat", .always, grant: grant.proof)
        try device.apply(command, as: .anna)
        #expect(device.journal.last?.kind == .ageChosen && device.journal.last?.detail == "mia, always, chat")
        #expect(device.journal.last?.actor?.uid == Peer.anna.uid)
        #expect(device.refusal(command, as: .anna)?.parameters["what"] == "change-grant")
    }

    @Test("what is not possible is refused, and says which field is wrong")
    func invalid() throws {
        var device = try device()
        for gates in [[1], [13, 14], [4, 8, 12, 16]] {
            #expect(device.refusal(.setAges(isOn: true, gates: gates), as: .root)?.parameters["field"] == "gates")
        }
        #expect(device.refusal(.chooseAge("nobody", "chat", .always), as: .root)?.code == .notFound)
        for app in ["", String(repeating: "x", count: 65), "a\nb"] {
            #expect(device.refusal(.chooseAge("mia", app, .always), as: .root)?.parameters["field"] == "app")
        }
        let revision = device.state.revision
        try device.apply(.setAges(isOn: true, gates: [13, 16, 18]), as: .root)
        try device.apply(.chooseAge("mia", "chat", .ask), as: .root)
        #expect(device.state.revision == revision, "nothing is changed, so nothing is written")
    }

    @Test("the gates are the device's: other ones give other ranges, and the journal has them without anybody's age")
    func gates() throws {
        var device = try device()
        try device.apply(.chooseAge("mia", "chat", .always), as: .root)
        try device.apply(.setAges(isOn: true, gates: [6, 14]), as: .root)
        #expect(device.journal.last?.detail == "age ranges on, at 6, 14")
        #expect(try device.ageRange(for: .ben.named("chat")) == AgeRange(low: 6, high: 13, source: .guardian))
        try device.apply(.setAges(isOn: false), as: .root)
        #expect(device.state.ageSettings == AgeSettings(isOn: false, gates: [6, 14]))
    }

    @Test("only administrators and grown-ups in their own session see age ranges in a watch")
    func watched() throws {
        var device = try device()
        #expect(try device.ageRange(for: .ben.named("chat")) == nil)
        let before = device.state
        for peer in [Peer.ben, .mara, .olga, .shop] {
            #expect(!device.state.seesAges(peer))
            #expect(device.state.ageState(visibleTo: peer) == AgeState(settings: AgeSettings(gates: []), waiting: []))
        }
        for peer in [Peer.root, .anna] {
            let state = device.state.ageState(visibleTo: peer)
            #expect(device.state.seesAges(peer) && state.settings == AgeSettings(isOn: true))
            #expect(state.waiting == [AgeApp(person: "mia", app: "chat", choice: .ask, isWaiting: true)])
        }
        try device.apply(.chooseAge("mia", "other", .never), as: .root)
        #expect(!device.state.hasSameAges(as: before) && before.hasSameAges(as: before))
        try device.apply(.chooseAge("mia", "other", .ask), as: .root)
        #expect(device.state.hasSameAges(as: before))
    }

    @Test("a device whose store was damaged tells nothing, and keeps nothing")
    func damaged() throws {
        var device = Device()
        try device.apply(.closeForDamage(quarantinedFile: "x"), as: .daemon)
        #expect(try device.ageRange(for: .ben.named("chat")) == nil && device.state.ageApps.isEmpty)
        #expect(device.refusal(.setAges(isOn: true), as: .root)?.reason == .storeDamaged)
        #expect(device.refusal(.chooseAge("mia", "chat", .ask), as: .root)?.reason == .storeDamaged)
    }
}

extension Peer {
    /// Another program of the same user.
    fileprivate func named(_ program: String) -> Peer {
        var peer = self
        peer.program = program
        return peer
    }
}

extension Device {
    fileprivate mutating func recognize() throws {
        try apply(.usersChecked(recognized: Set(state.people.compactMap(\.user?.uid))), as: .daemon)
    }

    /// As the daemon does it: the answer is read, and then the app is put on the list.
    fileprivate mutating func ageRange(for peer: Peer) throws -> AgeRange? {
        let range = state.ageRange(for: peer, on: zone.localTime(wallTime).day)
        try apply(.ageAsked, as: peer)
        return range
    }
}
