import GateCore
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

/// The daemon with three users: ben is a child's, mother is Mum's, and anna is nobody's.
private enum AgeGate {
    static let database = UserDatabase(
        uid: { name in users.first { $0.value == name }?.key }, name: { users[$0] }, hasAccount: { _ in true })
    private static let users: [UInt32: String] = [1001: "anna", 1002: "ben", 1004: "mother", 0: "root"]

    static func with(
        _ born: CivilDate? = CivilDate(year: 2012, month: 5, day: 14), isOn: Bool = true, gates: [Int] = [],
        _ body: (_ gate: LiveGate, _ store: MemoryStore, _ root: Connected) async throws -> Void
    ) async throws {
        try await LiveGate.with(users: database) { gate, store in
            let root = try await gate.connect("root")
            for person in [
                GatePerson(name: "mia", kind: .child(born: born), user: .init(name: "ben", uid: 0)),
                GatePerson(name: "mum", kind: .grownUp, user: .init(name: "mother", uid: 0)),
            ] {
                _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
            }
            await gate.authority.settled()
            if isOn {
                _ = try await root.call(Methods.Age.setSettings, SetAgeSettingsRequest(isOn: true, gates: gates))
            }
            try await body(gate, store, root)
        }
    }
}

extension Connected {
    fileprivate func ageRange(as program: String) async throws -> AgeRange? {
        try await call(Methods.Age.query, QueryAgeRangeRequest(), program: program).range
    }

    fileprivate func choose(_ choice: AgeChoice, for app: String, of person: String = "mia") async throws {
        _ = try await call(Methods.Age.setChoice, SetAgeChoiceRequest(person: person, app: app, choice: choice))
    }

    fileprivate func ageApps(pageSize: Int = 0) async throws -> [AgeApp] {
        var (apps, token) = ([AgeApp](), "")
        repeat {
            let page = try await call(
                Methods.Age.listApps, ListAgeAppsRequest(pageSize: pageSize, pageToken: token))
            apps += page.elements
            token = page.nextPageToken
        } while !token.isEmpty
        return apps
    }
}

@Suite("Age ranges over the wire (Y-01, Y-02)", .timeLimit(.minutes(10)))
struct AgeTests {
    private static let teenager = AgeRange(low: 13, high: 15, source: .guardian)

