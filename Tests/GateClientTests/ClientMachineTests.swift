import Foundation
import GateModel
import GateProtocol
import Testing

@testable import GateClient

/// The machines of the Swift library, held to the tables that the libraries in other languages are held to, too: see
/// `Tests/ClientMachines/README.md` for their format.
@Suite("The clients' state machines, by the tables of Tests/ClientMachines")
struct ClientMachineTests {
    @Test("watching: each event has the outcome that the table gives", arguments: MachineTable.all(in: "watching"))
    func watching(table: MachineTable) throws {
        var subject = WatchingSubject()
        for step in table.steps { #expect(try subject.outcome(of: step.words) == step.outcome, "\(step)") }
    }

    @Test(
        "reconnecting: each event has the outcome that the table gives", arguments: MachineTable.all(in: "reconnecting")
    )
    func reconnecting(table: MachineTable) throws {
        var machine = ReconnectStateMachine()
        for step in table.steps { #expect(try machine.outcome(of: step.words) == step.outcome, "\(step)") }
    }
}

/// One test of a table: a new machine, and what happens to it.
struct MachineTable: Sendable, CustomTestStringConvertible {
    struct Step: Sendable, CustomStringConvertible {
        let words: [String]
        let outcome: String
        var description: String { "\(words.joined(separator: " ")) => \(outcome)" }
    }

    let name: String
    let steps: [Step]
    var testDescription: String { name }

    private struct Unreadable: Error {
        let line: String
    }

    /// All tests of a file. One that begins `from NAME` has the steps of that machine before its own.
    static func all(in file: String) -> [MachineTable] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../ClientMachines/\(file).txt")
        do {
            let tables = try read(String(contentsOf: path, encoding: .utf8))
            precondition(tables.count >= 9, "\(path) has too few tests")
            return tables
        } catch {
            preconditionFailure("\(path): \(error)")
        }
    }

    private static func read(_ text: String) throws -> [MachineTable] {
        var tables: [MachineTable] = []
        var copies: [String: [Step]] = [:]
        // Most tests watch the mode.
        var (name, steps): (String?, [Step]) = (nil, [])
        func end() { if let name { tables.append(MachineTable(name: name, steps: steps)) } }
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "test" {
                end()
                (name, steps) = (words.dropFirst().joined(separator: " "), [])
            } else if words[0] == "copies", words.count == 2 {
                copies[words[1]] = steps
            } else if words[0] == "from", words.count == 2, let copied = copies[words[1]] {
                steps = copied
            } else if let arrow = words.firstIndex(of: "=>"), arrow > 0 {
                steps.append(
                    Step(
                        words: Array(words[..<arrow]), outcome: words[(arrow + 1)...].joined(separator: " ")))
            } else {
                throw Unreadable(line: line)
            }
        }
        end()
        return tables
    }
}

private struct UnknownWord: Error {
    let word: String
}

extension [String] {
    /// `name=VALUE`, behind the event.
    fileprivate func option(_ name: String) -> String? {
        first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// `at=T`: nanoseconds of the boot clock, milliseconds of the wall clock.
    fileprivate var time: ClientClock.Reading {
        let number = option("at").flatMap { Int64($0) } ?? 0
        return ClientClock.Reading(boot: BootTime(nanoseconds: number), wall: WallTime(unixMilliseconds: number))
    }
}

/// A watch, with the words of its table for what was told.
private struct WatchingSubject {
    private var machine = WatchStateMachine()
    private var presentations: [[PresentationSummary]: String] = [:]
    private var sessions: [SignInState: String] = [:]
    private var entitlements: [EntitlementsState: String] = [:]
    private var forms: [[FormSummary]: String] = [:]
    private var asks: [[Ask]: String] = [:]
    private var schedules: [[ScheduleState]: String] = [:]

    mutating func outcome(of words: [String]) throws -> String {
        var event: WatchEvent?
        switch words[0] {
        case "watches": machine = WatchStateMachine(topics: Set(try words.dropFirst().map(topic)))
        case "opened": machine.streamOpened()
        case "snapshot", "change":
            event = machine.messageReceived(try message(words), at: words.time, jitter: 1)
        case "failed": event = machine.failed(GateError(.unavailable, .unspecified, "gone"), jitter: 1)
        case "waited": machine.waited()
        case "stopped": machine.stopped()
        case "left": return machine.timeLeft(at: words.time).map { "\($0.clampedNanoseconds)" } ?? "none"
        case let word: throw UnknownWord(word: word)
        }
        return (told(event) + [next]).joined(separator: " ")
    }

    private func topic(_ word: String) throws -> WatchTopic {
        switch word {
        case "mode": .mode
        case "presentations": .presentations
        case "sign-in": .signIn
        case "entitlements": .entitlements
        case "forms": .forms
        case "asks": .asks
        case "schedules": .schedules
        case _: throw UnknownWord(word: word)
        }
    }

    // MARK: - Said by the daemon

