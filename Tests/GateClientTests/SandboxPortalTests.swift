import GateProtocol
import Glibc
import Testing

@testable import GateClient

@Suite("Sandboxed apps")
struct SandboxPortalTests {
    @Test("a sandbox is known by a regular file, not by a link or a folder")
    func flatpakInfo() async throws {
        try await withSocketPath { path in
            func found() -> String? { SandboxPortal.socketPath(infoPath: path, runtimeDirectory: "/run/user/7") }
            #expect(found() == nil)
            try #require(mkdir(path, 0o700) == 0)
            #expect(found() == nil)
            rmdir(path)
            try #require(symlink("/etc/passwd", path) == 0)
            #expect(found() == nil)
            unlink(path)
            let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            try #require(file >= 0)
            close(file)
            #expect(found() == "/run/user/7/gate/portal")
            for unusable in [nil, "", "run/user/7"] {
                #expect(
                    SandboxPortal.socketPath(infoPath: path, runtimeDirectory: unusable)
                        == "/run/user/\(geteuid())/gate/portal")
            }
        }
    }

    @Test("only at gate-portal's socket, and only by default, the own user is trusted")
    func trust() {
        var options = GateClientOptions(socketPath: "/run/user/7/gate/portal")
        options.portalPath = "/run/user/7/gate/portal"
        #expect(options.serverUserIDs == [0, geteuid()])
        options.trustedServers = .uids([4711])
        #expect(options.serverUserIDs == [4711])
        options.trustedServers = .rootAnd(user: "4711")
        #expect(options.serverUserIDs == [0, 4711])
        options.trustedServers = .rootAnd(user: GateClientOptions.defaultServerUser)
        options.socketPath = "/run/user/7/gate/other"
        #expect(options.serverUserIDs == options.trustedServers.userIDs)
        options.socketPath = "/run/user/7/gate/portal"
        options.portalPath = nil
        #expect(options.serverUserIDs == options.trustedServers.userIDs)
    }

    @Test("an app in a sandbox is told what its manifest and the device lack")
    func unreachable() async throws {
        try await withSocketPath { path in
            var options = GateClientOptions(socketPath: path)
            options.portalPath = path
            let gate = GateClient(options)
            let error = await #expect(throws: GateError.self) { try await gate.control.ping() }
            #expect(error?.code == .unavailable && error?.parameters["what"] == "sandbox")
            #expect(error?.message.contains("--filesystem=xdg-run/gate:ro") == true)
            #expect(error?.message.contains("install gate-portal") == true)
            #expect(throws: GateError.self) { try BlockingGateClient(options) }
        }
    }

    @Test("an app in a sandbox calls Gate through gate-portal")
    func calls() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            var options = patientOptions(path)
            options.trustedServers = .rootAnd(user: GateClientOptions.defaultServerUser)
            options.portalPath = path
            let gate = GateClient(options)
            async let mode = gate.mode.state().mode
            let exchange = try await server.expect("gate.v1.Mode/GetMode")
            await exchange.respond(GetModeResponse(revision: here, state: ModeState(mode: .parent, deadline: nil)))
            #expect(try await mode == .parent)
            try await server.stop()
        }
    }
}
