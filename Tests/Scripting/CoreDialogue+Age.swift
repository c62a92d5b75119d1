import GateCore
import GateModel

// How old somebody is, as far as apps may know.

extension CoreDialogue {
    public mutating func age(_ command: ScriptAge, as person: Person) -> Outcome {
        var peer = newPeer(person)
        switch command {
        case .ask(let app):
            peer.program = app
            let today = LocalTime(wallTime, minutesEastOfUTC: clock.minutesEastOfUTC).day
            let range = state.ageRange(for: peer, on: today)
            apply(.age(.asked), as: peer)
            return .said(AgeLine.range(range))
        case .apps:
            guard state.mayReadPeople(peer, isParentMode: state.modeState.mode == .parent) else {
                return .refused("Only an administrator may do that, or anybody in parent mode: `gatectl toggle`.")
            }
            return .said(AgeLine.apps(state.ageApps))
        case .set(let isOn, let gates):
            return set(.set(isOn: isOn, gates: gates, grant: nil), as: peer)
        case .choose(let choice, let app, let name):
            return set(.choose(AgeBook.Key(person: name, app: app), choice, grant: nil), as: peer)
        }
    }

    private mutating func set(_ command: AgeCommand, as peer: Peer) -> Outcome {
        switch apply(.age(command), as: peer) {
        case .success: .said("set")
        case .failure(let error): .refused(error.message)
        }
    }
}
