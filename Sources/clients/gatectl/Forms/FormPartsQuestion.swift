import GateModel
import GateScreens
import GateTexts

/// Offers parts, which are answers from earlier forms, for an item where nothing is answered yet. The parts have
/// numbers; with Return the person answers the item anew.
struct FormPartsQuestion: Sendable {
    let form: any FillableForm
    let console: any FormConsole
    /// Lines about what came before, to be shown with the question.
    let passed: [String]

    enum Outcome: Hashable, Sendable {
        /// Parts were taken. The sentences say what did not fit.
        case taken([String])
        /// The person wants to answer the item anew.
        case left
        /// The person goes elsewhere in the form, or leaves it.
        case step(FormFiller.Step)
    }

    /// The most parts that are shown. Nobody would read more.
    static let shownCount = 20

    /// `parts` is not empty. With `takesSeveral`, each chosen part becomes one more of the repeating item.
    /// - Throws: `CANCELLED` if nobody waits for the form any more; errors that another choice can't mend.
    func ask(_ parts: [PartSummary], into path: FormPath, takesSeveral: Bool) async throws(GateError) -> Outcome {
        let shown = Array(parts.prefix(Self.shownCount))
        let lines =
            passed + [localized("What was answered before:")]
            + shown.enumerated().map { "    \($0 + 1)) \(VisibleText.line($1.label))" }
        let request =
            takesSeveral
            ? localized("numbers or 'all'; Return to answer it anew") : localized("number; Return to answer it anew")
        var choices: [Int: String] = [:]
        if !takesSeveral { for index in shown.indices { choices[passed.count + index + 1] = "\(index + 1)" } }
        var notes: [String] = []
        while true {
            let prompt = FormPrompt(
                lines: lines, notes: notes, isRepeated: !notes.isEmpty, request: request, choices: choices)
            switch try FormFiller.line(await console.ask(prompt)) {
            case nil, .quit: return .step(.end(.left))
            case .on, .skip: return .left
            case .back: return .step(.back)
            case .save: return .step(.end(.saved(try await form.save())))
            case .goto(let text):
                let walk = FormWalk(form.questionnaire, try await form.read().response)
                if let path = walk.destination(text) { return .step(.goto(path)) }
                notes = [FormFiller.nowhere(text)]
            case .help: notes = FormLine.helpLines
            case .list:
                notes = FormListing(FormWalk(form.questionnaire, try await form.read().response)).numberedLines
            case .clear, .take: notes = [localized("Nothing is answered here yet.")]
            case .unknown(let text): notes = [FormFiller.unknown(text)]
            case .answer(let text):
                guard let chosen = Self.chosen(text, of: shown, takesSeveral: takesSeveral) else {
                    notes = [localized("Type a number from 1 to {count}, or nothing.", ["count": "\(shown.count)"])]
                    continue
                }
                do throws(GateError) {
                    return .taken(told(try await form.takeParts(chosen, into: path)))
                } catch {
                    notes = try FormFiller.notes(error)
                }
            }
        }
    }

    /// `nil` if the text is not numbers of shown parts, has one twice, or has several although only one fits.
    private static func chosen(_ text: String, of parts: [PartSummary], takesSeveral: Bool) -> [UInt64]? {
        let words = text.split { $0.isWhitespace || ",，、".contains($0) }
        if takesSeveral, words.count == 1, ["all", localized("all")].contains(words[0].lowercased()) {
            return parts.map(\.id)
        }
        let numbers = words.compactMap { Int($0) }.filter { parts.indices.contains($0 - 1) }
        guard !numbers.isEmpty, numbers.count == words.count, takesSeveral || numbers.count == 1,
            Set(numbers).count == numbers.count
        else { return nil }
        return numbers.map { parts[$0 - 1].id }
    }

    private func told(_ cleared: [String]) -> [String] {
        cleared.isEmpty ? [] : [FormWords.leftOut(form.questionnaire.names(ofCleared: cleared))]
    }
}

extension FormWalk {
    struct PartsPlace: Hashable {
        let definition: String
        /// The path of the item. If each part becomes one more of a repeating group, the last step has no index.
        let path: FormPath
        let takesSeveral: Bool
    }

    /// The place where parts can be offered, if this stop is one: its item has a `definition`, and nothing is answered
    /// in it but read-only questions.
    func partsPlace(at index: Int) -> PartsPlace? {
        switch stops[index] {
        case .section(let section):
            guard let definition = section.item.definitionOfParts,
                inside(index).allSatisfy({ stops[$0].question.map { $0.values.isEmpty || $0.item.isReadOnly } ?? true })
            else { return nil }
            let takesSeveral = section.item.repeats && section.count == 1
            var path = section.path
            if takesSeveral { path.steps[path.steps.count - 1].index = nil }
            return PartsPlace(definition: definition, path: path, takesSeveral: takesSeveral)
        case .question(let question):
            guard let definition = question.item.definitionOfParts, question.values.isEmpty else { return nil }
            return PartsPlace(definition: definition, path: question.path, takesSeveral: question.item.repeats)
        case .text, .another: return nil
        }
    }
}
