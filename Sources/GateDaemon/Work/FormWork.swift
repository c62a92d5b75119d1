import GateCore
import GateModel
import GateProtocol

/// The work on forms beside the event loop: a large form takes milliseconds to be read, checked or written, in which nobody
/// else would be served.
extension Authority {
    /// Does work with forms, and then what follows from it: at once where it is little, and otherwise on the thread for forms,
    /// where users take turns. One user's calls stay in order.
    /// - Parameter byteCount: about as much JSON is read or written.
    func workOnForm<Outcome: Sendable, Response>(
        of byteCount: Int, for call: Call<Response>, _ work: @escaping @Sendable () -> Outcome,
        then: @escaping (Outcome) -> Void
    ) {
        workOnForm(of: byteCount, for: call, beginning: { work }, then: then)
    }

    /// - Parameter work: called here when the work is begun: what is to be done is worked out then.
    func workOnForm<Outcome: Sendable, Response>(
        of byteCount: Int, for call: Call<Response>, beginning work: @escaping () -> @Sendable () -> Outcome,
        then: @escaping (Outcome) -> Void
    ) {
        let payer = SharedThread.Turns.Payer(call.peer)
        guard byteCount > limits.quickFormBytes || formThread.isBusy(for: payer) else { return then(work()()) }
        let caller = call.caller
        let isTaken = formThread.submit(for: payer, work) { outcome in
            // Taken back meanwhile: then nothing of it is done.
            if caller.isWaiting { then(outcome) }
        }
        guard !isTaken else { return }
        statistics.refused += 1
        call.fail(.tooManyForms)
    }

    /// Goes on when everything is done that the same user has asked for before.
    func inOrder<Response>(of call: Call<Response>, _ body: @escaping () -> Void) {
        workOnForm(of: 0, for: call) {
            // Nothing but to wait.
        } then: {
            body()
        }
    }

    /// A command about forms that is quick.
    func submitInOrder<Response>(
        _ command: Command, for call: Call<Response>, answer: @escaping (Settled) -> Response?
    ) {
        inOrder(of: call) { [self] in submit(command, for: call, answer: answer) }
    }

    /// A command about a draft, the slow part of which is done beforehand.
    func submit<Response>(
        _ command: Command, for call: Call<Response>, preparing kind: FormWork.Kind, on target: FormTarget,
        answer: @escaping (Settled) -> Response?
    ) {
        let peer = call.peer, now = clock.bootTime()
        let byteCount = (try? head.formWork(kind, on: target, for: peer, at: now))?.byteCount ?? 0
        workOnForm(of: byteCount, for: call) { [self] in
            let state = head
            return { (try? state.formWork(kind, on: target, for: peer, at: now))?.done() }
        } then: { [self] prepared in
            submit(command, for: call, prepared: prepared) { call.answer(answer($0)) }
        }
    }
}

extension GateError {
    fileprivate static let tooManyForms = GateError(
        .resourceExhausted, .limit, "Too many forms are being worked on just now. Try again.",
        parameters: ["what": "forms-at-work"])
}
