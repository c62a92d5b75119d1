import GateModel
import GatePolicy
import GateProtocol
import Testing

@testable import gatectl

@Suite("Where each child's questions are answered (U-05, U-06)")
struct AskingTests {
    private static let policy = """
        mode: {challenge: passcode}
        gated-actions:
          link: {title: Open a page, requires: {any: [{mode: parent}, {challenge: passcode}]}}
          share: {requires: {challenge: {ages: {0-8: arithmetic-choice, 9-11: arithmetic-entry, 12+: passcode}}}}
          delete: {requires: {mode: parent}}
          call: {requires: {challenge: {kind: confirm, answered-by: grown-up}}}
          buy: {requires: {all: [{challenge: hold}, {challenge: passcode}]}}

        """

    /// - Parameters:
    ///   - people: the list.
    ///   - presenters: the users whom the policy names as presenters.
    private func table(
        _ people: [ListedPerson], users: [DeviceUser] = [thomas, mia], hasWindows: Bool = true,
        screen: InstallationFacts.OwnScreen? = nil, secrets: [SecretKind] = [.passcode], policy: String = policy,
        presenters: [String] = []
    ) throws -> AskingTable {
        let roles = presenters.isEmpty ? "" : "roles: {presenter: {users: [\(presenters.joined(separator: ", "))]}}\n"
        let read = try PolicyReader.read([PolicySource(name: "policy.yaml", text: roles + policy)])
        return AskingTable(
            read, secrets: secrets, people: people, users: users, hasWindows: hasWindows, screen: screen, today: today
        ) { principals, user in principals.users.contains(user.name) }
    }

    private func ends(_ table: AskingTable, _ user: String = "mia") -> [String: AskingEnd] {
        var ends: [String: AskingEnd] = [:]
        for group in table.rows.first(where: { $0.asker.name == user })?.groups ?? [] {
            for gate in group.gates { ends[gate ?? "mode"] = group.end }
        }
        return ends
    }

    private static let grownUp = ListedPerson(thomas.listed(.grownUp))
    private static let child = ListedPerson(mia.listed(.child(born: miasBirthday)))
    private static let screenInUse = InstallationFacts.OwnScreen(isEnabled: true, isActive: true, hasWord: true)
    private static let naming = "roles: {grown-up-presenter: {users: [gate-screen]}}\n" + policy

