import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Choosing what stands before a gated action, through gated (U-07, U-08)", .timeLimit(.minutes(10)))
struct GateChangingTests {
    private static let own = "roles: {presenter: {users: [screen]}, grown-up-presenter: {users: [mother]}}\n"
    private static let shipped = """
        gated-actions:
          link.open: {title: {en: Web, de: Netz}, requires: {challenge: swipe}, keep: 5m}
          purchase: {requires: {challenge: passcode}}

        """

    private func with(
        policy: String = own, _ body: (LiveGate, MemoryStore, _ root: Connected) async throws -> Void
    ) async throws {
        try await LiveGate.with(policy: policy, shipped: Self.shipped) { gate, store in
            try await body(gate, store, try await gate.connect("root"))
        }
    }

    private func gates(_ peer: Connected) async throws -> [String: GatedActionSummary] {
        let list = try await peer.call(Methods.Authorization.listGatedActions, ListGatedActionsRequest())
        return Dictionary(uniqueKeysWithValues: list.elements.map { ($0.name, $0) })
    }

    @discardableResult
    private func set(
        _ peer: Connected, _ name: String = "link.open", _ requires: String? = "passcode", keep: Duration? = nil,
        checkOnly: Bool = false
    ) async throws -> SetGateResponse {
        try await peer.call(
            Methods.Control.setGate,
            SetGateRequest(gatedAction: name, requires: requires, keep: keep, checkOnly: checkOnly))
    }

    @Test("a choice replaces the shipped default as a whole, is kept over reloads, and goes away when it is taken back")
    func chosen() async throws {
        try await with { _, store, root in
            let first = try await set(root)
            #expect(first.before?.gatedAction.keep == .seconds(300) && first.before?.strength?.programPasses == true)
            #expect(
                first.before?.gatedAction.origin == PolicyOrigin(layer: .shipped, file: "shipped/gate.yaml", line: 2))
            let after = try #require(first.after)
            #expect(after.gatedAction.requirement == "challenge passcode" && after.gatedAction.keep == nil)
            #expect(after.gatedAction.titles.text(for: ["de"]) == "Netz")
            #expect(after.gatedAction.origin == PolicyOrigin(layer: .choices, file: "choice of link.open"))
            #expect(after.strength.map { $0.guessedPerMillion < 100_000 && !$0.programPasses } ?? false)
            #expect(after.conditions.map(\.kind).count == 1 && first.revision != nil)
            #expect(store.kinds.last == .gateChanged)
            #expect(
                store.details.last
                    == "link.open: challenge passcode; before: challenge swipe, not asked again for 5m")
            #expect(store.gateChoices.keys.sorted() == ["link.open"])
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(try await gates(root)["link.open"]?.requirement == "challenge passcode")
            let policy = try await root.call(Methods.Control.policy, GetPolicyRequest())
            #expect(policy.inForce.contains { $0.hasSuffix("challenge passcode [choice of link.open]") })

