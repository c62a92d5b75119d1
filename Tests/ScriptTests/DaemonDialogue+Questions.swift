import Foundation
import GateModel
import GateScripting
import ProcessSupport

// Questions that a program of its own shows, and what becomes of them.

extension DaemonDialogue {
    /// Starts a `gatectl` that may have to show a question, and keeps it running in that case.
    mutating func ask(
        _ verb: [String], as person: Person, for request: AuthorizationRequest? = nil
    ) throws -> Outcome {
        let process = try ChildProcess(builtProgram("gatectl"), arguments(verb, as: person))
        guard let reply = try process.nextLineOrEnd().flatMap(GatectlReply.init) else {
            throw process.failure("no line of JSON")
        }
        if let shown = try shown(reply.presentation, to: person, by: process, for: request) { return shown }
        if reply.error == nil, let request { return try granted(request, to: person, reply, by: process) }
        try check(process, reply)
        return try outcome(of: reply)
    }

    /// The question that `gatectl` shows; `nil` if there is none.
    mutating func shown(
        _ presentation: GatectlReply?, to person: Person, by process: ChildProcess, for request: AuthorizationRequest?
    ) throws -> Outcome? {
        guard let presentation else { return nil }
        guard let summary = presentation.summary, let content = presentation.content,
            let cookie = presentation.text("cookie")
        else { throw UnreadableReply(reply: "\(presentation.fields)") }
        asked[summary.id] = AskedChallenge(
            person: person, content: content, request: request, cookie: cookie, process: process)
        guard case .challenge(let challenge) = content else { return .closedByState(id: summary.id, content) }
        return .challenge(id: summary.id, challenge)
    }

    /// The outcome of a grant that the program has used by now, or holds for somebody else.
    mutating func granted(
        _ request: AuthorizationRequest, to person: Person, _ reply: GatectlReply, by process: ChildProcess
    ) throws -> Outcome {
        for id in asked.keys where asked[id]?.process === process { asked[id]?.process = nil }
        guard let redeemer = request.redeemer else {
            try check(process, reply)
            return .granted(request.gatedAction, to: person.name, redeemer: nil)
        }
        proofs[request.gatedAction] = reply["grant"]?.text("proof")
        holders.append(process)
        return .granted(request.gatedAction, to: person.name, redeemer: world.name(of: redeemer))
    }

    /// Answers over another connection, with nothing but the cookie.
    func answerElsewhere(_ question: AskedChallenge, with text: String, as person: Person) throws -> Outcome {
        guard case .challenge(let challenge) = question.content else {
            throw UnreadableReply(reply: "there is no answer to a \(question.content.kind.name)")
        }
        let answer = try challenge.answer(for: text, authenticatorCode: authenticatorCode)
        let request = try JSONSerialization.data(
            withJSONObject: ["cookie": question.cookie].merging(answer.wireFields) { $1 })
        return try outcome(
            of: ["call", "gate.v1.Presentations/Complete", String(decoding: request, as: UTF8.self)], as: person)
    }

    mutating func finish(_ id: UInt64, with reply: GatectlReply) throws {
        guard let process = asked[id]?.process else { return }
        asked[id]?.process = nil
        try check(process, reply)
    }

    func question(_ id: UInt64) throws -> AskedChallenge {
        guard let question = asked[id] else { throw UnknownChallenge(id: id, message: "nobody was asked that") }
        return question
    }
}