    @Test("a child's sums are on the child's screen, and a passcode is typed in a grown-up's session")
    func grownUpsSession() throws {
        let table = try table([Self.grownUp, Self.child])
        #expect(table.rows.map(\.asker.name) == ["mia"], "grown-ups answer for themselves")
        #expect(
            ends(table) == [
                "mode": .asked([.grownUp]), "link": .asked([.grownUp]), "share": .asked([.thisScreen]),
                "delete": .onlyInParentMode, "call": .asked([.grownUp]), "buy": .asked([.thisScreen, .grownUp]),
            ])
        #expect(!table.hasFailure && table.findings.map(\.verdict) == [.ok])
    }

    @Test("Gate's own screen takes secrets before a grown-up's session does, but not what only a grown-up allows")
    func ownScreen() throws {
        let both = try table([Self.grownUp, Self.child], screen: Self.screenInUse, policy: Self.naming)
        #expect(ends(both)["link"] == .asked([.ownScreen]) && ends(both)["call"] == .asked([.grownUp]))
        let alone = try table([Self.child], users: [mia], screen: Self.screenInUse, policy: Self.naming)
        #expect(ends(alone)["mode"] == .asked([.ownScreen]) && ends(alone)["call"] == .nowhere(.grownUp))
        #expect(alone.hasFailure && alone.findings[0].line.contains("gatectl people set NAME --grown-up"))
        // A screen that the policy does not name, or that nothing shows, is asked nothing.
        let unnamed = try table([Self.child], users: [mia], screen: Self.screenInUse)
        #expect(ends(unnamed)["mode"] == .nowhere(.secret))
        #expect(unnamed.findings[0].line.contains("`sudo gatectl screen on`"))
    }

    @Test("a passcode with no grown-up, no screen of Gate's own and no household is a failure, with person and mend")
    func nowhere() throws {
        let table = try table([Self.child], users: [mia])
        #expect(ends(table)["mode"] == .nowhere(.secret) && ends(table)["share"] == .asked([.thisScreen]))
        let finding = try #require(table.findings.first)
        #expect(finding.isFailure && finding.subject == "questions of mia")
        #expect(finding.found.hasSuffix("can be answered nowhere: mode, buy, link, call"))
        #expect(!finding.line.contains("gate-presenter"))
        #expect(table.lines.first == "mia (a child, 11 years old)")
        #expect(table.lines.contains { $0.hasPrefix("  Open a page") && $0.hasSuffix("FAIL: nobody can answer") })
        #expect(table.lines.contains { $0.hasPrefix("  → ") && $0.contains("people set NAME --grown-up") })
    }

    @Test("a guardian of the household answers what only a grown-up may allow")
    func household() throws {
        let table = AskingTable(
            AskingDevice(hasWindows: true, hasOwnScreen: true, hasGuardians: true, secrets: [.passcode]),
            try PolicyReader.read([PolicySource(name: "policy.yaml", text: Self.policy)]).configuration,
            askers: [Asker(name: "mia", kind: .child(age: nil))])
        #expect(ends(table)["call"] == .asked([.guardian]) && !table.hasFailure)
        #expect(ends(table)["share"] == .asked([.ownScreen]), "without an age the sturdiest question is asked")
    }

    @Test("without windows the program that asks shows its questions itself")
    func terminals() throws {
        let table = try table([], hasWindows: false)
        #expect(
            table.rows.map(\.asker) == [Asker(name: "thomas", kind: .unlisted), Asker(name: "mia", kind: .unlisted)])
        #expect(ends(table)["link"] == .asked([.program]) && ends(table)["share"] == .asked([.program]))
        #expect(ends(table)["call"] == .nowhere(.grownUp), "it is never shown where it was asked for")
    }

    @Test("a user who is not on the list, or whom Gate does not recognize, is named with what to say about them")
    func unlisted() throws {
        let unknown = ListedPerson(mia.listed(.child(born: nil)), isUserUnknown: true)
        for people in [[], [unknown]] {
            let table = try table(
                people, users: [mia], policy: "gated-actions: {share: {requires: {challenge: shapes}}}\n")
            #expect(ends(table)["share"] == .nowhere(.presenter))
            #expect(table.findings[0].line.contains("`sudo gatectl people set mia --child`, or --grown-up"))
        }
        // Somebody who is unknown can still be asked in a grown-up's session.
        #expect(ends(try table([Self.grownUp]))["share"] == .asked([.grownUp]))
        #expect(ends(try table([Self.grownUp], presenters: ["mia"]))["share"] == .asked([.grownUp]))
        #expect(ends(try table([], users: [mia], presenters: ["mia"]))["delete"] == .onlyInParentMode)
    }

    @Test("a schedule asks nobody, and changes nothing about the question beside it (Z-01)")
    func schedules() throws {
        let policy = """
            schedules: {s: {mon-fri: 15:00-19:00}}
            gated-actions:
              play: {requires: {during: s}}
              online: {requires: {all: [{during: s}, {challenge: passcode}]}}
              film: {requires: {any: [{during: s}, {challenge: passcode}]}}
              send: {requires: {all: [{during: s}, {mode: parent}]}}
              draw: {requires: {any: [{during: s}, {mode: parent}]}}

            """
        let table = try table([Self.grownUp, Self.child], policy: policy)
        #expect(
            ends(table) == [
                "mode": .asked([.grownUp]), "play": .unasked, "online": .asked([.grownUp]), "film": .asked([.grownUp]),
                "send": .onlyInParentMode, "draw": .unasked,
            ])
        #expect(!table.hasFailure)
    }

    @Test("only a user whom several people use is advised to become a presenter")
    func shared() throws {
        let sums = "gated-actions: {share: {requires: {challenge: shapes}}}\n"
        let kiosk = ListedPerson(mia.listed(.shared))
        let table = try table([kiosk], users: [mia], policy: sums)
        #expect(ends(table)["share"] == .nowhere(.presenter))
        #expect(table.findings[0].line.contains("`sudo adduser mia gate-presenter`"))
        #expect(
            ends(try self.table([kiosk], users: [mia], policy: sums, presenters: ["mia"]))["share"]
                == .asked([.thisScreen]))
    }

    @Test("while no secret is set, a sum stands in for it, and parent mode is closed")
    func nothingSetUp() throws {
        let ends = ends(try table([Self.child], users: [mia], secrets: []))
        #expect(ends["mode"] == .closed && ends["link"] == .asked([.thisScreen]))
    }

    @Test("what the daemon has in force is read back as the policy says it")
    func inForce() throws {
        let configuration = try PolicyReader.read([PolicySource(name: "policy.yaml", text: Self.policy)]).configuration
        for (name, action) in configuration.gatedActions {
            #expect(Requirement(ListedCondition.list(of: action.requirement)) == action.requirement, "\(name)")
        }
        #expect(ChallengeRule(ChallengeForAge.list(of: configuration.modeChallenge)) == configuration.modeChallenge)
        #expect(Requirement([]) == nil && Requirement([ListedCondition(.unrecognized)]) == nil)
        #expect(Requirement([ListedCondition(.any), ListedCondition(.unrecognized, partOf: 1)]) == nil)
        #expect(ChallengeRule([]) == nil)
    }

    @Test("the doctor makes the same check, and says who is not recognized")
    func doctor() throws {
        var facts = try InstallationFacts.forTests(asking: table([Self.child], users: [mia]))
        #expect(facts.askingFindings.map(\.isFailure) == [true])
        facts.asking = nil
        #expect(facts.askingFindings.isEmpty)
        facts.people = .failure(GateError(.permissionDenied, .notPermitted, "No."))
        #expect(facts.askingFindings.map(\.verdict) == [.unknown])
        facts.people = .success([Self.grownUp, ListedPerson(mia.listed(.child(born: nil)), isUserUnknown: true)])
        #expect(facts.grownUpUsers == ["thomas"])
        let found = facts.peopleFindings
        #expect(found.map(\.found) == ["mia is not recognized: the user mia is not 1001 here"])
        #expect(found.first?.line.contains("`sudo gatectl people set mia --user mia`") == true)
    }
}

extension InstallationFacts {
    /// An installation about which nothing else is known.
    fileprivate static func forTests(asking: AskingTable) -> InstallationFacts {
        var facts = InstallationFacts(
            socketPath: "/run/gated/gate.sock", isDefaultSocket: true, socket: .missing, directoryPath: "/run/gated",
            directory: .missing, serverUser: "gate", serverUserID: 990, ownUserID: 1000, hasAdministratorGroup: true,
            configDirectory: "/etc/gate", policy: .missing, secrets: .success([.passcode]), ownVersion: "1",
            daemonVersion: .success("1"), statistics: .success(""), damage: .success(nil))
        facts.asking = asking
        return facts
    }
}