            let second = try await set(root, "link.open", "{mode: parent}", keep: .seconds(60))
            #expect(second.before?.gatedAction == after.gatedAction && second.after?.gatedAction.keep == .seconds(60))
            let last = try await set(root, "link.open", nil)
            #expect(last.after?.gatedAction == first.before?.gatedAction && store.gateChoices.isEmpty)
            let refusal = await root.refusal(
                of: Methods.Control.setGate, SetGateRequest(gatedAction: "link.open", requires: nil))
            #expect(refusal?.reason == .unknown && refusal?.parameters["what"] == "gate-choice")
        }
    }

    @Test("a choice makes a new action, and when it is taken back the action is denied again")
    func newAction() async throws {
        try await with { _, _, root in
            let made = try await set(root, "calls.video", "{challenge: {kind: confirm, answered-by: grown-up}}")
            #expect(made.before == nil && made.after?.gatedAction.title == "calls.video")
            #expect(try await gates(root)["calls.video"] != nil)
            #expect(try await set(root, "calls.video", nil).after == nil)
            #expect(try await gates(root)["calls.video"] == nil)
        }
    }

    @Test("a child changes no gate, in parent mode neither, and not by asking what would be", arguments: [true, false])
    func child(checkOnly: Bool) async throws {
        try await with(policy: Self.own + "mode: {challenge: arithmetic-choice}\n") { gate, store, root in
            let before = try await gates(root)
            for name in ["anna", "ben", "screen", "mother"] {
                let peer = try await gate.connect(name)
                for requires in ["signed-in", nil] {
                    let refusal = await peer.refusal(
                        of: Methods.Control.setGate,
                        SetGateRequest(gatedAction: "link.open", requires: requires, checkOnly: checkOnly))
                    #expect(refusal?.code == .permissionDenied && refusal?.reason == .notPermitted, "\(name)")
                }
            }
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: .seconds(60), reason: "a test"))
            let anna = try await gate.connect("anna")
            let refusal = await anna.refusal(
                of: Methods.Control.setGate, SetGateRequest(gatedAction: "link.open", requires: "signed-in"))
            #expect(refusal?.code == .permissionDenied)
            #expect(try await gates(root) == before && store.gateChoices.isEmpty)
        }
    }

    @Test("a choice that only is checked changes nothing, and says what would be")
    func checked() async throws {
        try await with { _, store, root in
            let (before, kinds) = (try await gates(root), store.kinds)
            let checked = try await set(root, checkOnly: true)
            #expect(checked.revision == nil && checked.after?.gatedAction.requirement == "challenge passcode")
            #expect(try await gates(root) == before && store.kinds == kinds)
        }
    }

    @Test("what the device's own files say is not overruled by a choice, which is refused and leaves no trace")
    func overruled() async throws {
        let policy = Self.own + "gated-actions: {link.open: {requires: {challenge: totp}}}\n"
        try await with(policy: policy) { _, store, root in
            let refusal = await root.refusal(
                of: Methods.Control.setGate, SetGateRequest(gatedAction: "link.open", requires: "signed-in"))
            #expect(refusal?.reason == .badPolicy && refusal?.parameters["overruled-by"] == "policy.yaml:2")
            let now = try await gates(root)
            #expect(now["link.open"]?.requirement == "challenge totp" && store.gateChoices.isEmpty)
        }
    }

    @Test(
        "a choice that does not fit the policy is refused with its mistakes, and leaves no trace",
        arguments: [
            ("link.open", "{form: gone}"), ("link.open", "{entitlement: gone}"), ("link.open", "{challenge: quiz}"),
            ("link.open", "nonsense"), ("link.open", "{}"), ("link.open", "{mode: parent"), ("mode", "passcode"),
            ("passcode", "passcode"), ("household.open", "signed-in"), ("gate.change", "swipe"), ("Link", "passcode"),
            ("a b", "passcode"),
            ("link.open", "{mode: parent}}}\nroles: {administrator: {users: [anna]}}\nx: {{{"),
            ("link.open", "{mode: parent}, purchase: {requires: signed-in}"),
            ("x: {requires: signed-in}\nlink.open", "passcode"),
            ("link.open", String(repeating: "#", count: 5000)),
        ])
    func mistakes(name: String, requires: String) async throws {
        try await with { gate, store, root in
            let before = try await gates(root)
            let refusal = await root.refusal(
                of: Methods.Control.setGate, SetGateRequest(gatedAction: name, requires: requires))
            #expect(
                refusal?.reason == .badPolicy || refusal?.reason == .invalidRequest, "\(String(describing: refusal))")
            #expect(try await gates(root) == before && store.gateChoices.isEmpty)
            let anna = try await gate.connect("anna")
            #expect(await anna.refusal(of: Methods.Control.reload, ReloadRequest())?.code == .permissionDenied)
        }
    }

    @Test(
        "`keep` and a title are checked, too",
        arguments: [.seconds(-1), .milliseconds(1500), .seconds(100_000)] as [Duration])
    func keep(duration: Duration) async throws {
        try await with { _, store, root in
            let refusal = await root.refusal(
                of: Methods.Control.setGate,
                SetGateRequest(gatedAction: "link.open", requires: "passcode", keep: duration))
            #expect(refusal?.reason == .badPolicy || refusal?.reason == .invalidRequest)
            let title = await root.refusal(
                of: Methods.Control.setGate,
                SetGateRequest(gatedAction: "link.open", requires: "passcode", title: "a\nb"))
            #expect(title?.reason == .badPolicy && store.gateChoices.isEmpty)
        }
    }

    @Test("what more time can be asked for is chosen with the requirement, or stays as it is")
    func moreTime() async throws {
        let own = Self.own + "allowances: {games: {mon-sun: 1h}}\n"
        try await with(policy: own) { _, store, root in
            let amounts: [AskChoice] = [.time(.seconds(900)), .time(.seconds(5400)), .today]
            let open = "{allowance: games}"
            // The requirement, the choice of more time, and what can be asked for then.
            let steps: [(String, [AskChoice]?, [AskChoice])] = [
                (open, amounts, amounts), ("{any: [{mode: parent}, \(open)]}", nil, amounts), (open, [], []),
                (open, nil, []), (open, [.today], [.today]), ("{mode: parent}", nil, []), (open, nil, []),
            ]
            for (requires, moreTime, expected) in steps {
                let request = SetGateRequest(gatedAction: "game.play", requires: requires, moreTime: moreTime)
                let after = try await root.call(Methods.Control.setGate, request).after?.gatedAction
                #expect(after?.moreTime == expected)
                let listed = try await gates(root)["game.play"]
                #expect(listed == after)
            }
            #expect(store.details.contains { $0.hasSuffix(", more time 15m, 1h30m, today; before: denied") })
        }
    }

    @Test(
        "more time is checked, too: where nothing limits the time it is a mistake",
        arguments: [
            ("{mode: parent}", [.today]), ("{allowance: games}", [.once]), ("{allowance: games}", [.today, .today]),
            ("{allowance: games}", [.time(.seconds(1))]),
            ("{allowance: games}", (1...9).map { .time(.seconds($0 * 60)) }),
        ] as [(String, [AskChoice])])
    func badMoreTime(requires: String, amounts: [AskChoice]) async throws {
        try await with(policy: Self.own + "allowances: {games: {mon-sun: 1h}}\n") { _, store, root in
            let refusal = await root.refusal(
                of: Methods.Control.setGate,
                SetGateRequest(gatedAction: "game.play", requires: requires, moreTime: amounts))
            #expect(refusal?.reason == .badPolicy || refusal?.reason == .invalidRequest)
            let listed = try await gates(root)["game.play"]
            #expect(listed == nil && store.gateChoices.isEmpty)
        }
    }

    @Test("with a full disk nothing changes, and the next try starts over")
    func fullDisk() async throws {
        try await with { _, store, root in
            store.setFull(true)
            let refusal = await root.refusal(
                of: Methods.Control.setGate, SetGateRequest(gatedAction: "link.open", requires: "passcode"))
            #expect(refusal?.reason == .storeFailed)
            #expect(try await gates(root)["link.open"]?.requirement == "challenge swipe")
            store.setFull(false)
            try await set(root)
            #expect(try await gates(root)["link.open"]?.requirement == "challenge passcode")
        }
    }

    @Test("of many changes at once and reloads between them, all count in the end")
    func atOnce() async throws {
        try await with { gate, store, root in
            let other = try await gate.connect("root")
            for round in 1...10 {
                async let first = set(root, "a", "{mode: parent}", keep: .seconds(round))
                async let second = set(other, "b", "{mode: parent}", keep: .seconds(round))
                async let reload = root.call(Methods.Control.reload, ReloadRequest())
                _ = try await (first, second, reload)
                let now = try await gates(root)
                #expect(now["a"]?.keep == .seconds(round) && now["b"]?.keep == .seconds(round))
            }
            #expect(store.gateChoices.keys.sorted() == ["a", "b"])
        }
    }

    @Test("a broken file of a package denies what it names, is told, and keeps choices and the rest in force")
    func brokenVendor() async throws {
        try await with { gate, _, root in
            try await set(root)
            gate.shippedText.value = "mode: {lease: soon}\n" + Self.shipped
            let policy = try #require(try await root.call(Methods.Control.reload, ReloadRequest()).policy)
            #expect(policy.mistakes.contains { $0.hasPrefix("shipped/gate.yaml:1:15: ") })
            #expect(policy.mistakes.contains { $0.hasSuffix("is denied: link.open, purchase") })
            let gates = try await gates(root)
            #expect(Array(gates.keys) == ["link.open"] && gates["link.open"]?.origin?.layer == .choices)
        }
    }
}
