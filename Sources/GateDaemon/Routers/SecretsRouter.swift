import GateCore
import GateCredentials
import GateModel
import GateProtocol

/// `gate.v1.Secrets`.
extension Router {
    mutating func addSecrets() {
        on(Methods.Secrets.get) { authority, _, call in
            call.answer(GetSecretsResponse(kinds: authority.durable.secretKinds))
        }
        on(Methods.Secrets.setPasscode, isSecret: true) { authority, request, call in
            // Before the work of hashing, and again by the core after it.
            let refusal =
                call.refusalToNonAdministrator(to: "set the passcode")
                ?? PasscodeHash.unsuitability(of: request.passcode)
                .map { GateError(.invalidArgument, .invalidRequest, $0) }
            if let refusal { return call.fail(refusal) }
            authority.setPasscode(request.passcode, call)
        }
        on(Methods.Secrets.enrolTOTP, isSecret: true) { authority, request, call in
            if let refusal = call.refusalToNonAdministrator(to: "set up an authenticator") { return call.fail(refusal) }
            authority.enrolTOTP(request, call)
        }
        onCommand(Methods.Secrets.remove) {
            .removeSecret($0.kind)
        } answer: {
            RemoveSecretResponse(revision: $0.revision)
        }
    }
}

extension Authority {
    fileprivate func setPasscode(_ passcode: Secret, _ call: Call<SetPasscodeResponse>) {
        hash(for: call) { random throws(CredentialError) in
            try PasscodeHash(of: passcode, using: &random)
        } then: { [self] hash in
            submit(.setPasscode(hash: hash.text), for: call) { SetPasscodeResponse(revision: $0.revision) }
        }
    }

    fileprivate func enrolTOTP(_ request: EnrolTOTPRequest, _ call: Call<EnrolTOTPResponse>) {
        let key: TOTPKey
        do throws(CredentialError) {
            key = try TOTPKey(request.key)
        } catch {
            return call.fail(GateError(.invalidArgument, .invalidRequest, error.description))
        }
        guard let step = key.step(of: request.code, at: clock.wallTime(), usedStep: 0) else {
            return call.fail(
                GateError(
                    .failedPrecondition, .wrongAnswer,
                    "That is not the code of this key now; nothing was changed. Is the clock of the authenticator right?"
                ))
        }
        submit(.setTOTP(key: request.key, usedStep: step), for: call) { EnrolTOTPResponse(revision: $0.revision) }
    }
}
