import GateCore
import GateModel
import GateProtocol
import GateReceipts
import NIOCore

/// The check of one receipt, away from the event loop.
typealias Verification = @Sendable (WallTime) async throws(ReceiptError) -> ProviderStatement

/// A receipt that is to be verified.
struct PendingVerification {
    /// Where the call has ended, nobody wants to know.
    let caller: Caller
    let verify: Verification
    let then: (Result<ProviderStatement, GateError>) -> Void
}

extension Authority {
    /// Verifies a receipt away from the event loop, and submits what it says; answered when that is durable.
    /// - Parameters:
    ///   - verification: what verifies it, by the providers in force; asked again where those have changed meanwhile.
    func verifyAndSubmit<Response>(
        for call: Call<Response>, holder: Claim.Holder?,
        by verification: @escaping (ReceiptVerifiers) throws(GateError) -> Verification,
        answer: @escaping (Settled) -> Response?
    ) {
        let verifiers = inForce.verifiers
        let verify: Verification
        do throws(GateError) {
            verify = try verification(verifiers)
        } catch {
            return call.fail(error)
        }
        let pending = PendingVerification(caller: call.caller, verify: verify) { [self] result in
            guard call.caller.isWaiting else { return }
            guard inForce.verifiers.settings == verifiers.settings else {
                return verifyAndSubmit(for: call, holder: holder, by: verification, answer: answer)
            }
            switch result {
            case .failure(let error): call.fail(error)
            case .success(let statement): submit(.submit(statement, for: holder), for: call, answer: answer)
            }
        }
        switch verifications.submitted(pending, by: call.peer) {
        case .begin(let pending): begin(pending)
        case .wait: break
        case .refuse:
            statistics.refused += 1
            call.fail(
                GateError(
                    .resourceExhausted, .limit, "Too many receipts are being verified just now. Submit it again.",
                    parameters: ["what": "receipts"]))
        }
    }

    private func begin(_ first: PendingVerification) {
        var next: PendingVerification? = first
        while let pending = next {
            if pending.caller.isWaiting { return verify(pending) }
            next = verifications.ended(for: pending.caller.session.peer.owner)
        }
        resumeIdleWaiters()
    }

    private func verify(_ pending: PendingVerification) {
        let (verify, now, owner) = (pending.verify, clock.wallTime(), pending.caller.session.peer.owner)
        let then = NIOLoopBound(pending.then, eventLoop: eventLoop)
        Task.detached { [self] in
            let result: Result<ProviderStatement, GateError>
            do throws(ReceiptError) {
                result = .success(try await verify(now))
            } catch {
                result = .failure(GateError(error))
            }
            eventLoop.execute {
                self.assumeIsolated {
                    then.value(result)
                    $0.verificationEnded(for: owner)
                }
            }
        }
    }

    private func verificationEnded(for owner: Owner) {
        guard let next = verifications.ended(for: owner) else { return resumeIdleWaiters() }
        begin(next)
    }
}
