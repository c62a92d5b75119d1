import GateCore
import GateModel
import GatePolicy
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("The use of gated actions over the wire (Z-02)", .timeLimit(.minutes(10)))
struct UsageTests {
    private static let users: [UInt32: String] = [1001: "anna", 1002: "ben", 1004: "mother", 0: "root"]

    private static let database = UserDatabase(
        uid: { name in users.first { $0.value == name }?.key }, name: { users[$0] }, hasAccount: { _ in true })

    /// The tests begin on a Thursday, at midnight.
    private static let policy = """
        allowances: {games: {mon-sun: 10m, day-starts: 4:00}}
        gated-actions:
          game.play: {title: Play, requires: {allowance: games}}
          film.watch: {title: Watch, requires: {allowance: games}, more-time: [15m]}
          book.read: {title: Read, requires: {mode: parent}}
          app.race:
            title: Race
            requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 1d, choices: [30m]}}

        """

    /// Mia and Otto are children: ben is Mia's user, and anna is Otto's.
    private static let people = [
        GatePerson(name: "mia", kind: .child(born: nil), user: .init(name: "ben", uid: 0)),
        GatePerson(name: "otto", kind: .child(born: nil), user: .init(name: "anna", uid: 0)),
        GatePerson(name: "mum", kind: .grownUp, user: .init(name: "mother", uid: 0)),
    ]

    private static func withPeople(
        _ body: (_ gate: LiveGate, _ root: Connected) async throws -> Void
    ) async throws {
        try await LiveGate.with(policy: policy, users: database) { gate, _ in
            let root = try await gate.connect("root")
            for person in people {
                _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
            }
            await gate.authority.settled()
            try await body(gate, root)
        }
    }

    private func use(_ peer: Connected, _ action: String = "game.play") async throws -> OpenStream<CountUseResponse> {
        try await peer.open(Methods.Usage.countUse, CountUseRequest(gatedAction: action))
    }

    private func refusal(of stream: OpenStream<CountUseResponse>) async -> GateError? {
        var stream = stream
        do throws(GateError) {
            _ = try await stream.next()
            return nil
        } catch {
            return error
        }
    }

    private func times(_ peer: Connected, days: Int = 0) async throws -> [UsedTime] {
        try await peer.call(Methods.Usage.listUsage, ListUsageRequest(days: days)).elements
    }

    @Test("a program hears how much time is left: at once, at the warnings, at the end, and when a new day begins")
    func told() async throws {
        try await Self.withPeople { gate, _ in
            let ben = try await gate.connect("ben")
            var stream = try await use(ben)
            var told = [try await stream.next()?.time]
            for wait in [300, 240, 60] {
                await gate.advance(by: .seconds(wait))
                told.append(try await stream.next()?.time)
            }
            let over = try await refusal(of: use(ben))
            #expect(over?.reason == .outOfHours && over?.parameters["allowance"] == "games")
            #expect(over?.message == "The time for this is used up. There is more today at 4:00.")
            await gate.advance(by: .seconds(4 * 3600 - 600))
            told.append(try await stream.next()?.time)
            let left: [Int64] = [600, 300, 60, 0, 600]
            #expect(told == left.map { TimeLeft(left: .seconds($0), isOver: $0 == 0) })
            let used = try await times(ben, days: 2).map(\.used)
            #expect(used == [.seconds(4 * 3600), .zero])
        }
    }

