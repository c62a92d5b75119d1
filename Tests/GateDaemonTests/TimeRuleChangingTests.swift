import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Choosing allowances and schedules, through gated (Z-07)", .timeLimit(.minutes(10)))
struct TimeRuleChangingTests {
    private static let own = "roles: {presenter: {users: [screen]}, grown-up-presenter: {users: [mother]}}\n"

    private func with(
        policy: String = own, shipped: String = "",
        _ body: (LiveGate, MemoryStore, _ root: Connected) async throws -> Void
    ) async throws {
        try await LiveGate.with(policy: policy, shipped: shipped) { gate, store in
            try await body(gate, store, try await gate.connect("root"))
        }
    }

    @discardableResult
    private func set(
        _ peer: Connected, _ kind: TimeRule.Kind = .allowance, _ name: String = "games",
        _ notation: String? = "{mon-fri: 1h}", checkOnly: Bool = false
    ) async throws -> SetTimeRuleResponse {
        try await peer.call(
            Methods.Control.setTimeRule,
            SetTimeRuleRequest(kind: kind, name: name, notation: notation, checkOnly: checkOnly))
    }

    private func refusal(
        _ peer: Connected, _ kind: TimeRule.Kind = .allowance, _ name: String = "games",
        _ notation: String? = "{mon-fri: 1h}"
    ) async -> GateError? {
        await peer.refusal(
            of: Methods.Control.setTimeRule, SetTimeRuleRequest(kind: kind, name: name, notation: notation))
    }

    private func guardApp(_ peer: Connected, _ requires: String? = "{allowance: games}") async throws {
        _ = try await peer.call(
            Methods.Control.setGate, SetGateRequest(gatedAction: "app.chess", requires: requires))
    }

    private func rules(_ peer: Connected) async throws -> [TimeRule] {
        try await peer.call(Methods.Control.policy, GetPolicyRequest()).policy?.timeRules ?? []
    }

