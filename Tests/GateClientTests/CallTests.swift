import GateProtocol
import Glibc
import TTRPC
import TTRPCTransport
import Testing

@testable import GateClient

@Suite("Calls")
struct CallTests {
    @Test("each call sends its request and returns the daemon's answer")
    func callRoundTrip() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let mode = gate.mode.state().mode
            let exchange = try await server.expect("gate.v1.Mode/GetMode")
            await exchange.respond(GetModeResponse(revision: here, state: ModeState(mode: .parent, deadline: nil)))
            #expect(try await mode == .parent)

            async let override = gate.mode.override(.parent, for: .seconds(900), reason: "owner")
            let second = try await server.expect("gate.v1.Mode/OverrideMode")
            #expect(
                try OverrideModeRequest(decoding: second.request.payload)
                    == OverrideModeRequest(mode: .parent, duration: .seconds(900), reason: "owner"))
            #expect(second.connection === exchange.connection)
            await second.respond(OverrideModeResponse(revision: here, state: .closed))
            #expect(try await override == .closed)
            try await server.stop()
        }
    }

    @Test("the program says its name with every call")
    func programName() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            var options = patientOptions(path)
            options.programName = "launcher"
            let gate = GateClient(options)
            async let pong = gate.control.ping()
            let exchange = try await server.expect("gate.v1.Control/Ping")
            #expect(exchange.request.metadata.map(\.value) == ["launcher"])
            await exchange.respond(PingResponse(echo: [], revision: here))
            #expect(try await pong.revision == here)
            try await server.stop()
        }
    }

    @Test("a refusal arrives with its code, reason, message and time to try again")
    func refusal() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let refusal = GateError(.resourceExhausted, .lockedOut, "Wait half a minute.", retryAfter: .seconds(30))
            async let result = gate.resultOfToggle()
            try await server.expect("gate.v1.Mode/Toggle").fail(refusal)
            #expect(await result == .failure(refusal))
            try await server.stop()
        }
    }

    @Test("an answer that can't be read is the daemon's mistake")
    func unreadableAnswer() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.resultOfToggle()
            try await server.expect("gate.v1.Mode/Toggle").respond(payload: [0xff, 0xff])
            #expect(await result.code == .internal)
            try await server.stop()
        }
    }

    @Test("without a daemon a call fails at once with UNAVAILABLE, and says what to do")
    func nobodyThere() async throws {
        try await withSocketPath { path in
            let result = await client(of: path).resultOfToggle()
            guard case .failure(let error) = result else {
                Issue.record("it succeeded")
                return
            }
            #expect(error.code == .unavailable)
            #expect(error.message.contains(path) && error.message.contains("systemctl status gated"))
        }
    }

    @Test("a call under way when the daemon dies fails with UNAVAILABLE, and is not sent again")
    func connectionLostDuringCall() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.resultOfToggle()
            try await server.expect("gate.v1.Mode/Toggle").closeConnection()
            #expect(await result.code == .unavailable)
            // The next request that the server gets is that of the next call.
            async let next = gate.resultOfToggle()
            let exchange = try await server.next()
            await exchange.respond(ToggleResponse(revision: here, state: .closed))
            #expect(await next == .success(.closed))
            try await server.stop()
        }
    }

    @Test("when the daemon is back, calls work again")
    func reconnects() async throws {
        try await withSocketPath { path in
            let gate = client(of: path)
            for number in UInt64(1)...3 {
                let server = try await ScriptedServer.start(at: path)
                async let pong = gate.pingUntilAnswered()
                let exchange = try await server.expect("gate.v1.Control/Ping")
                await exchange.respond(PingResponse(echo: [], revision: Revision(epoch: 7, number: number)))
                #expect(try await pong.number == number)
                try await server.stop()
            }
        }
    }

    @Test("calls at the same time share one connection")
    func oneConnection() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let answers = withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 { group.addTask { await gate.resultOfToggle() == .success(.closed) } }
                return await group.reduce(true) { $0 && $1 }
            }
            var connections: Set<UInt64> = []
            for _ in 0..<20 {
                let exchange = try await server.expect("gate.v1.Mode/Toggle")
                connections.insert(exchange.connection.id)
                await exchange.respond(ToggleResponse(revision: here, state: .closed))
            }
            #expect(await answers)
            #expect(connections.count == 1)
            try await server.stop()
        }
    }

    @Test("a cancelled task cancels its call on the daemon too")
    func cancellation() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let task = Task { await gate.resultOfToggle() }
            let exchange = try await server.expect("gate.v1.Mode/Toggle")
            task.cancel()
            let cancel = try await server.expect("gate.v1.Control/Cancel")
            #expect(try CancelRequest(decoding: cancel.request.payload).streamID == exchange.request.streamID)
            #expect(await task.value.code == .cancelled)
            try await server.stop()
        }
    }

    @Test("a daemon that runs as an untrusted user is refused")
    func untrustedServer() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = GateClient(patientOptions(path, trustedServers: .uids([geteuid() + 1])))
            let result = await gate.resultOfToggle()
            guard case .failure(let error) = result else {
                Issue.record("it succeeded")
                return
            }
            #expect(error.code == .permissionDenied)
            #expect(error.message.contains("uid \(geteuid())") && error.message.contains("--server-user"))
            try await server.stop()
        }
    }

    @Test("the daemon's user is trusted by name and by number, and root always is")
    func trustedServers() {
        #expect(GateClientOptions.TrustedServers.userID(of: "root") == 0)
        #expect(GateClientOptions.TrustedServers.userID(of: "4711") == 4711)
        #expect(GateClientOptions.TrustedServers.userID(of: "no such user") == nil)
    }

    @Test("names are looked up in the device's own files")
    func localAccounts() {
        let text: Substring = "root:x:0:0::/root:/bin/sh\ngate:x:990:990::/:/bin/false\nbroken\n:x:7:\nbad:x:y:\n"
        #expect(LocalAccounts.id(named: "root", in: text) == 0)
        #expect(LocalAccounts.id(named: "gate", in: text) == 990)
        for name in ["gat", "broken", "bad", "nobody", "GATE"] {
            #expect(LocalAccounts.id(named: name, in: text) == nil)
        }
        #expect(LocalAccounts.name(of: 0, in: text) == "root" && LocalAccounts.name(of: 990, in: text) == "gate")
        for uid: UInt32 in [7, 99] { #expect(LocalAccounts.name(of: uid, in: text) == nil) }
        #expect(LocalAccounts.groupID(named: "root") == 0)
        #expect(LocalAccounts.userID(named: "") == nil)
    }

    @Test("a call that takes longer than the options allow fails with DEADLINE_EXCEEDED")
    func callTimeout() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = GateClient(
                GateClientOptions(socketPath: path, trustedServers: .anyone, callTimeout: .milliseconds(1)))
            do throws(GateError) {
                _ = try await gate.mode.lock()
                Issue.record("it succeeded")
            } catch {
                #expect(error.code == .deadlineExceeded)
            }
            try await server.stop()
        }
    }

    @Test("a closed client fails its calls, and stays closed")
    func closed() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.resultOfToggle()
            _ = try await server.expect("gate.v1.Mode/Toggle")
            await gate.close()
            #expect(await result.code != nil)
            #expect(await gate.resultOfToggle().code == .cancelled)
            await gate.close()
            try await server.stop()
        }
    }
}

extension GateClient {
    func resultOfToggle() async -> Result<ModeState, GateError> {
        do throws(GateError) {
            return .success(try await mode.toggle())
        } catch {
            return .failure(error)
        }
    }

    /// Right after a daemon was stopped its connection may still look open.
    func pingUntilAnswered() async throws -> Revision {
        while true {
            do throws(GateError) {
                return try await control.ping().revision
            } catch {
                guard error.code == .unavailable else { throw error }
            }
        }
    }
}

extension Result where Failure == GateError {
    /// The code of the failure.
    var code: GateError.Code? {
        switch self {
        case .success: nil
        case .failure(let error): error.code
        }
    }
}
