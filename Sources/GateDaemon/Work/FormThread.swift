import GateCore
import GateModel
import GateProtocol

/// The work on forms beside the event loop: a large form takes milliseconds to be read, checked or written, in which nobody
/// else would be served.
///
/// Confined to the event loop.
final class FormThread {
    private let context: LoopContext
    private let pipeline: CommandPipeline
    private let thread: SharedThread

    init(_ pipeline: CommandPipeline, thread: SharedThread) {
        (context, self.pipeline, self.thread) = (pipeline.context, pipeline, thread)
    }

    /// Does work with forms, and then what follows from it: at once where it is little, and otherwise on the thread for forms,
    /// where users take turns. One user's calls stay in order.
    /// - Parameter byteCount: about as much JSON is read or written.
    func work<Outcome: Sendable, Response>(
        of byteCount: Int, for call: Call<Response>, _ work: @escaping @Sendable () -> Outcome,
        then: @escaping (Outcome) -> Void
    ) {
        self.work(of: byteCount, for: call, beginning: { work }, then: then)
    }

    /// - Parameter work: called here when the work is begun: what is to be done is worked out then.
    func work<Outcome: Sendable, Response>(
        of byteCount: Int, for call: Call<Response>, beginning work: @escaping () -> @Sendable () -> Outcome,
        then: @escaping (Outcome) -> Void
    ) {
        let payer = SharedThread.Turns.Payer(call.peer)
        guard byteCount > context.limits.quickFormBytes || thread.isBusy(for: payer) else { return then(work()()) }
        let caller = call.caller
        let isTaken = thread.submit(for: payer, work) { outcome in
            // Taken back meanwhile: then nothing of it is done.
            if caller.isWaiting { then(outcome) }
        }
        if !isTaken { call.fail(context.refused(.tooManyForms)) }
    }

    /// Goes on when everything is done that the same user has asked for before.
    func inOrder<Response>(of call: Call<Response>, _ body: @escaping () -> Void) {
        work(of: 0, for: call) {
            // Nothing but to wait.
        } then: {
            body()
        }
    }

    /// A command about forms that is quick.
    func submitInOrder<Response>(
        _ command: Command, for call: Call<Response>, answer: @escaping (Settled) -> Response?
    ) {
        inOrder(of: call) { [pipeline] in pipeline.submit(command, for: call, answer: answer) }
    }

    /// A command about a draft, the slow part of which is done beforehand.
    func submit<Response>(
        _ command: Command, for call: Call<Response>, preparing kind: FormWork.Kind, on target: FormTarget,
        answer: @escaping (Settled) -> Response?
    ) {
        let peer = call.peer, now = context.clock.bootTime(), localTime = context.clock.localTime()
        let expected = try? pipeline.head.formWork(kind, on: target, for: peer, at: now, localTime: localTime)
        work(of: expected?.byteCount ?? 0, for: call) { [pipeline] in
            let state = pipeline.head
            return { (try? state.formWork(kind, on: target, for: peer, at: now, localTime: localTime))?.done() }
        } then: { [pipeline] prepared in
            pipeline.submit(command, for: call, prepared: prepared) { call.answer(answer($0)) }
        }
    }
}

extension GateError {
    fileprivate static let tooManyForms = GateError(
        .resourceExhausted, .limit, "Too many forms are being worked on just now. Try again.",
        parameters: ["what": "forms-at-work"])
}