    private mutating func message(_ words: [String]) throws -> WatchResponse {
        let numbers = words[1].split(separator: ".").compactMap { UInt64($0) }
        guard numbers.count == 2 else { throw UnknownWord(word: words[1]) }
        var message = WatchResponse(
            firstNumber: numbers[1], revision: Revision(epoch: numbers[0], number: numbers[1]),
            isSnapshot: words[0] == "snapshot", mode: nil, presentations: nil)
        message.mode = try words.option("mode").map(mode)
        if let word = words.option("presentations") {
            let (name, deadline) = parts(word)
            message.presentations = name == "none" ? [] : [presentation(name, until: deadline)]
            presentations[message.presentations ?? []] = word
        }
        if let word = words.option("sign-in") {
            let (name, deadline) = parts(word)
            let session = SignInState.Session(
                name: name, isChild: true, deadline: deadline.map(BootTime.init(nanoseconds:)) ?? .never)
            let state =
                name == "nobody"
                ? SignInState.closed
                : SignInState(session: session, isAuthenticating: false, needsAuthentication: false)
            message.signIn = state
            sessions[state] = word
        }
        if let word = words.option("entitlements") {
            let state = paid(word)
            message.entitlements = state
            entitlements[state] = word
        }
        if let word = words.option("forms") {
            let list = word == "none" ? [] : [FormSummary(name: word, holder: .user(1), revision: 1)]
            message.forms = list
            forms[list] = word
        }
        if let word = words.option("asks") {
            let list = word == "none" ? [] : [ask(word)]
            message.asks = list
            asks[list] = word
        }
        if let word = words.option("schedules") {
            let (name, deadline) = parts(word)
            let until = deadline.map { WallTime(unixMilliseconds: $0) }
            let list = [ScheduleState(name: "after-school", isOpen: name == "open", until: until)]
            message.schedules = list
            schedules[list] = word
        }
        return message
    }

    /// `paid@1` → "paid", 1.
    private func parts(_ word: String) -> (name: String, deadline: Int64?) {
        let parts = word.split(separator: "@", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? Int64(parts[1]) : nil)
    }

    private func mode(_ word: String) throws -> ModeState {
        let (name, deadline) = parts(word)
        let modes: [String: Mode] = ["child": .child, "verifying": .verifying, "parent": .parent]
        guard let mode = modes[name] else { throw UnknownWord(word: word) }
        return ModeState(mode: mode, deadline: deadline.map(BootTime.init(nanoseconds:)))
    }

    private func presentation(_ name: String, until deadline: Int64?) -> PresentationSummary {
        PresentationSummary(
            id: UInt64(name.count), purpose: .authorize, kind: .challenge(.confirm),
            deadline: deadline.map(BootTime.init(nanoseconds:)) ?? .never, style: .sheet, isDismissible: true,
            stage: .shown, asked: PresentationContext(uid: 1, pid: 1, program: name))
    }

    private func ask(_ name: String) -> Ask {
        Ask(
            id: 1, uid: 1, person: "ben", gatedAction: name, titles: LocalizedText(name), details: "", state: .waiting,
            ends: WallTime(unixMilliseconds: 1))
    }

    private func paid(_ word: String) -> EntitlementsState {
        let (name, deadline) = parts(word)
        guard name != "none" else { return .closed }
        guard let deadline else { return EntitlementsState(entitlements: [], isSubscriptionActive: true) }
        let source = Entitlement.Source(
            provider: .manual, saidAt: WallTime(unixMilliseconds: 0), status: .subscribed, product: name,
            holder: .device,
            until: WallTime(unixMilliseconds: deadline))
        return EntitlementsState(
            entitlements: [Entitlement(id: name, title: "Paid", source: source)], isSubscriptionActive: true)
    }

    // MARK: - Said by the machine

    private func told(_ event: WatchEvent?) -> [String] {
        switch event {
        case nil: []
        case .lost: ["told lost"]
        case .snapshot(let update): ["told snapshot \(topics(of: update))"]
        case .change(let update): ["told change \(topics(of: update))"]
        case .resumed(let update): ["told resumed \(topics(of: update))"]
        }
    }

    private func topics(of update: StateUpdate) -> String {
        let mode = update.mode.map { state in
            "mode=\(state.mode)" + (state.deadline.map { "@\($0.nanoseconds)" } ?? "")
        }
        return [
            "\(update.revision.epoch).\(update.revision.number)", mode,
            update.presentations.map { "presentations=\(presentations[$0] ?? "?")" },
            update.signIn.map { "sign-in=\(sessions[$0] ?? "?")" },
            update.entitlements.map { "entitlements=\(entitlements[$0] ?? "?")" },
            update.forms.map { "forms=\(forms[$0] ?? "?")" },
            update.asks.map { "asks=\(asks[$0] ?? "?")" },
            update.schedules.map { "schedules=\(schedules[$0] ?? "?")" },
        ].compactMap(\.self).joined(separator: " ")
    }

    private var next: String {
        switch machine.action {
        case .open(let after): after.map { "open after \($0.epoch).\($0.number)" } ?? "open"
        case .receive: "receive"
        case .wait(let duration): "wait \(duration.clampedNanoseconds / 1_000_000)"
        case .end: "end"
        }
    }
}

extension ReconnectStateMachine {
    /// How long to wait, in microseconds, or that nothing comes of it.
    fileprivate mutating func outcome(of words: [String]) throws -> String {
        switch words[0] {
        case "waited": waited()
        case "caught-up": caughtUp()
        case "failed":
            guard let jitter = words.option("chance").flatMap({ Double($0) }) else { throw UnknownWord(word: "failed") }
            guard let times = words.option("times").flatMap({ Int($0) }) else { return text(failed(jitter: jitter)) }
            var last: Duration?
            for _ in 0..<times {
                last = failed(jitter: jitter)
                waited()
            }
            return text(last)
        case let word: throw UnknownWord(word: word)
        }
        return "none"
    }

    private func text(_ wait: Duration?) -> String { wait.map { "wait \($0.clampedNanoseconds / 1000)" } ?? "none" }
}
