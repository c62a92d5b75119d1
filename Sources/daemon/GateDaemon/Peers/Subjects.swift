import GateModel
import GateProtocol
import NIOCore

/// Finds out which peer acts in a call: the caller itself, or the process that a broker names.
///
/// Confined to the event loop.
struct Subjects {
    let context: LoopContext
    let owners: OwnerLookup?
    let processes: any ProcessDirectory

    /// Calls `body` with the peer that acts, or refuses the call.
    func find<Response>(
        _ subject: Subject?, for call: Call<Response>, then body: @escaping (Peer) -> Void
    ) {
        guard let subject else { return body(call.peer) }
        guard call.peer.roles.contains(.broker) else { return call.fail(.noBroker) }
        guard let owners else { return found(.user(subject.uid), of: subject, for: call, then: body) }
        owners.owner(of: subject.uid).assumeIsolated().whenComplete { [self] in
            switch $0 {
            case .success(let owner): found(owner, of: subject, for: call, then: body)
            case .failure: call.fail(context.refused(.tooManyOwnersAreLookedUp))
            }
        }
    }

    private func found<Response>(
        _ owner: Owner, of subject: Subject, for call: Call<Response>, then body: (Peer) -> Void
    ) {
        // The call may have ended while the owner was looked up.
        guard call.caller.isWaiting else { return }
        guard let program = processes.program(of: subject) else {
            return call.fail(refusal(of: subject))
        }
        let name = ProgramName.cleaned(program, byteLimit: context.limits.programNameBytes)
        body(call.peer.asking(for: subject, owner: owner, program: name))
    }

    /// The refusal if the process that a broker named has ended meanwhile; `nil` if it runs, or none was named.
    func gone(_ subject: Subject?) -> GateError? {
        guard let subject, processes.program(of: subject) == nil else { return nil }
        return refusal(of: subject)
    }

    private func refusal(of subject: Subject) -> GateError {
        processes.seesOthers ? .noProcess(subject) : .seesNoProcesses
    }
}

extension GateError {
    fileprivate static let noBroker = GateError(
        .permissionDenied, .notPermitted,
        "Only brokers may ask for other processes. An administrator names them in the policy.",
        parameters: ["what": "broker"])

    fileprivate static let seesNoProcesses = GateError(
        .failedPrecondition, .notSetUp,
        "gated does not see the processes of other users, so it can't check for whom a broker asks. What to do: docs/security.md, \"Who may do what\".",
        parameters: ["what": "processes"])

    fileprivate static let tooManyOwnersAreLookedUp = GateError(
        .resourceExhausted, .limit, "Too many users are being looked up. Try again in a moment.",
        parameters: ["what": "look-ups"])

    /// No process has this number and user, or it has ended, or the number is another process's by now.
    fileprivate static func noProcess(_ subject: Subject) -> GateError {
        GateError(
            .notFound, .unknown,
            "User \(subject.uid) has no process \(subject.pid) that started then. It has ended, or its number belongs to another one now.",
            parameters: ["what": "process", "name": "\(subject.pid)"])
    }
}
