public import GateModel

/// The answers, a line each: `driver[1]/driver-name: Ben Lind`.
public struct AnswerLines {
    private let form: Questionnaire

    public init(_ form: Questionnaire) {
        self.form = form
    }

    /// - Parameter path: of a question, or of a group; `nil`: of all.
    public func lines(_ response: QuestionnaireResponse, at path: String? = nil) -> [String] {
        var lines: [(path: String, text: String)] = []
        collect(response.items, of: form.items, below: [], into: &lines)
        guard let path else { return lines.map { "\($0.path): \($0.text)" } }
        return lines.filter { $0.path == path || $0.path.hasPrefix(path + "/") }.map { "\($0.path): \($0.text)" }
    }

    private func collect(
        _ answered: [QuestionnaireResponseItem], of items: [QuestionnaireItem], below steps: [FormPath.Step],
        into lines: inout [(path: String, text: String)]
    ) {
        for item in items {
            let times = answered.filter { $0.linkID == item.linkID }
            for (index, time) in times.enumerated() {
                let values = time.answers.compactMap(\.value)
                if !values.isEmpty {
                    let path = FormPath(steps + [FormPath.Step(item.linkID)])
                    lines.append((path: "\(path)", text: values.map(\.scriptText).joined(separator: " | ")))
                }
                let place = { (index: Int) in item.repeats ? [FormPath.Step(item.linkID, index)] : [] }
                for (index, answer) in time.answers.enumerated() {
                    collect(answer.items, of: item.items, below: steps + place(index), into: &lines)
                }
                collect(time.items, of: item.items, below: steps + place(index), into: &lines)
            }
        }
    }
}

extension FormValue {
    /// The answer on one line.
    fileprivate var scriptText: String {
        displayText.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " / ")
    }
}

extension [QuestionnaireItem] {
    /// The item with this linkId, at any depth.
    func item(_ linkID: String) -> QuestionnaireItem? {
        for item in self {
            if item.linkID == linkID { return item }
            if let inner = item.items.item(linkID) { return inner }
        }
        return nil
    }
}
