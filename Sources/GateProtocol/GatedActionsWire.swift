import CGateProtocol
package import GateModel

// authorization.proto: the policy's gated actions

package struct ListGatedActionsRequest: MappedMessage, PageRequest {
    package var pageSize: Int
    package var pageToken: String

    package init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListGatedActionsRequest> { gate__v1__list_gated_actions_request__init }
}

package struct ListGatedActionsResponse: MappedMessage {
    /// By name.
    package var gatedActions: [GatedActionSummary]
    /// Empty: that was all.
    package var nextPageToken: String

    package init(gatedActions: [GatedActionSummary], nextPageToken: String) {
        self.gatedActions = gatedActions
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListGatedActionsResponse> {
        gate__v1__list_gated_actions_response__init
    }

    init(reading message: Gate__V1__ListGatedActionsResponse) throws(GateError) {
        self.init(
            gatedActions: try [GatedActionSummary](reading: message.gated_actions, count: message.n_gated_actions),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListGatedActionsResponse, in arena: inout MessageArena) {
        message.n_gated_actions = gatedActions.count
        message.gated_actions = arena.messages(gatedActions)
        message.next_page_token = arena.string(nextPageToken)
    }
}

extension GatedActionSummary: MessageMapping {
    static var initialise: Initialise<Gate__V1__GatedAction> { gate__v1__gated_action__init }

    init(reading message: Gate__V1__GatedAction) {
        self.init(
            name: String(reading: message.name),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            requirement: String(reading: message.requirement),
            keep: OptionalMilliseconds.duration(message.keep_milliseconds))
    }

    func write(to message: inout Gate__V1__GatedAction, in arena: inout MessageArena) {
        message.name = arena.string(name)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.requirement = arena.string(requirement)
        message.keep_milliseconds = keep?.wireMilliseconds ?? 0
    }
}
