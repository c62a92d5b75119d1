/// Whether a questionnaire is meant to be used: it can be in any case, and then that is told.
package struct QuestionnaireStanding: Hashable, Sendable {
    package enum Status: String, CaseIterable, Sendable {
        case draft
        case active
        case retired
        case unknown
    }

    package var status: Status
    /// The first moment at which it is meant to be used; `nil`: any.
    package var start: FormDateTime?
    /// The last one.
    package var end: FormDateTime?

    package init(status: Status = .active, start: FormDateTime? = nil, end: FormDateTime? = nil) {
        (self.status, self.start, self.end) = (status, start, end)
    }
}
