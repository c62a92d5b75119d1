import GateCore
import GateCredentials
import GateModel
import GateProtocol

/// The methods of `gate.v1.Secrets`: the passcode and the authenticator.
struct SecretsRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let passwords: PasswordWork

    func addMethods(to router: inout Router) {
        router.on(Methods.Secrets.get) { _, call in
            call.answer(GetSecretsResponse(kinds: pipeline.durable.secretKinds))
        }
        router.on(Methods.Secrets.setPasscode, isSecret: true) { request, call in
            // Checked before the work of hashing, and again by the core after it.
            let refusal =
                call.refusalToNonAdministrator(to: "set the passcode")
                ?? PasscodeHash.unsuitability(of: request.passcode)
                .map { GateError.invalid("passcode", $0) }
            if let refusal { return call.fail(refusal) }
            setPasscode(request.passcode, call)
        }
        router.on(Methods.Secrets.enrolTOTP, isSecret: true) { request, call in
            if let refusal = call.refusalToNonAdministrator(to: "set up an authenticator") { return call.fail(refusal) }
            enrolTOTP(request, call)
        }
        router.onCommand(Methods.Secrets.remove) {
            .secrets(.removeSecret($0.kind))
        } answer: {
            RemoveSecretResponse(revision: $0.revision)
        }
    }

    private func setPasscode(_ passcode: GateSecret, _ call: Call<SetPasscodeResponse>) {
        passwords.hash(for: call) { random throws(CredentialError) in
            try PasscodeHash(of: passcode, using: &random)
        } then: { hash in
            pipeline.submit(.secrets(.setPasscode(hash: hash.text)), for: call) {
                SetPasscodeResponse(revision: $0.revision)
            }
        }
    }

    private func enrolTOTP(_ request: EnrolTOTPRequest, _ call: Call<EnrolTOTPResponse>) {
        let key: TOTPKey
        do throws(CredentialError) {
            key = try TOTPKey(request.key)
        } catch {
            return call.fail(.invalid("key", error.description))
        }
        guard let step = key.step(of: request.code, at: pipeline.clock.wallTime(), usedStep: 0) else {
            return call.fail(
                GateError(
                    .failedPrecondition, .wrongAnswer,
                    "That is not the code of this key now; nothing was changed. Is the clock of the authenticator right?"
                ))
        }
        pipeline.submit(.secrets(.setTOTP(key: request.key, usedStep: step)), for: call) {
            EnrolTOTPResponse(revision: $0.revision)
        }
    }
}
