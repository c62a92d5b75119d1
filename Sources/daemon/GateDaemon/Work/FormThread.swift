import GateCore
import GateForms
import GateModel

/// Works on large forms away from the event loop. Reading, checking or writing one takes milliseconds, in which no
/// other peer would be served. Confined to the event loop.
final class FormThread {
    private let context: LoopContext
    private let pipeline: CommandPipeline
    private let thread: SharedThread

    init(_ pipeline: CommandPipeline, thread: SharedThread) {
        (context, self.pipeline, self.thread) = (pipeline.context, pipeline, thread)
    }

    /// Works with a form, then calls `then`. Little work is done at once, the rest on the thread for forms, where users
    /// take turns. The calls of one user stay in order. `byteCount` is roughly how much JSON is read or written.
    func work<Outcome: Sendable, Response>(
        of byteCount: Int, for call: Call<Response>, _ work: @escaping @Sendable () -> Outcome,
        then: @escaping (Outcome) -> Void
    ) {
        self.work(of: byteCount, for: call, beginning: { work }, then: then)
    }

    /// `work` and `again` are as in `SharedThread.submit`.
    private func work<Outcome: Sendable, Response>(
        of byteCount: Int, for call: Call<Response>, beginning work: @escaping () -> @Sendable () -> Outcome,
        again: @escaping (Outcome) -> Bool = { _ in false }, then: @escaping (Outcome) -> Void
    ) {
        guard !isQuick(byteCount, for: call) else { return then(work()()) }
        let caller = call.caller
        let isTaken = thread.submit(for: SharedThread.Turns.Payer(call.peer), work) {
            caller.isWaiting && again($0)
        } then: { outcome in
            // If the call has ended meanwhile, the result is dropped.
            if caller.isWaiting { then(outcome) }
        }
        if !isTaken { call.fail(context.refused(.tooManyForms)) }
    }

    /// Reads and prepares the form that an app sends with a call. If the form has an `id`, that must be `name`.
    func readOwn<Response>(
        _ json: [UInt8], named name: String, for call: Call<Response>, then: @escaping (AppForm) -> Void
    ) {
        let uid = call.peer.uid
        // It can't be known how long the form's expressions take.
        work(of: .max, for: call) {
            Result { () throws(GateError) in try AppForm(json: json, named: name, of: uid) }
        } then: {
            Self.goOn($0, of: call, then)
        }
    }

    /// Whether the work is done at once: it is small, and no earlier work of this user waits.
    private func isQuick<Response>(_ byteCount: Int, for call: Call<Response>) -> Bool {
        byteCount <= context.limits.quickFormBytes && !thread.isBusy(for: SharedThread.Turns.Payer(call.peer))
    }

    /// Calls `body` when everything that the same user has asked for before is done.
    func inOrder<Response>(of call: Call<Response>, _ body: @escaping () -> Void) {
        work(of: 0, for: call) {
            // There is nothing to do, only to wait for earlier work.
        } then: {
            body()
        }
    }

    /// Submits a command about forms that needs no preparation.
    func submitInOrder<Response>(
        _ command: FormCommand, for call: Call<Response>, answer: @escaping (CommittedReply) -> Response?
    ) {
        inOrder(of: call) { [pipeline] in pipeline.submit(.forms(command), for: call, answer: answer) }
    }

    /// Does the slow part of a command about a draft, then submits the command.
    func submit<Response>(
        _ command: FormCommand, for call: Call<Response>, preparing kind: FormWork.Kind, on target: FormTarget,
        answer: @escaping (CommittedReply) -> Response?
    ) {
        prepare(kind, for: call, on: target) { [pipeline] prepared in
            pipeline.submit(.forms(command), for: call, prepared: prepared) { call.answer(answer($0)) }
        }
    }

    func prepare<Response>(
        _ kind: FormWork.Kind, for call: Call<Response>, on target: FormTarget,
        then submit: @escaping (FormPreparation?) -> Void
    ) {
        let byteCount = formWork(kind, on: target, for: call.peer)?.byteCount ?? 0
        prepare(byteCount, for: call, on: target, reading: { { () throws(GateError) in kind } }) { submit($1) }
    }

