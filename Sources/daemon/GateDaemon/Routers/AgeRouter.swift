import GateCore
import GateModel
import GateProtocol

/// The methods of `gate.v1.Age`: the age ranges for apps, and the choices about them.
struct AgeRouter: ServiceRouter {
    let pipeline: CommandPipeline

    func addMethods(to router: inout Router) {
        router.on(Methods.Age.query) { _, call in
            let time = pipeline.clock.wallTime()
            let today = pipeline.context.zone.offsets(at: time).localTime(time).day
            call.answer(QueryAgeRangeResponse(range: pipeline.durable.ageRange(for: call.peer, on: today)))
            // The answer is made first, so it does not wait for the disk; then the app is put on the list. The answer
            // leaves when this read is over, so its delay can only reveal that the app was new, which the revision
            // shows anyway. If the disk hangs, these commands wait like others, so they have the same limits.
            guard pipeline.bill.hasRoom(for: call.peer, pipeline.limits) else { return }
            pipeline.submit(.age(.asked), as: call.peer) { _ in }
        }
        router.onRead(Methods.Age.getSettings) { _, call throws(GateError) in
            GetAgeSettingsResponse(settings: try readable(for: call.peer).ageSettings)
        }
        router.onCommand(Methods.Age.setSettings) {
            .age(.set(isOn: $0.isOn, gates: $0.gates, grant: $0.grant))
        } answer: {
            SetAgeSettingsResponse(revision: $0.revision)
        }
        router.onRead(Methods.Age.listApps) { request, call throws(GateError) in
            let page = try Page(of: try readable(for: call.peer).ageApps, for: request, pipeline.limits, key: \.pageKey)
            return ListAgeAppsResponse(page.elements, nextPageToken: page.nextToken)
        }
        router.onCommand(Methods.Age.setChoice) {
            .age(.choose(AgeBook.Key(person: $0.person, app: $0.app), $0.choice, grant: $0.grant))
        } answer: {
            SetAgeChoiceResponse(revision: $0.revision)
        }
    }

    /// - Throws: `PERMISSION_DENIED` if the peer may not read the list of people.
    private func readable(for peer: Peer) throws(GateError) -> GateState {
        let durable = pipeline.durable
        guard durable.mayReadPeople(peer, by: pipeline.clock) else { throw .onlyGrownUpsInCharge }
        return durable
    }
}

extension AgeApp {
    /// By person, then by app. No name has a control character in it.
    fileprivate var pageKey: PageKey { PageKey(name: "\(person)\u{1}\(app)") }
}
