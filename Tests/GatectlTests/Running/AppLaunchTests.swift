import GateModel
import Glibc
import Testing

@testable import gatectl

@Suite("The conversation with gate-launcher")
struct AppLaunchTests {
    private static let proof = Grant.Proof(bytes: (0..<24).map { UInt8($0) })

    /// Both ends of a connection of packets.
    private static func connected() throws -> (launch: AppLaunch, launcher: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        return (AppLaunch(ends[0]), ends[1])
    }

    /// What gatectl makes of these answers, after which the launcher hangs up.
    private static func outcome(_ answers: String...) async throws -> AppLaunch.Outcome {
        let (launch, launcher) = try connected()
        for answer in answers { try #require(Glibc.send(launcher, answer, answer.utf8.count, 0) == answer.utf8.count) }
        close(launcher)
        return try await launch.outcome(of: "supertux2")
    }

    @Test("a packet has the version, the name, the proof and the variables, each with a NUL at its end (X-02)")
    func packet() {
        let packet = AppLaunch.packet("supertux2", Self.proof, variables: ["DISPLAY=:0", "LANG=de_DE.UTF-8"])
        #expect(
            String(decoding: packet, as: UTF8.self)
                == "1\0supertux2\0000102030405060708090a0b0c0d0e0f1011121314151617\0DISPLAY=:0\0LANG=de_DE.UTF-8\0")
    }

    @Test("only variables of display, desktop, terminal, language and time zone are sent, if they are short (X-01)")
    func variables() {
        let environment = [
            "DISPLAY": ":0", "LANG": "", "LC_TIME": "C", "TERM": String(repeating: "x", count: 513),
            "LD_PRELOAD": "/tmp/x.so", "PATH": "/tmp", "PYTHONPATH": "/tmp", "HOME": "/root", "TZ": "Europe/Berlin",
        ]
        #expect(AppLaunch.variables { environment[$0] } == ["DISPLAY=:0", "TZ=Europe/Berlin", "LC_TIME=C"])
    }

    @Test("the packet reaches the launcher whole, and the largest one is not too large for it")
    func sent() throws {
        let (launch, launcher) = try Self.connected()
        defer { close(launcher) }
        let variables = AppLaunch.variables { _ in String(repeating: "x", count: 512) }
        let packet = AppLaunch.packet(String(repeating: "a", count: 60), Self.proof, variables: variables)
        #expect(packet.count < 16 << 10)
        try launch.send(String(repeating: "a", count: 60), Self.proof, variables: variables)
        var received = [UInt8](repeating: 0, count: 32 << 10)
        let count = recv(launcher, &received, received.count, 0)
        #expect(Array(received.prefix(max(0, count))) == packet)
    }

    @Test("an app with windows runs, and one for terminals ends with its status (X-02)")
    func ends() async throws {
        #expect(try await Self.outcome("started") == .runs)
        #expect(try await Self.outcome("started", "ended 3") == .runs)
        #expect(try await Self.outcome("started terminal", "ended 0") == .ended(0))
        #expect(try await Self.outcome("started terminal", "ended 42") == .ended(42))
    }

    @Test(
        "each refusal and each end has an exit status that scripts can tell apart (X-03)",
        arguments: [
            (["refused bad-request"], 69), (["refused not-guarded"], 65), (["refused no-terminal"], 65),
            (["refused no-grant"], 75), (["refused out-of-hours"], 1), (["refused no-gate"], 69),
            (["refused limit"], 75), (["refused failed"], 69), (["refused something-newer"], 69), (["nonsense"], 69),
            (["started terminal", "stopped out-of-hours"], 124), (["started terminal", "stopped no-gate"], 69),
            (["started terminal"], 69), ([], 69),
        ] as [([String], Int32)])
    func refusals(answers: [String], status: Int32) async throws {
        let (launch, launcher) = try Self.connected()
        for answer in answers { try #require(Glibc.send(launcher, answer, answer.utf8.count, 0) == answer.utf8.count) }
        close(launcher)
        let error = await #expect(throws: GateError.self) { try await launch.outcome(of: "supertux2") }
        #expect(error?.exitStatus == status && error?.isLocalized == true)
    }

    @Test("a launcher that refuses without reading is heard, and one that is not there is named")
    func early() async throws {
        let (launch, launcher) = try Self.connected()
        try launch.send("supertux2", Self.proof, variables: [])
        try #require(Glibc.send(launcher, "refused limit", 13, 0) == 13)
        // The packet was not read, so the connection is reset.
        close(launcher)
        let error = await #expect(throws: GateError.self) { try await launch.outcome(of: "supertux2") }
        #expect(error?.reason == .limit)
        let missing = #expect(throws: GateError.self) { try AppLaunch(connectedTo: "/nowhere/launch.sock") }
        #expect(missing?.message.contains("gate-apps") == true)
    }

    @Test("waiting for a launcher that hangs ends with --timeout")
    func cancelled() async throws {
        let (launch, launcher) = try Self.connected()
        defer { close(launcher) }
        let waiting = Task { try await launch.outcome(of: "supertux2") }
        waiting.cancel()
        let result = await waiting.result
        #expect(throws: GateError.self) { try result.get() }
    }
}
