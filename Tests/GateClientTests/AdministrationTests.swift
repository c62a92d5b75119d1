import GateClient
import GateProtocol
import TTRPCTransport
import Testing

@Suite("Administration")
struct AdministrationTests {
    private func action(_ name: String) -> GatedActionSummary {
        GatedActionSummary(name: name, title: LocalizedText(name), requirement: "challenge confirm", keep: nil)
    }

    @Test("all pages of a list are read, each with the token of the page before")
    func pages() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let actions = gate.authorization.gatedActions()
            for (token, names, next) in [("", ["a", "b"], "b"), ("b", ["c"], "c"), ("c", [], "")] {
                let list = try await server.expect("gate.v1.Authorization/ListGatedActions")
                #expect(try ListGatedActionsRequest(decoding: list.request.payload).pageToken == token)
                await list.respond(
                    ListGatedActionsResponse(names.map(action), nextPageToken: next))
            }
            #expect(try await actions.map(\.name) == ["a", "b", "c"])
            try await server.stop()
        }
    }

    @Test("of a gated action that has gone since it was listed, what the list said is known")
    func goneSinceListed() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let listed = action("calls.video")
            async let rule = gate.authorization.rule(of: listed)
            let get = try await server.expect("gate.v1.Authorization/GetGatedAction")
            await get.fail(GateError(.notFound, .unknown, "The policy has no gated action calls.video."))
            #expect(try await rule == GateRule(gatedAction: listed, strength: nil))
            try await server.stop()
        }
    }

    @Test("a list that has no end is given up")
    func endless() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            for grants in [[], [KeptGrantSummary(uid: 1000, gatedAction: "a", deadline: .now())]] {
                let task = Task { try await gate.authorization.keptGrants() }
                let pages = grants.isEmpty ? 1 : 2
                for _ in 0..<pages {
                    let list = try await server.expect("gate.v1.Authorization/ListGrants")
                    await list.respond(ListGrantsResponse(grants, nextPageToken: "more"))
                }
                await #expect(throws: GateError.self) { try await task.value }
            }
            try await server.stop()
        }
    }

    @Test("a call that names no user, gate or action is for all of them")
    func wholesale() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            for (uid, name) in [(nil, nil), (0 as UInt32?, "link.open" as String?)] {
                async let revoked = gate.authorization.revokeGrants(for: name, of: uid)
                let revoke = try await server.expect("gate.v1.Authorization/Revoke")
                #expect(
                    try RevokeRequest(decoding: revoke.request.payload)
                        == RevokeRequest(uid: uid, gatedAction: name ?? ""))
                await revoke.respond(RevokeResponse(revision: here, count: 2))
                #expect(try await revoked == RevokedGrants(count: 2, revision: here))

                async let cleared = gate.authorization.clearLockouts(of: uid, at: name.map { .gatedAction($0) })
                let clear = try await server.expect("gate.v1.Authorization/ClearLockout")
                #expect(
                    try ClearLockoutRequest(decoding: clear.request.payload)
                        == ClearLockoutRequest(uid: uid, gate: name.map { .gatedAction($0) }))
                await clear.respond(ClearLockoutResponse(revision: here, count: 3))
                #expect(try await cleared == ClearedLockouts(count: 3, revision: here))
            }
            try await server.stop()
        }
    }

    @Test("secrets reach the daemon as they are, and their kinds come back")
    func secrets() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let passcode = GateSecret("päss".utf8)
            async let set = gate.secrets.setPasscode(passcode)
            let setting = try await server.expect("gate.v1.Secrets/SetPasscode")
            #expect(try SetPasscodeRequest(decoding: setting.request.payload).passcode == passcode)
            await setting.respond(SetPasscodeResponse(revision: here))
            #expect(try await set == SecretChange(kind: .passcode, revision: here))

            let key = GateSecret(Array(1...20))
            async let enrolled = gate.secrets.enrolTOTP(key: key, code: GateSecret("123456".utf8))
            let enrolling = try await server.expect("gate.v1.Secrets/EnrolTOTP")
            #expect(
                try EnrolTOTPRequest(decoding: enrolling.request.payload)
                    == EnrolTOTPRequest(key: key, code: GateSecret("123456".utf8)))
            await enrolling.respond(EnrolTOTPResponse(revision: here))
            #expect(try await enrolled == SecretChange(kind: .totp, revision: here))

            async let removed = gate.secrets.remove(.totp)
            let removing = try await server.expect("gate.v1.Secrets/RemoveSecret")
            #expect(try RemoveSecretRequest(decoding: removing.request.payload).kind == .totp)
            await removing.respond(RemoveSecretResponse(revision: here))
            #expect(try await removed == SecretChange(kind: .totp, revision: here))

            async let secrets = gate.secrets.state()
            try await server.expect("gate.v1.Secrets/GetSecrets").respond(GetSecretsResponse(kinds: [.passcode]))
            #expect(try await secrets.kinds == [.passcode])
            try await server.stop()
        }
    }

    @Test("the policy in force, lockouts and open presentations can be read")
    func reads() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let policy = gate.control.policy()
            try await server.expect("gate.v1.Control/GetPolicy").respond(GetPolicyResponse(inForce: ["lease 15m"]))
            #expect(try await policy == EffectivePolicy(lines: ["lease 15m"], summary: nil))

            let lockout = LockoutSummary(
                owner: .user(1000), gate: .mode, wrongAnswers: 3, limit: nil, remaining: .seconds(30))
            async let lockouts = gate.authorization.lockouts()
            try await server.expect("gate.v1.Authorization/ListLockouts")
                .respond(ListLockoutsResponse([lockout], nextPageToken: ""))
            #expect(try await lockouts == [lockout])

            let open = question(3).summary(.shown)
            async let presentations = gate.presentations.list()
            try await server.expect("gate.v1.Presentations/ListPresentations")
                .respond(ListPresentationsResponse(presentations: [open]))
            #expect(try await presentations == [open])
            try await server.stop()
        }
    }
}
