import GateClient
import GateProtocol
import TTRPCTransport
import Testing

@Suite("What a call has changed")
struct ChangeTests {
    @Test("a change returns what it changed and the revision from which it holds")
    func named() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let (anna, password) = (GatePerson(name: "anna", kind: .grownUp), GateSecret("hunter2".utf8))
            let change = PersonChange(name: "anna", revision: here)
            async let registered = gate.people.register(anna, password: password)
            try await server.expect("gate.v1.SignIn/RegisterAccount").respond(RegisterAccountResponse(revision: here))
            #expect(try await registered == change)
            async let confirmed = gate.people.confirm(anna, newPassword: password)
            try await server.expect("gate.v1.SignIn/ConfirmAccount").respond(ConfirmAccountResponse(revision: here))
            #expect(try await confirmed == change)
            async let set = gate.people.set(anna)
            try await server.expect("gate.v1.People/SetPerson").respond(SetPersonResponse(revision: here))
            #expect(try await set == change)
            async let removed = gate.people.remove("anna")
            try await server.expect("gate.v1.People/RemovePerson").respond(RemovePersonResponse(revision: here))
            #expect(try await removed == change)

            async let claimed = gate.entitlements.addClaim("premium", for: .device)
            try await server.expect("gate.v1.Entitlements/AddClaim").respond(
                AddClaimResponse(revision: here, name: "3"))
            let claim = ClaimChange(claim: Claim.ID(.manual, "3"), revision: here)
            #expect(try await claimed == claim)
            async let revoked = gate.entitlements.revokeClaim(claim.claim)
            try await server.expect("gate.v1.Entitlements/RevokeClaim").respond(RevokeClaimResponse(revision: here))
            #expect(try await revoked == claim)
            async let reported = gate.entitlements.reportProvider(.revenueCat, isReachable: true)
            try await server.expect("gate.v1.Entitlements/ReportProvider").respond(
                ReportProviderResponse(revision: here))
            #expect(try await reported == ProviderSubmission(provider: .revenueCat, revision: here))

            async let withdrawn = gate.presentations.withdraw(7)
            try await server.expect("gate.v1.Presentations/Withdraw").respond(WithdrawResponse(revision: here))
            #expect(try await withdrawn == WithdrawnPresentation(id: 7, revision: here))
            async let recovered = gate.control.recover()
            try await server.expect("gate.v1.Control/Recover").respond(
                RecoverResponse(revision: here, quarantinedFile: "/var/lib/gate/damaged"))
            #expect(try await recovered == StoreRecovery(damagedStorePath: "/var/lib/gate/damaged", revision: here))
            try await server.stop()
        }
    }

    @Test("a backup is handed piece by piece to an asynchronous closure")
    func backUp() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let file = BytesThatWait()
            async let written = gate.control.backUp { piece in await file.append(piece) }
            for (offset, piece) in [(0, [1, 2]), (2, [3])] as [(UInt64, [UInt8])] {
                let backup = try await server.expect("gate.v1.Control/Backup")
                #expect(
                    try BackupRequest(decoding: backup.request.payload)
                        == BackupRequest(backupID: offset == 0 ? 0 : 5, offset: offset))
                await backup.respond(BackupResponse(backupID: 5, piece: piece, byteCount: 3))
            }
            #expect(try await written.byteCount == 3)
            #expect(await file.bytes == [1, 2, 3])
            try await server.stop()
        }
    }

    @Test(
        "a restore returns the revision from which it is in force, and the choices left out; a mere check returns none",
        arguments: [nil, here])
    func restore(revision: Revision?) async throws {
        let contents = BackupSummary(
            version: "0.9.0", madeAt: nil, accountCount: 1, claimCount: 2, responseCount: 3, hasPasscode: true,
            hasTOTP: false)
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let file = BytesThatWait([7, 8, 9])
            async let restored = gate.control.restore(checkOnly: revision == nil) { _ in await file.removeFirst(2) }
            for (id, piece) in [(0, [7, 8]), (4, [9]), (4, [])] as [(UInt64, [UInt8])] {
                let restore = try await server.expect("gate.v1.Control/Restore")
                #expect(
                    try RestoreRequest(decoding: restore.request.payload)
                        == RestoreRequest(
                            restoreID: id, piece: piece, isLast: piece.isEmpty, checkOnly: revision == nil))
                await restore.respond(
                    RestoreResponse(
                        restoreID: 4, revision: piece.isEmpty ? revision : nil,
                        contents: piece.isEmpty ? contents : nil,
                        leftOutChoices: piece.isEmpty && revision != nil ? ["a", "b"] : []))
            }
            let backup = try await restored
            #expect(backup.contents == contents && backup.revision == revision)
            #expect(backup.leftOutChoices == (revision == nil ? [] : ["a", "b"]))
            try await server.stop()
        }
    }

    @Test("an error thrown by the caller's closure ends a backup or a restore, and is thrown unchanged")
    func ownErrors() async throws {
        struct DiskFull: Error {}
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let backup = Task { try await gate.control.backUp { _ in throw DiskFull() } }
            try await server.expect("gate.v1.Control/Backup").respond(
                BackupResponse(backupID: 5, piece: [1], byteCount: 3))
            await #expect(throws: DiskFull.self) { try await backup.value }
            await #expect(throws: DiskFull.self) { try await gate.control.restore { _ in throw DiskFull() } }
            try await server.stop()
        }
    }
}

private actor BytesThatWait {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    func append(_ piece: [UInt8]) { bytes += piece }

    func removeFirst(_ count: Int) -> [UInt8] {
        defer { bytes.removeFirst(min(count, bytes.count)) }
        return Array(bytes.prefix(count))
    }
}
