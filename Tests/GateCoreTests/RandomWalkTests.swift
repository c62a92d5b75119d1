import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Many people doing anything at all, at any time: what must hold whatever happens.
@Suite("Whatever happens")
struct RandomWalkTests {
    @Test("the promises of the core hold on every walk", arguments: 1...60 as ClosedRange<UInt64>)
    func walk(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var device = Device()
        device.random = SeededGenerator(seed: seed ^ 0xFFFF)
        var questions: [Presentation] = []
        for _ in 0..<400 {
            device.now = device.now.advanced(by: .seconds(Int64.random(in: 0...1000, using: &chance) / 40))
            let peer = [Peer.anna, .ben, .annasOther, .root, .daemon].randomElement(using: &chance) ?? .anna
            let command = Self.command(&chance, questions)
            let before = device
            do throws(GateError) {
                let transition = try device.apply(command, as: peer)
                if case .presentation(let question) = transition.reply { questions.append(question) }
                check(transition, of: command, from: before, to: device)
            } catch {
                #expect(device.state == before.state && device.random == before.random, "\(command) left a trace")
                #expect(!error.message.isEmpty)
            }
            #expect(device.stored == device.state.records)
            let restored = GateState(restoring: device.stored, configuration: device.state.configuration)
            #expect(restored.revision == device.state.revision && restored.modeState == .closed)
            #expect(restored.records == device.state.records)
        }
        #expect(device.journal.count > 50)
    }

    private func check(_ transition: Transition, of command: Command, from before: Device, to after: Device) {
        let step: UInt64 = transition.isChange ? 1 : 0
        #expect(transition.revision.number == before.state.revision.number + step)
        #expect(transition.isChange == !(transition.records.isEmpty && transition.audit.isEmpty))
        #expect(transition.audit.allSatisfy { $0.number == transition.revision.number && $0.mode == after.mode })
        // What everybody sees changes with a new revision and an entry in the journal, or not at all.
        if before.state.modeState != after.state.modeState {
            #expect(!transition.audit.isEmpty, "\(command) changed the mode in silence")
        }
        // Parent mode begins with a right answer or an administrator, and with nothing else.
        if before.mode != .parent, after.mode == .parent {
            #expect(transition.audit.contains { $0.kind == .parentEntered || $0.kind == .overridden })
        }
        if let deadline = after.state.modeState.deadline, after.mode == .parent {
            #expect(after.now.duration(to: deadline) <= .seconds(24 * 3600))
        }
        #expect((after.mode == .child) == (after.state.modeState.deadline == nil))
    }

    private static func command(_ chance: inout SeededGenerator, _ questions: [Presentation]) -> Command {
        let recent = questions.suffix(3).randomElement(using: &chance)
        let cookie = recent?.cookie ?? Cookie(bytes: [])
        let durations: [Duration?] = [nil, .seconds(60), .seconds(3600), .seconds(-1)]
        let duration = durations.randomElement(using: &chance) ?? nil
        switch Int.random(in: 0...15, using: &chance) {
        case 0...3: return .toggle(presentsItself: Int.random(in: 0...9, using: &chance) > 0)
        case 4...6: return .complete(cookie, answer: recent?.challenge.solution ?? "0")
        case 7: return .complete(cookie, answer: "0")
        case 8: return .complete(cookie, answer: "x")
        case 9: return .dismiss(cookie)
        case 10: return .cancel
        case 11: return .extend(duration, presentsItself: true)
        case 12: return .peerDisconnected
        case 13: return .deadlineReached
        case 14: return .lock
        default:
            let mode = Mode.allCases.randomElement(using: &chance) ?? .child
            return .override(mode, duration, reason: "r")
        }
    }
}