    @Test("a program whose time is over hears of more time at once, then of its warnings and of its end (Z-04)")
    func moreTime() async throws {
        try await Self.withPeople { gate, _ in
            let (ben, mother) = (try await gate.connect("ben"), try await gate.connect("mother"))
            var stream = try await use(ben, "film.watch")
            var told = [try await stream.next()?.time]
            for wait in [300, 240, 60] {
                await gate.advance(by: .seconds(wait))
                told.append(try await stream.next()?.time)
            }
            let request = AskMoreTimeRequest(gatedAction: "film.watch")
            let waiting = try await ben.call(Methods.Authorization.askMoreTime, request).ask
            #expect(waiting.id == 1 && waiting.state == .waiting && waiting.isMoreTime)
            #expect(waiting.choices == [.time(.seconds(900))])
            _ = try await mother.call(Methods.Authorization.answerAsk, AnswerAskRequest(number: 1, .yes()))
            told.append(try await stream.next()?.time)
            let allowed = try await ben.call(Methods.Authorization.askMoreTime, request).ask
            #expect(allowed.id == 1 && allowed.state == .allowed && allowed.choice == .time(.seconds(900)))
            for wait in [600, 240, 60] {
                await gate.advance(by: .seconds(wait))
                told.append(try await stream.next()?.time)
            }
            let left: [Int64] = [600, 300, 60, 0, 900, 300, 60, 0]
            #expect(told == left.map { TimeLeft(left: .seconds($0), isOver: $0 == 0) })
            #expect(try await times(ben).map(\.used) == [.seconds(1500)])
            let over = await ben.refusal(
                of: Methods.Authorization.authorize,
                AuthorizeRequest(request: AuthorizationRequest(gatedAction: "film.watch"), presenting: .elsewhere))
            #expect(over?.reason == .outOfHours && over?.parameters["more-time"] == "15m")
        }
    }

    @Test("a use with the words of a question hears that it is over when the yes to them ends (W-04)")
    func words() async throws {
        try await Self.withPeople { gate, _ in
            let (ben, mother) = (try await gate.connect("ben"), try await gate.connect("mother"))
            var request = AuthorizationRequest(gatedAction: "app.race", details: "race")
            request.mayWait = true
            let asked = await ben.refusal(
                of: Methods.Authorization.authorize, AuthorizeRequest(request: request, presenting: .elsewhere))
            #expect(asked?.reason == .asked)
            _ = try await mother.call(Methods.Authorization.answerAsk, AnswerAskRequest(number: 1, .yes()))
            var streams: [OpenStream<CountUseResponse>] = []
            for details in ["race", "other"] {
                let use = CountUseRequest(gatedAction: "app.race", details: details)
                streams.append(try await ben.open(Methods.Usage.countUse, use))
                let first = try await streams[streams.count - 1].next()?.time
                #expect(first == TimeLeft(left: nil, isOver: false))
            }
            await gate.advance(by: .seconds(1800))
            let over = try await streams[0].next()?.time
            #expect(over == TimeLeft(left: nil, isOver: true))
            let twoLines = CountUseRequest(gatedAction: "app.race", details: "a\nb")
            let wrong = try await refusal(of: ben.open(Methods.Usage.countUse, twoLines))
            #expect(wrong?.code == .invalidArgument)
        }
    }

    @Test("watchers hear of each minute, of one's own time; a grown-up of everybody's")
    func watched() async throws {
        try await Self.withPeople { gate, _ in
            let (ben, anna) = (try await gate.connect("ben"), try await gate.connect("anna"))
            let mother = try await gate.connect("mother")
            let watch = WatchRequest(topics: [.usage])
            var (his, hers) = (
                try await ben.open(Methods.Watch.watch, watch), try await mother.open(Methods.Watch.watch, watch)
            )
            var (hisTold, hersTold) = ([try await his.next()?.usage], [try await hers.next()?.usage])
            var stream = try await use(ben)
            _ = try await stream.next()
            hisTold.append(try await his.next()?.usage)
            hersTold.append(try await hers.next()?.usage)
            await gate.advance(by: .seconds(60))
            hisTold.append(try await his.next()?.usage)
            hersTold.append(try await hers.next()?.usage)
            #expect(hisTold.map { $0?.map(\.person) } == [["mia"], ["mia"], ["mia"]])
            #expect(hisTold.map { $0?.map(\.isRunning) } == [[false], [true], [true]])
            #expect(hisTold.map { $0?.map(\.used) } == [[.zero], [.zero], [.seconds(60)]])
            #expect(hersTold.map { $0?.map(\.person) } == Array(repeating: ["otto", "mia", "mum"], count: 3))
            #expect(hersTold.last??.map(\.left) == [.seconds(600), .seconds(540), .seconds(600)])
            let annas = try await times(anna).map(\.person)
            #expect(annas == ["otto"])
        }
    }