    @Test("an app is told nothing, waits on the list, and is told a range when a grown-up has said yes")
    func asked() async throws {
        try await AgeGate.with { gate, store, root in
            let (ben, anna) = (try await gate.connect("ben"), try await gate.connect("anna"))
            for program in ["chat", "game", ""] {
                #expect(try await ben.ageRange(as: program) == nil)
                #expect(try await anna.ageRange(as: program) == nil)
            }
            await gate.authority.settled()
            #expect(
                try await root.ageApps()
                    == ["chat", "game"].map { AgeApp(person: "mia", app: $0, choice: .ask, isWaiting: true) })
            try await root.choose(.always, for: "chat")
            #expect(try await ben.ageRange(as: "chat") == Self.teenager)
            #expect(try await ben.ageRange(as: "game") == nil)
            #expect(try await anna.ageRange(as: "chat") == nil)
            #expect(store.kinds.suffix(2) == [.ageSettingsChanged, .ageChosen])
            #expect(store.details.suffix(2) == ["age ranges on, at 13, 16, 18", "mia, always, chat"])
        }
    }

    @Test("only those who may read the list of people may read the settings and the apps, page by page")
    func permissions() async throws {
        try await AgeGate.with { gate, _, root in
            let (ben, mother) = (try await gate.connect("ben"), try await gate.connect("mother"))
            for (app, person) in [("b", "mia"), ("a", "mum"), ("a", "mia"), ("a b", "mia"), ("c", "mum")] {
                try await root.choose(.never, for: app, of: person)
            }
            let expected = ["mia a", "mia a b", "mia b", "mum a", "mum c"]
            for size in [0, 1, 2] {
                #expect(try await mother.ageApps(pageSize: size).map { "\($0.person) \($0.app)" } == expected)
            }
            #expect(
                try await mother.call(Methods.Age.getSettings, GetAgeSettingsRequest()).settings
                    == AgeSettings(isOn: true))
            #expect(await ben.refusal(of: Methods.Age.getSettings, GetAgeSettingsRequest())?.code == .permissionDenied)
            #expect(await ben.refusal(of: Methods.Age.listApps, ListAgeAppsRequest())?.parameters["what"] == "grown-up")
            let change = SetAgeChoiceRequest(person: "mia", app: "b", choice: .always)
            #expect(await ben.refusal(of: Methods.Age.setChoice, change)?.parameters["what"] == "administrator")
            let refusal = await mother.refusal(of: Methods.Age.setChoice, change)
            #expect(refusal?.parameters["details"] == "always tell the age range of mia to the app b")
            let off = await mother.refusal(of: Methods.Age.setSettings, SetAgeSettingsRequest(isOn: false))
            #expect(off?.parameters["details"] == "set age ranges off, at 13, 16, 18")
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "x"))
            #expect(try await ben.ageApps().count == 5)
        }
    }

    @Test("who may see age ranges hears of each change of them; all others hear once that they are off")
    func watched() async throws {
        try await AgeGate.with { gate, _, root in
            let (ben, mother) = (try await gate.connect("ben"), try await gate.connect("mother"))
            let watch = WatchRequest(topics: [.ageRanges, .mode])
            var (his, hers) = (
                try await ben.open(Methods.Watch.watch, watch), try await mother.open(Methods.Watch.watch, watch)
            )
            let (hisFirst, hersFirst) = (try await his.next(), try await hers.next())
            let nothing = AgeState(settings: AgeSettings(gates: []), waiting: [])
            #expect(hisFirst?.ageRanges == nothing)
            #expect(hersFirst?.ageRanges == AgeState(settings: AgeSettings(isOn: true), waiting: []))
            _ = try await ben.ageRange(as: "chat")
            let chat = AgeApp(person: "mia", app: "chat", choice: .ask, isWaiting: true)
            #expect(try await hers.next()?.ageRanges?.waiting == [chat])
            // Also of a choice about an app that does not wait.
            try await root.choose(.never, for: "game")
            #expect(try await hers.next()?.ageRanges?.waiting == [chat])
            _ = try await root.call(Methods.Age.setSettings, SetAgeSettingsRequest(isOn: false))
            #expect(try await hers.next()?.ageRanges == AgeState(settings: AgeSettings(), waiting: []))
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "x"))
            let (hisNext, hersNext) = (try await his.next(), try await hers.next())
            #expect(hisNext?.mode?.mode == .parent && hisNext?.ageRanges == nil)
            #expect(hersNext?.mode?.mode == .parent && hersNext?.ageRanges == nil)
        }
    }

    @Test("a choice for now ends when the half-year does, and those who watch hear of it at that moment")
    func deadline() async throws {
        try await AgeGate.with { gate, _, root in
            try await root.choose(.forNow, for: "chat")
            let mother = try await gate.connect("mother")
            var stream = try await mother.open(Methods.Watch.watch, WatchRequest(topics: [.ageRanges]))
            #expect(try await stream.next()?.ageRanges?.waiting == [])
            await gate.advance(by: .seconds(181 * 86_400))
            #expect(try await stream.next()?.ageRanges?.waiting.map(\.app) == ["chat"])
        }
    }

    @Test("an answer waits for no disk, and questions that a full or hanging disk holds back are few")
    func disk() async throws {
        try await AgeGate.with { gate, store, root in
            try await root.choose(.always, for: "chat")
            let ben = try await gate.connect("ben")
            store.hold()
            let limit = DaemonLimits.ofTests.commandsWaitingPerUser
            for number in 0..<limit + 50 { #expect(try await ben.ageRange(as: "app \(number % 40)") == nil) }
            #expect(try await ben.ageRange(as: "chat") == Self.teenager)
            #expect(await gate.authority.commands(ofUser: 1002) <= limit)
            store.release()
            await gate.authority.settled()
            #expect(try await root.ageApps().count == 33)
            store.setFull(true)
            try await root.choose(.ask, for: "chat", expecting: .unavailable)
            #expect(try await ben.ageRange(as: "chat") == Self.teenager)
        }
    }
}

