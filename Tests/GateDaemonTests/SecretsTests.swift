import GateCredentials
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("The device's secrets", .timeLimit(.minutes(10)))
struct SecretsTests {
    private static let policy = "mode: {challenge: passcode}\n"
    private let passcode = GateSecret("open sesame".utf8)

    @Test("the passcode that was set opens parent mode, and another one does not")
    func passcodeOpens() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            _ = try await root.call(Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode))
            #expect(try await anna.call(Methods.Secrets.get, GetSecretsRequest()).kinds == [.passcode])
            let toggle = ToggleRequest(presenting: .here)
            let first = try #require(try await anna.call(Methods.Mode.toggle, toggle).presentation)
            let refusal = await anna.refusal(
                of: Methods.Presentations.complete,
                CompleteRequest(cookie: first.cookie, answer: .secret(GateSecret("open barley".utf8))))
            #expect(refusal?.reason == .wrongAnswer)
            let second = try #require(try await anna.call(Methods.Mode.toggle, toggle).presentation)
            #expect(try await anna.complete(second, .secret(passcode)).state.mode == .parent)
        }
    }

    @Test("only administrators set, enrol and remove", arguments: ["anna", "screen", "mother"])
    func administratorsOnly(person: String) async throws {
        try await LiveGate.with { gate, _ in
            let peer = try await gate.connect(person)
            let secret = GateSecret([UInt8](repeating: 7, count: 20))
            let refusals = [
                await peer.refusal(of: Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode)),
                await peer.refusal(of: Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: secret, code: secret)),
                await peer.refusal(of: Methods.Secrets.remove, RemoveSecretRequest(kind: .passcode)),
            ]
            #expect(refusals.map { $0?.code } == [.permissionDenied, .permissionDenied, .permissionDenied])
            #expect(try await peer.call(Methods.Secrets.get, GetSecretsRequest()).kinds.isEmpty)
        }
    }

    @Test("a passcode has 4 to 128 bytes", arguments: [3, 4, 128, 129])
    func lengths(count: Int) async throws {
        try await LiveGate.with { gate, _ in
            let root = try await gate.connect("root")
            let refusal = await root.refusal(
                of: Methods.Secrets.setPasscode,
                SetPasscodeRequest(passcode: GateSecret([UInt8](repeating: 0x31, count: count))))
            #expect(refusal?.code == ((4...128).contains(count) ? nil : .invalidArgument))
        }
    }

    @Test("an authenticator is enrolled with a code, which can't be used again")
    func enrol() async throws {
        try await LiveGate.with(policy: "mode: {challenge: totp}\n") { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            let secret = GateSecret([UInt8](repeating: 7, count: 20))
            let key = try TOTPKey(secret)
            let step = TOTPKey.step(at: StandingClock().wallTime())
            let refusal = await root.refusal(
                of: Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: secret, code: key.code(at: step + 5)))
            #expect(refusal?.code == .failedPrecondition)
            #expect(refusal?.reason == .wrongAnswer)
            #expect(try await root.call(Methods.Secrets.get, GetSecretsRequest()).kinds.isEmpty)
            _ = try await root.call(
                Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: secret, code: key.code(at: step)))
            let toggle = ToggleRequest(presenting: .here)
            let first = try #require(try await anna.call(Methods.Mode.toggle, toggle).presentation)
            await #expect(throws: GateError.self) { try await anna.complete(first, .secret(key.code(at: step))) }
            let second = try #require(try await anna.call(Methods.Mode.toggle, toggle).presentation)
            let completed = try await anna.complete(second, .secret(key.code(at: step + 1)))
            #expect(completed.state.mode == .parent)
        }
    }

    @Test("the key of an authenticator has 20 to 64 bytes", arguments: [19, 65])
    func keyLengths(count: Int) async throws {
        try await LiveGate.with { gate, _ in
            let root = try await gate.connect("root")
            let refusal = await root.refusal(
                of: Methods.Secrets.enrolTOTP,
                EnrolTOTPRequest(key: GateSecret([UInt8](repeating: 7, count: count)), code: GateSecret("000000".utf8)))
            #expect(refusal?.code == .invalidArgument)
        }
    }

    @Test("a passcode is refused at no cost if too many wait to be hashed")
    func tooMany() async throws {
        var limits = DaemonLimits.ofTests
        (limits.passwordsAtOnce, limits.passwordsWaiting) = (1, -1)
        try await LiveGate.with(policy: Self.policy, limits: limits) { gate, store in
            let root = try await gate.connect("root")
            let refusal = await root.refusal(
                of: Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode))
            #expect(refusal?.reason == .limit)
            #expect(store.kinds == [.started])
        }
    }

    @Test("a check that is lost with a failed commit reveals nothing, and leaves the question open")
    func lostCheck() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            _ = try await root.call(Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode))
            let toggle = ToggleRequest(presenting: .here)
            let shown = try #require(try await anna.call(Methods.Mode.toggle, toggle).presentation)
            store.setFull(true)
            for typed in [passcode, GateSecret("open barley".utf8)] {
                let refusal = await anna.refusal(
                    of: Methods.Presentations.complete,
                    CompleteRequest(cookie: shown.cookie, answer: .secret(typed)))
                #expect(refusal?.code == .unavailable)
            }
            store.setFull(false)
            #expect(try await anna.complete(shown, .secret(passcode)).state.mode == .parent)
        }
    }
}
