package import GateModel

extension HouseholdStateMachine {
    /// `words` are those that Home Assistant may read, by the number of the question.
    package mutating func askedTold(
        _ requests: OutgoingRequests, words: [UInt64: String] = [:], at now: Moment
    ) -> [HouseholdAction] {
        let isCurrent = lanes[.asked]?.succeeded(daemon: daemonNumber) ?? false
        if isCurrent {
            let contents = requests.requests.map { request in
                let message = RequestMessage(
                    name: RequestName(device, request.number), kind: request.kind, askedAt: request.askedAt,
                    sealed: request.sealed)
                return (
                    request.number,
                    RetainedContent(payload: message.json, expires: now.boot.advanced(by: request.left))
                )
            }
            asked.contentsAre(Dictionary(contents) { first, _ in first }, change: requests.change)
            homeAssistant?.questionsKnown(requests, words: words, at: now.boot)
        }
        return due(at: now)
    }
}
