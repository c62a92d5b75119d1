package import CGateProtocol
package import GateModel

// authorization.proto: the gated actions of the policy

extension Methods.Authorization {
    package static let listGatedActions = Method<ListGatedActionsRequest, ListGatedActionsResponse>(
        service, "ListGatedActions")
}

package typealias ListGatedActionsRequest = PageRequest<Gate__V1__ListGatedActionsRequest>
extension Gate__V1__ListGatedActionsRequest: CPageRequest {}

/// Sorted by name.
package typealias ListGatedActionsResponse = PageReply<GatedActionSummary, Gate__V1__ListGatedActionsResponse>

extension Gate__V1__ListGatedActionsResponse: CPageReply {
    package var elements: CList<Gate__V1__GatedAction> {
        get { (gated_actions, n_gated_actions) }
        set { (gated_actions, n_gated_actions) = newValue }
    }
}

extension GatedActionSummary: MessageMapping {
    init(reading message: Gate__V1__GatedAction) throws(GateError) {
        self.init(
            name: String(reading: message.name),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            requirement: String(reading: message.requirement),
            keep: OptionalMilliseconds.duration(message.keep_milliseconds),
            origin: try PolicyOrigin(optional: message.origin),
            moreTime: [String](reading: message.more_time, count: message.n_more_time).compactMap {
                AskChoice(readingAnswer: $0)
            })
    }

    func write(to message: inout Gate__V1__GatedAction, in arena: inout MessageArena) {
        message.name = arena.string(name)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.requirement = arena.string(requirement)
        message.keep_milliseconds = keep?.wireMilliseconds ?? 0
        message.origin = arena.message(optional: origin)
        (message.more_time, message.n_more_time) = arena.strings(moreTime.map(\.text))
    }
}
