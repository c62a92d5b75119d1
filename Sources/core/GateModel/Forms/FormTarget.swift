/// Names a draft in a request: the form, and which draft. Whose draft it is depends on the presentation or the peer.
package struct FormTarget: Hashable, Sendable {
    /// The `id` of the questionnaire.
    package var name: String
    /// The cookie of the presentation that shows the form; `nil`: the peer's own draft.
    package var cookie: PresentationCookie?
    /// As `FormSummary.draftID`; 0 is the draft that is opened when a request says nothing else.
    package var draftID: UInt64

    package init(name: String, cookie: PresentationCookie? = nil, draftID: UInt64 = 0) {
        self.name = name
        self.cookie = cookie
        self.draftID = draftID
    }
}
