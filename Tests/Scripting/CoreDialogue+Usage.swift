import CommandSupport
import GateCore
import GateModel

// The time that people use gated actions, and the clocks by which it is counted.

extension CoreDialogue {
    /// A program that is being used, with the number that the daemon would give its use.
    struct OpenUse {
        let number: UInt64
        let gatedAction: String
        let person: Person
        let peer: Peer
    }

    public mutating func turn(_ change: ClockChange) -> Outcome {
        clock.take(change)
        guard case .sleep(let duration) = change else {
            applyAsDaemon(.deadlineReached)
            return .said("set")
        }
        return advance(by: duration)
    }

    public mutating func use(_ gatedAction: String, as person: Person) -> Outcome {
        let peer = newPeer(person)
        // Connections are numbered, so their numbers do for uses as well.
        let use = OpenUse(number: peer.connection, gatedAction: gatedAction, person: person, peer: peer)
        switch apply(.usage(.begin(use.number, gatedAction: gatedAction)), as: peer) {
        case .failure(let error): return .refused(error.message)
        case .success: break
        }
        uses.append(use)
        let left = state.timeLeft(ofUse: use.number, at: now)?.left
        return .said(UsageLine.begun(gatedAction, by: person.name, left: left))
    }

    /// Programs are told at the warnings and at the end, so what is told then is what holds then.
    public mutating func hearUse(_ gatedAction: String, as person: Person) -> Outcome {
        let number = uses.last { $0.person == person && $0.gatedAction == gatedAction }?.number ?? 0
        guard let time = state.timeLeft(ofUse: number, at: now) else {
            return .refused("\(person.name) does not use \(gatedAction)")
        }
        return .said(UsageLine.heard(by: person.name, left: time.left, isOver: time.isOver))
    }

    public mutating func stopUsing(_ gatedAction: String, as person: Person) -> Outcome {
        for use in uses where use.person == person && use.gatedAction == gatedAction {
            apply(.usage(.end(use.number)), as: use.peer)
        }
        uses.removeAll { $0.person == person && $0.gatedAction == gatedAction }
        return .said("\(person.name) stopped")
    }

    public mutating func usage(as person: Person) -> Outcome {
        let lines = state.usage(visibleTo: newPeer(person), days: 1, at: now).map { time in
            let subject =
                switch time.subject {
                case .allowance(let name), .gatedAction(let name): name
                }
            return UsageLine(
                who: world.name(of: time.uid), subject: subject, day: "\(time.day)", used: time.used, left: time.left,
                isRunning: time.isRunning, elsewhere: time.elsewhere)
        }
        return .said(UsageLine.text(lines))
    }

    public mutating func told(_ use: ScriptUse) -> Outcome {
        let keys = (household: [UInt8](repeating: 7, count: 32), device: [UInt8](repeating: 8, count: 32))
        if configuration.household == nil {
            configuration.household = ScriptHousehold.settings(keys.household)
            applyAsDaemon(.daemon(.configure(configuration, detail: "")))
            let list = SignedHouseholdList(
                ScriptHousehold.list(use.device, keys.device), signed: [1], verifiedBy: keys.household)
            applyAsDaemon(.household(.applyList(list)))
        }
        let carrier = Peer(connection: 0, uid: 0, pid: 1, roles: [.app, .household])
        switch apply(.household(.takeUsage(use.report, verifiedBy: keys.device)), as: carrier) {
        case .failure(let error): return .refused(error.message)
        case .success: return .said("\(use.device) has told it")
        }
    }
}
