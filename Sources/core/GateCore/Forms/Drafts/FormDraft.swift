public import GateModel

/// A form that is being filled in (F-29 … F-42): what was answered so far, and what may be answered next.
///
/// Answers of items that are not enabled are kept, so that nothing is lost by a switch that is turned off and on again; but
/// nothing sees them: no condition, no parent, no response.
public struct FormDraft: Hashable, Sendable {
    /// The result of an edit.
    public struct Change: Hashable, Sendable {
        /// The rows that are other than before; `nil`: it is removed.
        public var rows: [FormPath: FormRow?]
        /// The answers that were cleared because they depend on what was changed (F-36), or left out because they do
        /// not fit any more (F-39); in the order of the form.
        public var cleared: [FormPath]
        /// The answers of a suggestion that may wait, since something else is answered (F-75). Empty: nothing is to wait.
        public var waiting: [FormValue]

        public init(rows: [FormPath: FormRow?] = [:], cleared: [FormPath] = [], waiting: [FormValue] = []) {
            self.rows = rows
            self.cleared = cleared
            self.waiting = waiting
        }

        /// Whether anything is other than before.
        public var isChanged: Bool { !rows.isEmpty }
    }

    var filled: FilledForm

    public var form: CompiledForm { filled.form }

    /// With initial values (F-30).
    ///
    /// - Parameters:
    ///   - now: the device's clock. `nil`: no expression asks for it.
    ///   - follows: whether the answers are there that expressions give; they may take long.
    package static func opened(_ form: CompiledForm, now: LocalTime? = nil, follows: Bool = true) -> FormDraft {
        var filled = FilledForm(form, moment: now)
        filled.rows = form.openedRows
        guard follows else { return FormDraft(filled: filled) }
        filled.beginning = form.outline.initiallyCalculated.flatMap { filled.occurrences(of: $0, within: []) }
        _ = filled.follow(.everything)
        return FormDraft(filled: filled)
    }

    /// As it was kept. What no longer fits the form is dropped.
    ///
    /// - Parameter moment: when it was opened. What hangs on the day is worked out anew with the next edit. `nil`: nothing does.
    package init(restoring rows: [FormPath: FormRow], of form: CompiledForm, moment: LocalTime? = nil) {
        filled = FilledForm(form, moment: moment)
        filled.restore(rows)
        filled.isRestored = true
    }

    private init(filled: FilledForm) {
        self.filled = filled
    }

    /// Exactly what is durable of it.
    public var rows: [FormPath: FormRow] {
        Dictionary(uniqueKeysWithValues: filled.rows.all.map { (filled.outline.path(of: $0.place), $0.row) })
    }

    /// Whether the day decides what of it is asked.
    var isEnabledByClock: Bool { filled.outline.isEnabledByClock }

    /// All that its answers name.
    public var attachments: Set<AttachmentDigest> { filled.rows.attachments }

    /// The bytes of its values, and a little for each row, for limits. Documents count for their names alone.
    public var byteCount: Int { filled.rows.byteCount }

    /// - Returns: `nil`: there is nothing at this path.
    public func values(at path: FormPath) -> [FormValue]? {
        do throws(GateError) {
            guard path.index != nil else { return filled.answers(of: try filled.occurrence(at: path)) }
            _ = try filled.instance(at: path)
            return []
        } catch {
            // Below an answer that is not there yet: not answered.
            return error.reason == .notAnswerable ? [] : nil
        }
    }

    /// Whether what is at this path is there, and asked for with the other answers as they are (F-38).
    public func isEnabled(_ path: FormPath) -> Bool {
        do throws(GateError) {
            if path.index != nil { _ = try filled.instance(at: path) }
            let occurrence = try filled.occurrence(at: path)
            return filled.unansweredQuestion(around: occurrence) == nil && filled.isEnabled(occurrence)
        } catch {
            return false
        }
    }

    /// All that keeps it from being completed, and what is to be said beside that.
    ///
    /// - Parameter now: the device's clock.
    package func issues(now: LocalTime) -> [FormIssue] {
        ResponseValidator(form, now: now, enabledAt: filled.moment)
            .issues(of: response(.completed, authored: nil, includingUnanswered: false))
    }
}
