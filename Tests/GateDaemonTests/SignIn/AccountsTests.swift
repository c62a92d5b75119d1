import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Accounts and their passwords over the wire", .timeLimit(.minutes(10)))
struct AccountsTests {
    private static let policy = LiveGate.signInPolicy

    @Test("accounts are made, listed and removed by administrators, or by anybody in parent mode")
    func permissions() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Mother", "open sesame")
            let refusals = [
                await anna.refusal(of: Methods.SignIn.register, .init("Anna", "open sesame")),
                await anna.refusal(of: Methods.SignIn.listAccounts, ListAccountsRequest()),
                await anna.refusal(of: Methods.SignIn.removeAccount, RemoveAccountRequest(name: "Mother")),
                await anna.refusal(of: Methods.SignIn.changePassword, .init("Mother", from: nil, to: "open barley")),
            ]
            #expect(refusals.map { $0?.code } == Array(repeating: .permissionDenied, count: 4))
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "test"))
            try await anna.register("Anna", "open sesame", .child(born: CivilDate("2016-05-04")))
            let accounts = try await anna.call(Methods.SignIn.listAccounts, ListAccountsRequest()).elements
            #expect(accounts.map(\.person.name) == ["Anna", "Mother"])
            _ = try await anna.call(Methods.SignIn.changePassword, .init("Anna", from: nil, to: "open barley"))
            // Parent mode may have been entered by another grown-up.
            let mothers = await anna.refusal(
                of: Methods.SignIn.changePassword, .init("Mother", from: nil, to: "open barley"))
            #expect(mothers?.code == .permissionDenied)
            #expect(try await anna.logIn("Anna", "open barley").session?.isChild == true)
        }
    }

    @Test("a peer without the right to register is refused before any hashing")
    func refusedBeforeHashing() async throws {
        var limits = DaemonLimits.ofTests
        (limits.passwordsAtOnce, limits.passwordsWaiting) = (1, -1)
        try await LiveGate.with(policy: Self.policy, limits: limits) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            // There is no room for any hashing.
            #expect(await root.refusal(of: Methods.SignIn.register, .init("Anna", "open sesame"))?.reason == .limit)
            #expect(await root.refusal(of: Methods.SignIn.register, .init("Anna", "123"))?.code == .invalidArgument)
            #expect(
                await anna.refusal(of: Methods.SignIn.register, .init("Anna", "open sesame"))?.code == .permissionDenied
            )
            #expect(store.kinds == [.started, .signInOpened])
        }
    }

    @Test("anybody can change a password with the old one, which then no longer works")
    func change() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            let change = Methods.SignIn.changePassword
            let wrong = await anna.refusal(of: change, .init("Anna", from: "open rye", to: "open barley"))
            let unknown = await anna.refusal(of: change, .init("Nobody", from: "open rye", to: "open barley"))
            #expect(wrong?.reason == .wrongPassword)
            #expect(wrong == unknown)
            _ = try await anna.call(change, .init("Anna", from: "open sesame", to: "open barley"))
            #expect(await anna.refusalToLogIn("Anna", "open sesame")?.reason == .wrongPassword)
            #expect(try await anna.logIn("Anna", "open barley").session != nil)
        }
    }

    @Test("a user who causes much hashing does not keep others from signing in")
    func limitOfUser() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna, ben) = (
                try await gate.connect("root"), try await gate.connect("anna"), try await gate.connect("ben")
            )
            try await root.register("Anna", "open sesame")
            let plug = await Plug(in: gate.authority)
            let limit = DaemonLimits.ofTests.passwordsPerUser
            let refusals = await withTaskGroup(of: GateError?.self) { group in
                for _ in 0..<limit + 3 {
                    group.addTask {
                        await ben.refusal(of: Methods.SignIn.changePassword, .init("Anna", from: "rye", to: "barley"))
                    }
                }
                var first: [GateError?] = []
                for await refusal in group.prefix(3) { first.append(refusal) }
                #expect(first.map { $0?.reason } == [.limit, .limit, .limit])
                let login = Task { try await anna.logIn("Anna", "open sesame") }
                try? await PresenterTests.until { try await root.signIn().isAuthenticating }
                plug.pull()
                #expect((try? await login.value)?.session?.name == "Anna")
                var rest: [GateError?] = []
                for await refusal in group { rest.append(refusal) }
                return rest
            }
            #expect(refusals.count == limit)
            #expect(refusals.allSatisfy { $0?.reason != .limit })
        }
    }

    @Test("accounts come in pages, by name")
    func pages() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let root = try await gate.connect("root")
            for name in ["Cecil", "Anna", "Ben with a space"] { try await root.register(name, "open sesame") }
            let list = Methods.SignIn.listAccounts
            let first = try await root.call(list, ListAccountsRequest(pageSize: 2))
            #expect(first.elements.map(\.person.name) == ["Anna", "Ben with a space"])
            let second = try await root.call(list, ListAccountsRequest(pageSize: 2, pageToken: first.nextPageToken))
            #expect(second.elements.map(\.person.name) == ["Cecil"])
            #expect(second.nextPageToken.isEmpty)
            let wrong = await root.refusal(of: list, ListAccountsRequest(pageSize: 0, pageToken: "nonsense"))
            #expect(wrong?.code == .invalidArgument)
        }
    }

    @Test("no password is in a line of the log, an error or the journal")
    func nothingTold() async throws {
        let log = LogLines()
        let passwords = ["sesame-first", "sesame-second", "barley-wrong", "ab", String(repeating: "rye", count: 50)]
        try await LiveGate.with(policy: Self.policy, log: log) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            var errors: [GateError?] = [
                await anna.refusal(of: Methods.SignIn.register, .init("Anna", passwords[0])),
                await root.refusal(of: Methods.SignIn.register, .init("Anna", passwords[3])),
                await root.refusal(of: Methods.SignIn.register, .init("Anna", passwords[4])),
            ]
            try await root.register("Anna", passwords[0])
            let change = Methods.SignIn.changePassword
            for password in passwords {
                errors.append(await anna.refusalToLogIn("Nobody", password))
                errors.append(await root.refusal(of: change, .init("Anna", from: password, to: passwords[1])))
                errors.append(await root.refusal(of: change, .init("Nobody", from: nil, to: password)))
                // The password is typed into the wrong field.
                errors.append(await root.refusalToLogIn(password, passwords[2]))
            }
            store.setFull(true)
            errors.append(await root.refusalToLogIn("Anna", passwords[1]))
            errors.append(await root.refusal(of: Methods.SignIn.register, .init("Ben", passwords[0])))
            store.setFull(false)
            #expect(errors.compactMap { $0 }.count > 10)
            // The log has other lines, so that the password would be found there.
            #expect(log.text.contains("the store could not be written"))
            let told = [log.text] + errors.map { $0?.message ?? "" } + store.details
            for password in passwords where password != "ab" {
                #expect(!told.contains { $0.contains(password) })
            }
        }
    }
}
