import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite(
    "A choice is put together with the policy in force, whatever is in the files by now (U-07)",
    .timeLimit(.minutes(10)))
struct GatesInForceTests {
    private static let own = "mode: {challenge: passcode}\n"
    private static let shipped = """
        gated-actions:
          link.open: {title: {en: Web, de: Netz}, requires: {challenge: swipe}}

        """

    private func gates(_ peer: Connected) async throws -> [String: GatedActionSummary] {
        let list = try await peer.call(Methods.Authorization.listGatedActions, ListGatedActionsRequest())
        return Dictionary(uniqueKeysWithValues: list.elements.map { ($0.name, $0) })
    }

    private func set(
        _ peer: Connected, _ name: String = "link.open", _ requires: String? = "passcode", title: String? = nil
    ) async throws {
        _ = try await peer.call(
            Methods.Control.setGate, SetGateRequest(gatedAction: name, requires: requires, title: title))
    }

    @Test(
        "a file that is being written keeps nobody from changing a gate, and counts only after a reload",
        arguments: [
            "mode: [", own + "gated-actions: {link.open: {requires: signed-in}, draft: {requires: signed-in}}\n",
        ])
    func halfWritten(text: String) async throws {
        try await LiveGate.with(policy: Self.own, shipped: Self.shipped) { gate, store in
            let root = try await gate.connect("root")
            gate.policyText.value = text
            gate.shippedText.value = "gated-actions: {link.open: {requires: ["
            try await set(root)
            let now = try await gates(root)
            #expect(now["link.open"]?.requirement == "challenge passcode" && now["draft"] == nil)
            try await set(root, "link.open", nil)
            #expect(try await gates(root)["link.open"]?.requirement == "challenge swipe")
            #expect(store.gateChoices.isEmpty)
            // What was reloaded meanwhile counts for the next change.
            gate.policyText.value = Self.own + "gated-actions: {done: {requires: signed-in}}\n"
            gate.shippedText.value = Self.shipped
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            try await set(root)
            #expect(try await gates(root)["done"] != nil)
        }
    }

    @Test("of changes and reloads at once, none brings files back that a reload has replaced")
    func reloadsBetween() async throws {
        try await LiveGate.with(policy: Self.own, shipped: Self.shipped) { gate, _ in
            let (root, other) = (try await gate.connect("root"), try await gate.connect("root"))
            for round in 1...20 {
                gate.policyText.value = Self.own + "gated-actions: {round.a\(round): {requires: signed-in}}\n"
                async let change: Void = set(root, "link.open", round.isMultiple(of: 2) ? "totp" : "passcode")
                async let reload = other.call(Methods.Control.reload, ReloadRequest())
                _ = try await (change, reload)
                #expect(try await gates(root)["round.a\(round)"] != nil)
            }
        }
    }

    @Test(
        "a choice that is made while a reload waits for the disk keeps what the reload has read",
        arguments: [true, false])
    func reloadWaiting(isFull: Bool) async throws {
        try await LiveGate.with(policy: Self.own, shipped: Self.shipped) { gate, store in
            let (root, other) = (try await gate.connect("root"), try await gate.connect("root"))
            gate.policyText.value = Self.own + "gated-actions: {done: {requires: signed-in}}\n"
            await gate.authority.settled()
            store.hold()
            let reload = Task { await other.refusal(of: Methods.Control.reload, ReloadRequest()) }
            while await gate.authority.commandsWaiting < 1 { await Task.yield() }
            let change = Task {
                await root.refusal(
                    of: Methods.Control.setGate, SetGateRequest(gatedAction: "link.open", requires: "passcode"))
            }
            while await gate.authority.commandsWaiting < 2 { await Task.yield() }
            store.setFull(isFull)
            store.release()
            let refusals = [await reload.value?.reason, await change.value?.reason]
            #expect(refusals == (isFull ? [.storeFailed, .storeFailed] : [nil, nil]))
            store.setFull(false)
            // A reload that failed leaves no files behind, either.
            if isFull { try await set(root) }
            let now = try await gates(root)
            #expect((now["done"] != nil) == !isFull && now["link.open"]?.requirement == "challenge passcode")
        }
    }

    @Test("the title stays in all its languages if the same one is given")
    func titles() async throws {
        try await LiveGate.with(policy: Self.own, shipped: Self.shipped) { gate, store in
            let root = try await gate.connect("root")
            try await set(root, title: "Web")
            #expect(try await gates(root)["link.open"]?.titles.text(for: ["de"]) == "Netz")
            #expect(store.details.last == "link.open: challenge passcode; before: challenge swipe")
            try await set(root, title: "Internet")
            #expect(try await gates(root)["link.open"]?.titles.text(for: ["de"]) == "Internet")
            #expect(
                store.details.last
                    == "link.open: challenge passcode; before: challenge passcode; title: Internet, instead of titles in en, "
                    + "de")
        }
    }

    @Test("a grown-up's programs leave places for administrators, however many changes they ask for at once")
    func places() async throws {
        try await LiveGate.with(policy: Self.own, shipped: Self.shipped) { gate, _ in
            let root = try await gate.connect("root")
            let mother = GatePerson(name: "mother", kind: .grownUp, user: .init(name: "user1004", uid: 1004))
            _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(mother)))
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            await gate.authority.settled()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    let peer = try await gate.connect("mother")
                    group.addTask {
                        for _ in 1...20 {
                            let refusal = await peer.refusal(
                                of: Methods.Control.setGate,
                                SetGateRequest(gatedAction: "link.open", requires: "confirm", checkOnly: true))
                            #expect(refusal == nil || refusal?.parameters["what"] == "gate-changes")
                        }
                    }
                }
                for round in 1...20 { try await set(root, "a", round.isMultiple(of: 2) ? "totp" : "passcode") }
                try await group.waitForAll()
            }
        }
    }
}

extension Authority {
    fileprivate var commandsWaiting: Int { pipeline.bill.ofAll.commands }
}
