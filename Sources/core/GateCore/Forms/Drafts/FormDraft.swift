public import GateModel

/// A form that is being filled in: the answers so far, and what can be answered next.
///
/// The answers of items that are not enabled are kept, so that nothing is lost if a switch is turned off and on again.
/// But nothing reads them: no condition, no dependent question, no response.
public struct FormDraft: Hashable, Sendable {
    /// The result of an edit.
    public struct Change: Hashable, Sendable {
        /// The rows that changed; `nil`: removed.
        public var rows: [FormPath: FormRow?]
        /// The questions whose answers were cleared because they depend on something that changed, or left out because
        /// they don't fit any more, in the order of the form.
        public var cleared: [FormPath]
        /// The values of a suggestion that may wait because the question has another answer; empty: none.
        public var waiting: [FormValue]

        public init(rows: [FormPath: FormRow?] = [:], cleared: [FormPath] = [], waiting: [FormValue] = []) {
            self.rows = rows
            self.cleared = cleared
            self.waiting = waiting
        }

        /// Whether any row changed.
        public var isChanged: Bool { !rows.isEmpty }
    }

    var filled: FilledForm

    public var form: CompiledForm { filled.form }

    /// A new draft with initial values.
    ///
    /// - Parameters:
    ///   - now: the device's clock; `nil`: no expression needs it.
    ///   - follows: whether to compute the answers that expressions give, which may take long.
    package static func opened(_ form: CompiledForm, now: LocalTime? = nil, follows: Bool = true) -> FormDraft {
        var filled = FilledForm(form, moment: now)
        filled.rows = form.openedRows
        guard follows else { return FormDraft(filled: filled) }
        filled.beginning = form.outline.initiallyCalculated.flatMap { filled.occurrences(of: $0, within: []) }
        _ = filled.follow(.everything)
        return FormDraft(filled: filled)
    }

    /// A draft from its stored rows. Rows that don't fit the form any more are dropped.
    ///
    /// - Parameter moment: when it was opened. The next edit computes anew what depends on the day; `nil`: nothing.
    package init(restoring rows: [FormPath: FormRow], of form: CompiledForm, moment: LocalTime? = nil) {
        filled = FilledForm(form, moment: moment)
        filled.restore(rows)
        filled.isRestored = true
    }

    private init(filled: FilledForm) {
        self.filled = filled
    }

    /// The rows, which are exactly the draft's durable part.
    public var rows: [FormPath: FormRow] {
        Dictionary(uniqueKeysWithValues: filled.rows.all.map { (filled.outline.path(of: $0.place), $0.row) })
    }

    /// Whether the date decides which of its items are enabled.
    var isEnabledByClock: Bool { filled.outline.isEnabledByClock }

    /// All documents that its answers name.
    public var attachments: Set<AttachmentDigest> { filled.rows.attachments }

    /// The bytes of its values plus some for each row, for limits. A document counts only with its name.
    public var byteCount: Int { filled.rows.byteCount }

    /// - Returns: the answers; `nil` if there is nothing at this path.
    public func values(at path: FormPath) -> [FormValue]? {
        do throws(GateError) {
            guard path.index != nil else { return filled.answers(of: try filled.occurrence(at: path)) }
            _ = try filled.instance(at: path)
            return []
        } catch {
            // Below an answer that does not exist yet, so not answered.
            return error.reason == .notAnswerable ? [] : nil
        }
    }

    /// Whether the item at this path exists and is enabled with the present answers.
    public func isEnabled(_ path: FormPath) -> Bool {
        do throws(GateError) {
            if path.index != nil { _ = try filled.instance(at: path) }
            let occurrence = try filled.occurrence(at: path)
            return filled.unansweredQuestion(around: occurrence) == nil && filled.isEnabled(occurrence)
        } catch {
            return false
        }
    }

    /// The errors that keep it from being completed, and other issues.
    ///
    /// - Parameter now: the device's clock.
    package func issues(now: LocalTime) -> [FormIssue] {
        ResponseValidator(form, now: now, enabledAt: filled.moment)
            .issues(of: response(.completed, authored: nil, includingUnanswered: false))
    }
}