    @Test("what is left of a use is stored when its program goes away")
    func gone() async throws {
        try await Self.withPeople { gate, root in
            let ben = try await gate.connect("ben")
            var stream = try await use(ben)
            _ = try await stream.next()
            await gate.advance(by: .seconds(30))
            let running = try await times(root).map(\.isRunning)
            #expect(running == [false, true])
            await ben.close()
            try await PresenterTests.until { await gate.rememberedConnections().isEmpty }
            let time = try #require(try await times(root).last)
            #expect(time.used == .seconds(30) && !time.isRunning && time.left == .seconds(570))
        }
    }

    @Test("a use of nobody's, one of an unknown action and a list of too many days are refused")
    func refused() async throws {
        try await Self.withPeople { gate, root in
            let nobody = try await refusal(of: use(root))
            #expect(nobody?.reason == .notSetUp && nobody?.parameters["what"] == "person")
            let ben = try await gate.connect("ben")
            let denied = try await refusal(of: use(ben, "no.such"))
            #expect(denied?.reason == .denied)
            let tooMany = await ben.refusal(of: Methods.Usage.listUsage, ListUsageRequest(days: 71))
            #expect(tooMany?.reason == .invalidRequest && tooMany?.parameters["field"] == "days")
            var book = try await use(ben, "book.read")
            let unlimited = try await book.next()?.time
            #expect(unlimited == TimeLeft(left: nil, isOver: false))
        }
    }

    @Test("what stands before a gate is told with the limits of its allowance")
    func conditions() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let anna = try await gate.connect("anna")
            let told = try await anna.call(
                Methods.Authorization.getGatedAction, GetGatedActionRequest(name: "game.play"))
            #expect(
                told.gatedAction.requirement == "allowance games (Monday to Sunday 10m; days begin at 4:00)")
            #expect(Requirement(told.conditions)?.text == told.gatedAction.requirement)
        }
    }
}

@Suite("What a program that is being used is told (Z-02)")
struct UseStreamTests {
    private static let now = BootTime(nanoseconds: 1_000_000_000_000)

    private func left(_ seconds: Int64?, over: Bool = false) -> TimeLeft {
        TimeLeft(left: seconds.map { .seconds($0) }, isOver: over)
    }

    private func later(_ seconds: Int64) -> BootTime { Self.now.advanced(by: .seconds(seconds)) }

    @Test("nothing before its use is durable, and then always something")
    func beginning() {
        var machine = UseStreamStateMachine()
        #expect(machine.changed(left(600), at: Self.now, isBacklogged: false) == false)
        #expect(machine.began(left(600), at: Self.now) == true)
        #expect(machine.changed(left(600), at: Self.now, isBacklogged: false) == false)
    }

    @Test("nothing while time passes, but the warnings and the end")
    func passing() {
        var machine = UseStreamStateMachine()
        #expect(machine.began(left(600), at: Self.now) == true)
        let told = (1...700 as ClosedRange<Int64>).filter { second in
            machine.changed(left(max(0, 600 - second), over: second >= 600), at: later(second), isBacklogged: false)
        }
        #expect(told == [300, 540, 600])
    }

    @Test("when there is more or less time than was told, or none limits it any more")
    func changes() {
        var machine = UseStreamStateMachine()
        #expect(machine.began(left(600), at: Self.now) == true)
        #expect(machine.changed(left(1200), at: later(1), isBacklogged: false) == true)
        #expect(machine.changed(left(400), at: later(2), isBacklogged: false) == true)
        #expect(machine.changed(left(399), at: later(3), isBacklogged: false) == false)
        #expect(machine.changed(left(nil), at: later(4), isBacklogged: false) == true)
        #expect(machine.changed(left(nil), at: later(5), isBacklogged: false) == false)
        #expect(machine.changed(left(0, over: true), at: later(6), isBacklogged: false) == true)
        #expect(machine.changed(left(0), at: later(7), isBacklogged: false) == true, "another way was opened")
    }

    @Test("a program that does not read is told the newest when it reads again")
    func backlogged() {
        var machine = UseStreamStateMachine()
        #expect(machine.began(left(600), at: Self.now) == true)
        #expect(machine.changed(left(300), at: later(300), isBacklogged: true) == false)
        #expect(machine.changed(left(0, over: true), at: later(600), isBacklogged: true) == false)
        #expect(machine.changed(left(0, over: true), at: later(601), isBacklogged: false) == true)
    }
}
