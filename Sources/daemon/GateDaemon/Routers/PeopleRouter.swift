import GateCore
import GateModel
import GateProtocol

struct PeopleRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let recognition: UserRecognition

    func addMethods(to router: inout Router) {
        router.onRead(Methods.People.list) { request, call throws(GateError) in
            let durable = pipeline.durable
            guard durable.mayReadPeople(call.peer, by: pipeline.clock) else { throw .onlyGrownUpsInCharge }
            let page = try Page(of: durable.people, for: request, pipeline.limits) { PageKey(name: $0.name) }
            let people = page.elements.map { person in
                let isUserUnknown = person.user.map { !durable.recognizedUsers.contains($0.uid) } ?? false
                return ListedPerson(person, isUserUnknown: isUserUnknown)
            }
            return ListPeopleResponse(people, nextPageToken: page.nextToken)
        }
        router.on(Methods.People.set) { request, call in
            let person = request.person.person
            // The user is looked up only for peers that may change the list. The core refuses all others.
            let mayChange =
                call.peer.roles.contains(.administrator)
                || pipeline.durable.kind(ofUser: call.peer.uid) == .grownUp
            guard let user = person.user, mayChange else { return set(person, request.grant, call) }
            recognition.find(user.name) { found in
                switch found {
                case .failure(let error): call.fail(error)
                // Root can be nobody's user: otherwise all programs that run as root would count as that person's.
                case .success(nil), .success(0): call.fail(.noUser(user.name))
                case .success(let uid?):
                    var person = person
                    person.user?.uid = uid
                    set(person, request.grant, call)
                }
            }
        }
        router.onCommand(Methods.People.remove) {
            .people(.remove(name: $0.name, grant: $0.grant))
        } answer: {
            RemovePersonResponse(revision: $0.revision)
        }
    }

    private func set(_ person: GatePerson, _ grant: Grant.Proof?, _ call: Call<SetPersonResponse>) {
        pipeline.submit(.people(.set(person, grant: grant)), for: call) { committed in
            // Answered when the user is recognized, so that the next call usually finds the person as they are.
            recognition.whenAnswered { call.answer(SetPersonResponse(revision: committed.revision)) }
        }
    }
}

extension GateState {
    /// Whether this peer may read the list of people. A lease that is over counts as over even if that is not recorded.
    func mayReadPeople(_ peer: Peer, by clock: any Clock) -> Bool {
        mayReadPeople(peer, isParentMode: modeState(by: clock).mode == .parent)
    }
}

extension GateError {
    static let onlyGrownUpsInCharge = GateError(
        .permissionDenied, .notPermitted,
        "Only an administrator may do that, or anybody in parent mode: `gatectl toggle`.",
        parameters: ["what": "grown-up"])

    fileprivate static func noUser(_ name: String) -> GateError {
        .invalid(
            "person.user.name",
            "This device has no user '\(name)' who can be a person's. See `getent passwd` for the names.",
            ["user": name])
    }
}