@Suite("Questions of many apps on many days tell no birthday (Y-01)", .timeLimit(.minutes(10)))
struct AgeAttackTests {
    /// What five apps learn in three years, and what the daemon does meanwhile that somebody could notice.
    private struct Transcript: Equatable {
        var answers: [AgeRange?] = []
        var revisions: [UInt64] = []
        var commits: UInt64 = 0
        var messages = 0
    }

    private static let apps = ["always", "for now", "never", "not now", "unanswered"]
    private static let dayCount = 3 * 365

    /// Each day, every app asks. The grown-up has chosen what each app's name says.
    private func transcript(_ born: CivilDate?) async throws -> Transcript {
        var transcript = Transcript()
        try await AgeGate.with(born, gates: [13, 15]) { gate, _, root in
            let choices: [AgeChoice] = [.always, .forNow, .never, .notNow]
            for (app, choice) in zip(Self.apps, choices) { try await root.choose(choice, for: app) }
            let (ben, mother) = (try await gate.connect("ben"), try await gate.connect("mother"))
            var stream = try await mother.open(Methods.Watch.watch, WatchRequest(topics: [.ageRanges, .mode]))
            _ = try await stream.next()
            for _ in 0..<Self.dayCount {
                for app in Self.apps { transcript.answers.append(try await ben.ageRange(as: app)) }
                await gate.advance(by: .seconds(86_400))
                transcript.revisions.append(await gate.authority.durable.revision.number)
            }
            transcript.commits = try await root.call(Methods.Control.statistics, GetStatisticsRequest()).commits
            // The last message is the one about this change.
            _ = try await root.call(Methods.Age.setSettings, SetAgeSettingsRequest(isOn: false, gates: [7]))
            repeat { transcript.messages += 1 } while try await stream.next()?.ageRanges?.settings.gates != [7]
        }
        return transcript
    }

    @Test("children who were born on different days of one half-year are told the same, in the same way, for years")
    func sameTranscript() async throws {
        let first = try await transcript(CivilDate(year: 2013, month: 1, day: 1))
        let last = try await transcript(CivilDate(year: 2013, month: 6, day: 30))
        #expect(first == last)
        // The child of the next half-year is told other things. Nothing else differs, not even for a child without a date.
        let next = try await transcript(CivilDate(year: 2013, month: 7, day: 1))
        let unknown = try await transcript(nil)
        #expect(first.answers != next.answers && unknown.answers.allSatisfy { $0 == nil })
        for other in [next, unknown] {
            #expect(other.revisions == first.revisions)
            #expect(other.commits == first.commits && other.messages == first.messages)
        }
        try checkChanges(of: first)
    }

    /// The answers change on two days of these years, both of them 1 July, and one app's yes ends with the half-year.
    private func checkChanges(of transcript: Transcript) throws {
        let begin = try #require(CivilDate(year: 2026, month: 1, day: 1)).daysSince1970
        func days(_ app: String) throws -> [String] {
            let index = try #require(Self.apps.firstIndex(of: app))
            let answers = (0..<Self.dayCount).map { transcript.answers[$0 * Self.apps.count + index] }
            return zip(1..., zip(answers, answers.dropFirst())).filter { $1.0 != $1.1 }.map { day, _ in
                "\(CivilDate(WallTime(unixMilliseconds: (begin + Int64(day)) * 86_400_000)))"
            }
        }
        #expect(try days("always") == ["2026-07-01", "2028-07-01"])
        #expect(try days("for now") == ["2026-07-01"])
        for app in ["never", "not now", "unanswered"] { #expect(try days(app) == []) }
        #expect(transcript.answers[0] == AgeRange(low: nil, high: 12, source: .guardian))
    }
}

extension Connected {
    fileprivate func choose(_ choice: AgeChoice, for app: String, expecting code: GateError.Code) async throws {
        let request = SetAgeChoiceRequest(person: "mia", app: app, choice: choice)
        #expect(await refusal(of: Methods.Age.setChoice, request)?.code == code)
    }
}

extension Authority {
    /// How many commands of a user wait for the disk.
    fileprivate func commands(ofUser uid: UInt32) -> Int {
        pipeline.bill.share(of: Peer(connection: 1, uid: uid, pid: 1, roles: .app)).commands
    }
}
