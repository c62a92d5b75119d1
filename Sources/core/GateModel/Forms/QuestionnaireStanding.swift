/// Whether a form is meant to be used at the moment. One that is not can still be used, but people are told.
package struct QuestionnaireStanding: Hashable, Sendable {
    package enum Status: String, CaseIterable, Sendable {
        case draft
        case active
        case retired
        case unknown
    }

    package var status: Status
    /// The first moment at which the form is meant to be used, and the last; `nil` if there is no such limit.
    package var start: FormDateTime?
    package var end: FormDateTime?

    package init(status: Status = .active, start: FormDateTime? = nil, end: FormDateTime? = nil) {
        (self.status, self.start, self.end) = (status, start, end)
    }
}
