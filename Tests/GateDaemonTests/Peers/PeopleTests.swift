import Foundation
import GateCore
import GateModel
import GateProtocol
import Synchronization
import Testing

@testable import GateDaemon

@Suite("The list of people over the wire, and the users whom the user database recognizes", .timeLimit(.minutes(10)))
struct PeopleTests {
    /// Names and numbers of users, as root may change them.
    private final class Names: Sendable {
        let names = Mutex<[UInt32: String]>([1001: "anna", 1002: "ben", 1004: "mother", 0: "root"])

        var database: UserDatabase {
            UserDatabase(
                uid: { name in self.names.withLock { $0.first { $0.value == name }?.key } },
                name: { uid in self.names.withLock { $0[uid] } }, hasAccount: { _ in true })
        }
    }

    private static let policy = """
        gated-actions:
          by.age: {title: By age, requires: {challenge: {ages: {0-8: arithmetic-choice, 9+: passcode}}}}
          link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}

        """

    private static let mia = GatePerson(
        name: "mia", kind: .child(born: nil), user: GatePerson.UnixUser(name: "ben", uid: 0))

    private func set(_ person: GatePerson, by root: Connected) async throws {
        _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
    }

    private func refusalToPresent(_ peer: Connected) async -> GateError? {
        do {
            _ = try await peer.register()
            return nil
        } catch {
            return error as? GateError
        }
    }

    /// Returns when the user database has been asked and what it said is durable.
    private func reload(_ root: Connected, _ gate: LiveGate) async throws {
        _ = try await root.call(Methods.Control.reload, ReloadRequest())
        await gate.authority.settled()
    }

    @Test("The daemon looks the number of a user up, and lists whether the database knows it")
    func listed() async throws {
        let names = Names()
        try await LiveGate.with(policy: Self.policy, users: names.database) { gate, store in
            let root = try await gate.connect("root")
            try await set(Self.mia, by: root)
            await gate.authority.settled()
            func list() async throws -> [ListedPerson] {
                try await root.call(Methods.People.list, ListPeopleRequest()).elements
            }
            var expected = Self.mia
            expected.user?.uid = 1002
            #expect(try await list() == [ListedPerson(expected)])
            for name in ["nobody-here", "root"] {
                var other = Self.mia
                other.user?.name = name
                let refusal = await root.refusal(
                    of: Methods.People.set, SetPersonRequest(person: ListedPerson(other)))
                #expect(refusal?.parameters["field"] == "person.user.name", "\(name)")
            }
            // The user was removed, and somebody else has the number now.
            names.names.withLock { $0[1002] = "other" }
            try await reload(root, gate)
            #expect(try await list() == [ListedPerson(expected, isUserUnknown: true)])
            _ = try await root.call(Methods.People.remove, RemovePersonRequest(name: "mia"))
            #expect(try await list().isEmpty)
            #expect(store.kinds.suffix(1) == [.accountRemoved])
        }
    }

