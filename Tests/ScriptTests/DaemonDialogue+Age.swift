import GateModel
import GateScripting
import ProcessSupport

// How old somebody is, as far as apps may know.

extension DaemonDialogue {
    mutating func age(_ command: ScriptAge, as person: Person) throws -> Outcome {
        switch command {
        case .ask(let app):
            let reply = try lastReply(to: ["age", "--app", app], as: person) { reply in
                reply.error == nil && reply["range"] == nil ? 1 : reply.exitStatus
            }
            // The app is put on the list after its answer.
            daemon.write("advance 0\n")
            guard try daemon.nextLineOrEnd() == "ok" else { throw daemon.failure("the clock can't be turned") }
            return said(reply, AgeLine.range(try reply["range"].map(ageRange)))
        case .set(let isOn, let gates):
            let option = gates.isEmpty ? [] : ["--gates", gates.map(String.init).joined(separator: ",")]
            return said(try lastReply(to: ["age", "settings", isOn ? "--on" : "--off"] + option, as: person), "set")
        case .apps:
            let reply = try lastReply(to: ["age", "apps"], as: person)
            return said(reply, AgeLine.apps(try reply.objects("apps").map(ageApp)))
        case .choose(let choice, let app, let name):
            return said(try lastReply(to: ["age", "set", name, app, choice.rawValue], as: person), "set")
        }
    }

    private func said(_ reply: GatectlReply, _ text: String) -> Outcome {
        reply.error.map { .refused($0.text("message") ?? "") } ?? .said(text)
    }

    private func ageRange(_ reply: GatectlReply) throws -> AgeRange {
        func bound(_ name: String) -> Int? { reply.number(name).flatMap { $0 == 0 ? nil : Int($0) } }
        let source: AgeRange.Source
        switch reply.text("source") {
        case "AGE_SOURCE_GUARDIAN": source = .guardian
        case "AGE_SOURCE_SELF": source = .grownUp
        default: throw UnreadableReply(reply: "\(reply.fields)")
        }
        return AgeRange(low: bound("low"), high: bound("high"), source: source)
    }

    private func ageApp(_ reply: GatectlReply) throws -> AgeApp {
        let word = (reply.text("choice") ?? "").replacing("AGE_CHOICE_", with: "").lowercased()
        guard let choice = AgeChoice(rawValue: word.replacing("_", with: "-")) else {
            throw UnreadableReply(reply: "\(reply.fields)")
        }
        return AgeApp(
            person: reply.text("person") ?? "", app: reply.text("app") ?? "", choice: choice,
            isWaiting: reply.isTrue("isWaiting"))
    }
}
