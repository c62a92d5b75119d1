import Foundation
import GateModel
import GateScripting
import ProcessSupport

// What is new in an app, and who has seen it.

extension DaemonDialogue {
    mutating func showNews(_ news: ScriptNews, as person: Person) throws -> Outcome {
        var verb = ["whatsnew", "show", news.app, news.version, "--stdin"]
        if world.brought[news.app] != nil { verb += ["--notes", try broughtFile(news.app, suffix: "yaml")] }
        let process = try ChildProcess(builtProgram("gatectl"), arguments(verb, as: person))
        guard let reply = try process.nextLineOrEnd().flatMap(GatectlReply.init) else {
            throw process.failure("no line of JSON")
        }
        if let shown = try shown(reply.presentation, to: person, by: process, for: nil) { return shown }
        try check(process, reply)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let outcome = reply.whatsNewOutcome else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .news(outcome)
    }

    /// The output of the program that showed the news, after its end.
    mutating func seen(_ id: UInt64, _ process: ChildProcess) throws -> Outcome {
        asked[id]?.process = nil
        guard let reply = try process.nextLineOrEnd().flatMap(GatectlReply.init) else {
            throw process.failure("no line of JSON")
        }
        try check(process, reply)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let outcome = reply.whatsNewOutcome else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .news(outcome)
    }

    /// Presses a button on a screen; without a text the news are dismissed.
    func answerNews(_ id: UInt64, on screen: DaemonScreen, _ text: String) throws -> Outcome {
        guard let answer = ScriptNews.answer(for: text) else {
            guard text.isEmpty else { throw UnknownChallenge(id: id, message: "no button is called \(text)") }
            try screen.answer("")
            try waitUntil("it is put away") { try !openPresentations().contains { $0.number("id") == Int64(id) } }
            return .said("what's new \(id): seen")
        }
        try screen.answer(answer.presenterJSON)
        try waitUntil("it is read") { try !openPresentations().contains { $0.number("id") == Int64(id) } }
        return .said("what's new \(id): seen")
    }

    mutating func acknowledgeNews(_ news: ScriptNews, as person: Person) throws -> Outcome {
        try said("seen", by: ["whatsnew", "ack", news.app, news.version], as: person)
    }

    mutating func forgetNews(of app: String?, as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["whatsnew", "reset"] + (app.map { [$0] } ?? []), as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .said("\(reply.number("count") ?? 0) forgotten")
    }

    mutating func listNews(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["whatsnew", "list"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .listedNews(reply.objects("apps").compactMap(\.shownNews))
    }
}
