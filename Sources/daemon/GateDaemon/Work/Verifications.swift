import GateCore
import GateModel
import GateReceipts
import NIOCore

/// Checks one receipt, away from the event loop.
typealias Verification = @Sendable (WallTime) async throws(ReceiptError) -> ProviderStatement

struct PendingVerification {
    /// If the call has ended, the receipt is not verified.
    let caller: Caller
    let verify: Verification
    let then: (Result<ProviderStatement, GateError>) -> Void
}

/// Verifies receipts away from the event loop, and submits what they say. Confined to that loop.
final class Verifications {
    private let context: LoopContext
    private let pipeline: CommandPipeline
    private let policy: PolicyReload
    private let executor: ThreadExecutor
    private var queue: VerificationQueue<PendingVerification>

    init(_ pipeline: CommandPipeline, _ policy: PolicyReload, threads: any BlockingThreads) {
        (context, self.pipeline, self.policy) = (pipeline.context, pipeline, policy)
        executor = ThreadExecutor(threads)
        queue = VerificationQueue(pipeline.context.limits)
    }

    /// Verifies a receipt and submits what it says with `command`. The call is answered when that is durable.
    /// `verification` finds the check among the verifiers in force. If those change meanwhile, the check is repeated.
    func verifyAndSubmit<Response>(
        for call: Call<Response>, as command: @escaping (ProviderStatement) -> Command,
        by verification: @escaping (ReceiptVerifiers) throws(GateError) -> Verification,
        answer: @escaping (CommittedReply) -> Response?
    ) {
        let verifiers = policy.inForce.verifiers
        let verify: Verification
        do throws(GateError) {
            verify = try verification(verifiers)
        } catch {
            return call.fail(error)
        }
        let pending = PendingVerification(caller: call.caller, verify: verify) { [self] result in
            guard call.caller.isWaiting else { return }
            guard policy.inForce.verifiers.settings == verifiers.settings else {
                return verifyAndSubmit(for: call, as: command, by: verification, answer: answer)
            }
            switch result {
            case .failure(let error): call.fail(error)
            case .success(let statement): pipeline.submit(command(statement), for: call, answer: answer)
            }
        }
        switch queue.submitted(pending, by: call.peer) {
        case .begin(let pending):
            context.openWork.began()
            begin(pending)
        case .wait: context.openWork.began()
        case .refuse: call.fail(context.refused(.tooManyReceipts))
        }
    }

    private func begin(_ pending: PendingVerification) {
        guard pending.caller.isWaiting else { return ended(pending) }
        let (verify, now) = (pending.verify, context.clock.wallTime())
        let ended = NIOLoopBound(
            { [self] (result: Result<ProviderStatement, GateError>) in
                pending.then(result)
                self.ended(pending)
            }, eventLoop: context.eventLoop)
        Task.detached(executorPreference: executor) { [eventLoop = context.eventLoop] in
            let result: Result<ProviderStatement, GateError>
            do throws(ReceiptError) {
                result = .success(try await verify(now))
            } catch {
                result = .failure(GateError(error))
            }
            eventLoop.execute { ended.value(result) }
        }
    }

    private func ended(_ pending: PendingVerification) {
        if let next = queue.ended(for: pending.caller.session.peer.owner) { begin(next) }
        context.openWork.ended()
    }
}

extension GateError {
    fileprivate static let tooManyReceipts = GateError(
        .resourceExhausted, .limit, "Too many receipts are being verified just now. Submit it again in a moment.",
        parameters: ["what": "receipts"])
}