    @Test("A grown-up's programs may present and read the list; when the person goes, their presenter goes at once")
    func grownUp() async throws {
        try await LiveGate.with(policy: Self.policy, users: Names().database) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            #expect(await refusalToPresent(anna)?.code == .permissionDenied)
            #expect(await anna.refusal(of: Methods.People.list, ListPeopleRequest())?.code == .permissionDenied)
            let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "anna", uid: 0))
            try await set(dad, by: root)
            await gate.authority.settled()
            var stream = try await anna.register()
            #expect(try await anna.call(Methods.People.list, ListPeopleRequest()).elements.count == 1)
            _ = try await root.call(Methods.People.remove, RemovePersonRequest(name: "dad"))
            let error = await #expect(throws: GateError.self) { while true { _ = try await stream.next() } }
            #expect(error?.code == .permissionDenied)
        }
    }

    @Test("A child's session is offered only what its own user asks, never a secret and never another's question")
    func child() async throws {
        try await LiveGate.with(policy: Self.policy, users: Names().database) { gate, _ in
            let (root, ben, anna) = (
                try await gate.connect("root"), try await gate.connect("ben"), try await gate.connect("anna")
            )
            _ = try await root.call(
                Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: GateSecret("open sesame".utf8)))
            try await set(Self.mia, by: root)
            await gate.authority.settled()
            let presenter = try await gate.connect("ben")
            var stream = try await presenter.register()
            // Her age is unknown, so a passcode is asked, which her session never shows.
            let secret = await ben.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("by.age"))
            #expect(secret?.reason == .noPresenter)
            let other = await anna.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            #expect(other?.reason == .noPresenter)
            let asked = Task { try await ben.call(Methods.Authorization.authorize, AuthorizeRequest("link.open")) }
            let shown = try await presenter.claim(from: &stream)
            #expect(shown.challenge?.kind == .arithmeticChoice)
            asked.cancel()
        }
    }

    @Test("A program that connects after the user database has changed is met as the user it is now")
    func reusedNumber() async throws {
        let names = Names()
        try await LiveGate.with(policy: Self.policy, users: names.database) { gate, _ in
            let root = try await gate.connect("root")
            let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "anna", uid: 0))
            try await set(dad, by: root)
            await gate.authority.settled()
            names.names.withLock { $0[1001] = "guest" }
            try await reload(root, gate)
            let guest = try await gate.connect("anna")
            #expect(await refusalToPresent(guest)?.code == .permissionDenied)
        }
    }

    @Test("A program that stays connected is met as the user it is now as soon as the file of users has changed")
    func reusedNumberOfConnected() async throws {
        let (names, folder) = (Names(), "/tmp/gate-users-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = URL(fileURLWithPath: "\(folder)/passwd")
        try Data("anna".utf8).write(to: file)
        try await LiveGate.with(policy: Self.policy, users: names.database, userFile: file.path) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "anna", uid: 0))
            try await set(dad, by: root)
            #expect(try await anna.call(Methods.People.list, ListPeopleRequest()).elements.count == 1)
            names.names.withLock { $0[1001] = "guest" }
            try Data("guest".utf8).write(to: file, options: .atomic)
            let end = ContinuousClock.now.advanced(by: .seconds(60))
            while await gate.authority.durable.kind(ofUser: 1001) != nil, ContinuousClock.now < end {
                await Task.yield()
            }
            #expect(await anna.refusal(of: Methods.People.list, ListPeopleRequest())?.code == .permissionDenied)
        }
    }

    @Test("A restore of the same list takes nobody's recognition away, though no program connects afterwards")
    func restoredList() async throws {
        try await LiveGate.with(policy: Self.policy, users: Names().database) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "anna", uid: 0))
            try await set(dad, by: root)
            await gate.authority.settled()
            await gate.authority.restoreWhatIsThere()
            await gate.authority.settled()
            #expect(store.kinds.contains(.restored))
            #expect(await gate.authority.durable.kind(ofUser: 1001) == .grownUp)
            #expect(try await anna.call(Methods.People.list, ListPeopleRequest()).elements.count == 1)
        }
    }

    @Test(
        "A user database that hangs changes nothing in time, and delays the answer to a durable change only for a while"
    )
    func hangingDatabase() async throws {
        let (numbers, names) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let database = UserDatabase(
            uid: { _ in
                numbers.wait()
                return 1002
            },
            name: { _ in
                names.wait()
                return "ben"
            }, hasAccount: { _ in true })
        try await LiveGate.with(policy: Self.policy, users: database) { gate, _ in
            defer { for _ in 0..<20 { names.signal() } }
            let root = try await gate.connect("root")
            func list() async throws -> [ListedPerson] {
                try await root.call(Methods.People.list, ListPeopleRequest()).elements
            }
            let refusal = await root.refusal(
                of: Methods.People.set, SetPersonRequest(person: ListedPerson(Self.mia)))
            #expect(refusal?.code == .deadlineExceeded && refusal?.reason == .expired)
            // Both the look-up that was given up and the next one are answered.
            for _ in 0..<2 { numbers.signal() }
            #expect(try await list().isEmpty)
            try await set(Self.mia, by: root)
            var expected = Self.mia
            expected.user?.uid = 1002
            #expect(try await list() == [ListedPerson(expected, isUserUnknown: true)])
            for _ in 0..<20 { names.signal() }
            await gate.authority.settled()
            #expect(try await list() == [ListedPerson(expected)])
        }
    }

    @Test("A number whose name is only spelled alike is another user's")
    func spelledAlike() async throws {
        let names = Names()
        names.names.withLock { $0[1001] = "jos\u{E9}" }
        try await LiveGate.with(policy: Self.policy, users: names.database) { gate, _ in
            let root = try await gate.connect("root")
            let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "jos\u{E9}", uid: 0))
            try await set(dad, by: root)
            await gate.authority.settled()
            #expect(await gate.authority.durable.kind(ofUser: 1001) == .grownUp)
            names.names.withLock { $0[1001] = "jose\u{301}" }
            try await reload(root, gate)
            #expect(await gate.authority.durable.kind(ofUser: 1001) == nil)
        }
    }

    @Test("The user nobody is no person's, and is refused in words for that")
    func nobody() async throws {
        let names = Names()
        names.names.withLock { $0[65_534] = "nobody" }
        try await LiveGate.with(policy: Self.policy, users: names.database) { gate, _ in
            let root = try await gate.connect("root")
            let person = GatePerson(name: "x", kind: .grownUp, user: GatePerson.UnixUser(name: "nobody", uid: 0))
            let refusal = await root.refusal(of: Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
            #expect(refusal?.parameters["field"] == "person.user.uid" && refusal?.parameters["user"] == "nobody")
            #expect(try await root.call(Methods.People.list, ListPeopleRequest()).elements.isEmpty)
        }
    }
}

extension Authority {
    /// Restores what the device has, as from a backup that was made just now.
    fileprivate func restoreWhatIsThere() {
        pipeline.submit(.control(.restore(pipeline.durable.records, detail: "")), as: .daemon) { _ in }
    }
}
