import GateCore
import GateModel
import GatePolicy
import Logging

/// Keeps the policy that is in force, and reads it again when somebody asks.
///
/// Confined to the event loop.
final class PolicyReload {
    private(set) var inForce: PolicyInForce
    private let context: LoopContext
    private let pipeline: CommandPipeline
    private let sessions: Sessions
    /// `nil`: each uid is billed for itself.
    private let owners: OwnerDesk?
    private let thread: SharedThread
    private let read: @Sendable () throws(BadPolicy) -> PolicyInForce

    /// - Parameter thread: where it is read: files and the databases of users may be slow.
    init(
        _ inForce: PolicyInForce, _ sessions: Sessions, owners: OwnerDesk?, thread: SharedThread,
        read: @escaping @Sendable () throws(BadPolicy) -> PolicyInForce
    ) {
        (self.inForce, self.sessions, self.owners, self.thread, self.read) = (inForce, sessions, owners, thread, read)
        pipeline = sessions.pipeline
        context = pipeline.context
    }

    /// Reads the policy again, and puts it into force as a whole, or not at all. Answers with what is in force. A stop waits for it.
    func reload(as peer: Peer, answer reply: @escaping (Result<PolicyInForce, GateError>) -> Void) {
        guard !context.isStopping else { return reply(.failure(.stopping)) }
        context.openWork.began()
        let answer = { [context] (result: Result<PolicyInForce, GateError>) in
            reply(result)
            context.openWork.ended()
        }
        thread.urgently { [read, owners] in
            owners?.refresh()
            return Result { () throws(BadPolicy) in try read() }
        } then: { [self] result in
            switch result {
            case .failure(let error):
                context.logger.error("the policy was refused; the one before stays in force: \(error)")
                answer(.failure(error.error))
            case .success(let new):
                configure(new, as: peer, answer: answer)
            }
        }
    }

    private func configure(
        _ new: PolicyInForce, as peer: Peer, answer: @escaping (Result<PolicyInForce, GateError>) -> Void
    ) {
        pipeline.submit(.configure(new.policy.configuration, detail: new.summary), as: peer) { [self] in
            // Before anybody is told: what a peer may see is part of what has changed.
            inForce = new
            owners?.forgetAll()
            new.logWarnings(to: context.logger)
            sessions.adopt(new.roles)
            context.logger.info("the policy was read again", metadata: ["policy": "\(new.summary)"])
        } answer: { [context] result in
            if case .failure(let error) = result {
                context.logger.error("the policy was not put into force: \(error)")
            }
            answer(result.map { _ in new })
        }
    }
}
