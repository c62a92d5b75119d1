import CGateProtocol
import GateModel

// authorization.proto: the policy's gated actions

public struct ListGatedActionsRequest: MappedMessage, PageRequest {
    public var pageSize: Int
    public var pageToken: String

    public init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListGatedActionsRequest> { gate__v1__list_gated_actions_request__init }
}

public struct ListGatedActionsResponse: MappedMessage {
    /// By name.
    public var gatedActions: [ListedGatedAction]
    /// Empty: that was all.
    public var nextPageToken: String

    public init(gatedActions: [ListedGatedAction], nextPageToken: String) {
        self.gatedActions = gatedActions
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListGatedActionsResponse> {
        gate__v1__list_gated_actions_response__init
    }

    init(reading message: Gate__V1__ListGatedActionsResponse) throws(GateError) {
        self.init(
            gatedActions: try [ListedGatedAction](reading: message.gated_actions, count: message.n_gated_actions),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListGatedActionsResponse, in arena: inout MessageArena) {
        message.n_gated_actions = gatedActions.count
        message.gated_actions = arena.messages(gatedActions)
        message.next_page_token = arena.string(nextPageToken)
    }
}

/// What the policy says of one gated action.
public struct ListedGatedAction: Hashable, Sendable, MessageMapping {
    /// Like "link.open".
    public var name: String
    /// Like "Open a web page".
    public var title: String
    /// What it takes, for people.
    public var requirement: String
    /// How long the user is not asked again, in whole milliseconds; `nil`: every time.
    public var keep: Duration?

    public init(name: String, title: String, requirement: String, keep: Duration?) {
        self.name = name
        self.title = title
        self.requirement = requirement
        self.keep = keep
    }

    static var initialise: Initialise<Gate__V1__GatedAction> { gate__v1__gated_action__init }

    init(reading message: Gate__V1__GatedAction) {
        self.init(
            name: String(reading: message.name), title: String(reading: message.title),
            requirement: String(reading: message.requirement),
            keep: OptionalMilliseconds.duration(message.keep_milliseconds))
    }

    func write(to message: inout Gate__V1__GatedAction, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.title = arena.string(title)
        message.requirement = arena.string(requirement)
        message.keep_milliseconds = keep?.wireMilliseconds ?? 0
    }
}
