import GateClient
import GateProtocol
import TTRPCTransport
import Testing

private func revision(_ number: UInt64) -> Revision {
    Revision(epoch: 7, number: number)
}

@Suite("The journal")
struct AuditTests {
    private func entry(_ number: UInt64) -> AuditResponse {
        AuditResponse(
            revision: revision(number),
            entries: [
                AuditEntry(
                    number: number, time: WallTime(unixMilliseconds: 0), kind: .locked, actor: nil, mode: .child,
                    detail: "")
            ])
    }

    private let auditMethod = "gate.v1.Watch/Audit"

    @Test("a list of journal entries ends where the daemon ends it")
    func ends() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let numbers = gate.auditNumbers(gate.control.auditBatches(last: 2))
            let audit = try await server.expect(auditMethod)
            #expect(try AuditRequest(decoding: audit.request.payload) == AuditRequest(last: 2))
            await audit.send(entry(4))
            await audit.send(entry(5))
            await audit.finish()
            #expect(try await numbers == [4, 5])
            try await server.stop()
        }
    }

    @Test("a follower of the journal reconnects after a loss, and continues after the last entry it saw")
    func follows() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let numbers = gate.auditNumbers(gate.control.auditBatches(last: 2, following: true), atMost: 2)
            let first = try await server.expect(auditMethod)
            await first.send(entry(4))
            await first.closeConnection()
            let second = try await server.expect(auditMethod)
            #expect(
                try AuditRequest(decoding: second.request.payload)
                    == AuditRequest(after: revision(4), follow: true, last: nil))
            await second.send(entry(5))
            #expect(try await numbers == [4, 5])
            try await server.stop()
        }
    }

    @Test(
        "a refusal is thrown to the reader of the journal, even if it follows",
        arguments: [GateError.Code.permissionDenied, .outOfRange])
    func refused(code: GateError.Code) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let task = Task { try await gate.auditNumbers(gate.control.auditBatches(following: true)) }
            let audit = try await server.expect(auditMethod)
            await audit.send(entry(4))
            await audit.fail(GateError(code, .compacted, "No."))
            await #expect(throws: GateError(code, .compacted, "No.")) { try await task.value }
            try await server.stop()
        }
    }

    @Test("reading the journal without a daemon is an error, with or without following", arguments: [true, false])
    func nobodyThere(follow: Bool) async throws {
        try await withSocketPath { path in
            let gate = client(of: path)
            do {
                _ = try await gate.auditNumbers(gate.control.auditBatches(following: follow))
                Issue.record("it succeeded")
            } catch let error as GateError {
                #expect(error.code == .unavailable)
            }
        }
    }
}

extension GateClient {
    fileprivate func auditNumbers(_ audit: AuditSequence, atMost count: Int = .max) async throws -> [UInt64] {
        var seen: [UInt64] = []
        for try await batch in audit {
            seen += batch.entries.map(\.number)
            if seen.count >= count { break }
        }
        return seen
    }
}