    @Test("a choice is kept, listed, journalled in words, in force in the gates that need it, and can be taken back")
    func chosen() async throws {
        try await with { gate, store, root in
            let first = try await set(root, .allowance, "games", "{mon-fri: 60m}")
            #expect(first.before == nil && first.after?.notation == "{mon-fri: 1h}" && first.revision != nil)
            #expect(first.after?.origin == PolicyOrigin(layer: .choices, file: "choice of allowance games"))
            #expect(store.kinds.last == .gateChanged)
            #expect(store.details.last == "allowance games: Monday to Friday 1h; before: none")
            try await set(root, .schedule, "games", "{sat: 9:00-12:00}")
            #expect(store.details.last == "schedule games: Saturday 9:00–12:00; before: none")
            try await guardApp(root, "{all: [{allowance: games}, {during: games}]}")
            #expect(store.gateChoices.keys.sorted() == ["allowance games", "app.chess", "schedule games"])
            let second = try await set(root, .allowance, "games", "{mon-fri: 2h}")
            #expect(second.before?.gatedActions == ["app.chess"] && second.after?.gatedActions == ["app.chess"])
            #expect(
                store.details.last == "allowance games: Monday to Friday 2h; before: Monday to Friday 1h")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            let anna = try await gate.connect("anna")
            let listed = try await rules(anna)
            #expect(listed.map(\.notation) == ["{mon-fri: 2h}", "{sat: 9:00-12:00}"])
            let gates = try await anna.call(Methods.Authorization.listGatedActions, ListGatedActionsRequest()).elements
            #expect(
                gates.first?.requirement
                    == "allowance games (Monday to Friday 2h) and during games (Saturday 9:00–12:00)")
            try await guardApp(root, nil)
            let last = [
                try await set(root, .allowance, "games", nil), try await set(root, .schedule, "games", nil),
            ]
            #expect(last.map(\.after) == [nil, nil] && last[1].before?.notation == "{sat: 9:00-12:00}")
            let left = try await rules(root)
            #expect(left.isEmpty && store.gateChoices.isEmpty)
            let none = await refusal(root, .allowance, "games", nil)
            #expect(none?.reason == .unknown && none?.parameters["name"] == "allowance games")
        }
    }

    @Test("one that a gated action needs is not taken back, and the refusal names it; a shipped one may take its place")
    func needed() async throws {
        try await with(shipped: "allowances: {films: {week: 5h}}\n") { gate, store, root in
            try await set(root)
            try await guardApp(root)
            let refused = await refusal(root, .allowance, "games", nil)
            #expect(refused?.reason == .badPolicy && refused?.parameters["needed-by"] == "app.chess")
            #expect(store.gateChoices.count == 2 && refused?.parameters["name"] == "allowance games")
            try await set(root, .allowance, "films", "{week: 1h}")
            try await guardApp(root, "{allowance: films}")
            let back = try await set(root, .allowance, "films", nil)
            #expect(back.after?.notation == "{week: 5h}" && back.after?.origin?.layer == .shipped)
            try await set(root, .allowance, "games", nil)
            #expect(store.gateChoices.keys.sorted() == ["app.chess"])
        }
    }

    @Test("a child changes no times, in parent mode neither, and a grown-up is asked for the passcode")
    func permission() async throws {
        try await with { gate, store, root in
            let mother = GatePerson(name: "mother", kind: .grownUp, user: .init(name: "user1004", uid: 1004))
            _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(mother)))
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            await gate.authority.settled()
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: .seconds(60), reason: "a test"))
            for name in ["anna", "ben", "screen"] {
                let peer = try await gate.connect(name)
                for notation in ["{mon-sun: 24h}", nil] {
                    let refusal = await refusal(peer, .allowance, "games", notation)
                    #expect(refusal?.code == .permissionDenied && refusal?.reason == .notPermitted, "\(name)")
                }
            }
            let refusal = await refusal(try await gate.connect("mother"))
            #expect(refusal?.parameters["what"] == "change-grant")
            #expect(
                refusal?.parameters["details"] == "change allowance games: Monday to Friday 1h; before: none")
            #expect(store.gateChoices.isEmpty)
        }
    }

    @Test("what is only checked changes nothing, and says what would be")
    func checked() async throws {
        try await with { _, store, root in
            let kinds = store.kinds
            let checked = try await set(root, checkOnly: true)
            #expect(checked.revision == nil && checked.after?.notation == "{mon-fri: 1h}")
            let left = try await rules(root)
            #expect(left.isEmpty && store.kinds == kinds)
        }
    }

    @Test("what the device's own files say is not overruled")
    func overruled() async throws {
        try await with(policy: Self.own + "allowances: {games: {mon: 2h}}\n") { _, store, root in
            let refusal = await refusal(root)
            #expect(refusal?.reason == .badPolicy && refusal?.parameters["overruled-by"] == "policy.yaml:2")
            #expect(store.gateChoices.isEmpty)
        }
    }

    @Test(
        "the times that gate.change needs are not chosen and not taken back, since only /etc/gate says what stands there"
    )
    func beforeChanges() async throws {
        let shipped = "schedules: {evenings: {mon-sun: 18:00-20:00}, mornings: {mon-sun: 6:00-8:00}}\n"
        func own(_ name: String) -> String {
            Self.own + "gated-actions: {gate.change: {requires: {all: [{challenge: passcode}, {during: \(name)}]}}}\n"
        }
        try await with(policy: own("evenings"), shipped: shipped) { gate, store, root in
            let refused = await refusal(root, .schedule, "evenings", "{mon-sun: 0:00-24:00}")
            #expect(refused?.reason == .badPolicy && refused?.parameters["name"] == "gate.change")
            #expect(refused?.parameters["overruled-by"] == "policy.yaml:2" && store.gateChoices.isEmpty)
            try await set(root, .schedule, "mornings", "{mon-sun: 7:00-8:00}")
            try await set(root, .allowance, "evenings")
            gate.policyText.value = own("mornings")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            let kept = await refusal(root, .schedule, "mornings", nil)
            #expect(kept?.parameters["name"] == "gate.change" && store.gateChoices.count == 2)
            try await set(root, .schedule, "evenings", "{mon-sun: 17:00-20:00}")
        }
    }

    @Test(
        "what is no time is refused, and leaves no trace",
        arguments: [
            (TimeRule.Kind.allowance, "games", "{mon: soon}"), (.allowance, "games", "{mon: 1h}\nroles: {}"),
            (.allowance, "games", "{}"), (.allowance, "games", "{mon: 15:00-19:00}"), (.schedule, "games", "{mon: 1h}"),
            (.allowance, "Games", "{mon: 1h}"), (.allowance, "a b", "{mon: 1h}"), (.schedule, "", "{mon: 9:00-10:00}"),
            (.unrecognized, "games", "{mon: 1h}"), (.allowance, "games", String(repeating: "#", count: 5000)),
        ])
    func mistakes(kind: TimeRule.Kind, name: String, notation: String) async throws {
        try await with { _, store, root in
            let refusal = await refusal(root, kind, name, notation)
            #expect(
                refusal?.reason == .badPolicy || refusal?.reason == .invalidRequest, "\(String(describing: refusal))")
            let left = try await rules(root)
            #expect(left.isEmpty && store.gateChoices.isEmpty)
        }
    }

    @Test("one more than there may be is refused, and breaks nothing that packages have installed")
    func many() async throws {
        let lines = (1...15).map { "  a\($0): {week: 1h}\n" }.joined()
        let shipped = "allowances:\n\(lines)gated-actions: {film.watch: {requires: {allowance: a15}}}\n"
        try await with(shipped: shipped) { _, store, root in
            try await set(root)
            let refusal = await refusal(root, .allowance, "films")
            #expect(refusal?.reason == .badPolicy)
            let rules = try await rules(root)
            #expect(rules.count == 16 && store.gateChoices.count == 1)
        }
    }

    @Test("what was chosen counts again after the device's files were read anew, and a file that names it is refused")
    func files() async throws {
        try await with { gate, _, root in
            try await set(root)
            gate.policyText.value = Self.own + "gated-actions: {play: {requires: {allowance: games}}}\n"
            let refusal = await root.refusal(of: Methods.Control.reload, ReloadRequest())
            #expect(refusal?.message.contains("'games' was only chosen on this device") ?? false)
            gate.policyText.value = Self.own + "allowances: {films: {week: 1h}}\n"
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            let listed = try await rules(root)
            #expect(listed.map(\.name) == ["films", "games"])
        }
    }
}