    /// Reads what a command is to do with a draft and does the slow part of it, then calls `submit`. `reading` is
    /// called on the event loop when it is this work's turn, and returns what reads the content.
    func prepare<Response>(
        _ byteCount: Int, for call: Call<Response>, on target: FormTarget,
        reading: @escaping () -> @Sendable () throws(GateError) -> FormWork.Kind,
        then submit: @escaping (FormWork.Kind, FormPreparation?) -> Void
    ) {
        typealias Prepared = Result<(kind: FormWork.Kind, FormPreparation?), GateError>
        guard !isQuick(byteCount, for: call) else {
            return Self.goOn(Result { () throws(GateError) in try reading()() }, of: call) { submit($0, nil) }
        }
        let peer = call.peer, quickBytes = context.limits.quickFormBytes
        var (attempts, isOutdated) = (0, false)
        func isLeftBehind(_ prepared: Prepared) -> Bool {
            guard let (kind, preparation) = try? prepared.get() else { return false }
            guard let work = formWork(kind, on: target, for: peer) else { return false }
            return preparation?.isCurrent(for: work) ?? false ? false : work.byteCount > quickBytes
        }
        work(of: byteCount, for: call) { [self] in
            let (state, now, localTime) = (pipeline.head, context.clock.bootTime(), context.clock.localTime())
            let read = reading()
            return {
                Prepared { () throws(GateError) in
                    let kind = try read()
                    let work = try? state.formWork(kind, on: target, for: peer, at: now, localTime: localTime)
                    return (kind, work.flatMap { $0.byteCount > quickBytes ? $0.done() : nil })
                }
            }
        } again: {
            attempts += 1
            isOutdated = isLeftBehind($0)
            return isOutdated && attempts < 3
        } then: { prepared in
            guard !isOutdated else { return call.fail(.formChangesAllTheTime) }
            Self.goOn(prepared, of: call) { submit($0.kind, $0.1) }
        }
    }

    private static func goOn<Value, Response>(
        _ result: Result<Value, GateError>, of call: Call<Response>, _ body: (Value) -> Void
    ) {
        switch result {
        case .success(let value): body(value)
        case .failure(let error): call.fail(error)
        }
    }

    /// The work on a draft as it is now; `nil` if there is no draft or no work, which the command itself reports.
    private func formWork(_ kind: FormWork.Kind, on target: FormTarget, for peer: Peer) -> FormWork? {
        try? pipeline.head.formWork(
            kind, on: target, for: peer, at: context.clock.bootTime(), localTime: context.clock.localTime())
    }
}

extension AppForm {
    /// - Throws: `INVALID_ARGUMENT` with the first problem of the form.
    fileprivate init(json: [UInt8], named name: String, of uid: UInt32) throws(GateError) {
        do throws(FormProblem) {
            let written = try Self.form(json, named: name)
            // The store keeps the written form. So it must read back the same, as after a restart.
            let form = try Self.form(written.json, named: name)
            guard form.json == written.json else {
                throw FormProblem(
                    .error, at: nil, path: "Questionnaire",
                    "It changes when gated writes and reads it. Write its texts and numbers in a plainer way."
                )
            }
            guard form.questionnaire.name == name else {
                throw FormProblem(
                    .error, at: nil, path: "Questionnaire.id",
                    "Its id is '\(form.questionnaire.name)', but the call names '\(name.prefix(64))'. Use one name.")
            }
            self.init(form, of: uid)
        } catch {
            let item = error.linkID.map { "Item '\($0.prefix(64))': " } ?? ""
            throw .invalid(
                "questionnaire", "The app's own form can't be used. \(item)\(error.message)",
                error.linkID.map { ["item": String($0.prefix(64))] } ?? [:])
        }
    }
}

extension AppForm {
    private static func form(_ json: [UInt8], named name: String) throws(FormProblem) -> FormDescription {
        let node = try FHIRNode(json: json, maximumBytes: maximumByteCount, isFromOutside: true)
        let (form, problems) = QuestionnaireReader(fallbackName: name).form(node)
        guard let form else {
            throw problems.first { $0.severity == .error }
                ?? FormProblem(.error, at: nil, path: "Questionnaire", "It is not a questionnaire.")
        }
        return form
    }
}

extension GateError {
    fileprivate static let tooManyForms = GateError(
        .resourceExhausted, .limit, "Too many forms are being worked on just now. Try again.",
        parameters: ["what": "forms-at-work"])

    fileprivate static let formChangesAllTheTime = GateError(
        .aborted, .changedMeanwhile,
        "The form was changed again and again while this was worked out. Read it again, then repeat the change.",
        parameters: ["what": "form"])
}
