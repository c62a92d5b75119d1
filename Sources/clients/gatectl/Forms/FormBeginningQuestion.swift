import GateClient
import GateForms
import GateModel
import GateTexts

/// Asks how to begin if a form already has drafts or responses. Return chooses the usual way.
struct FormBeginningQuestion: Sendable {
    private let beginnings: FormBeginnings
    private let console: any FormConsole

    init(_ beginnings: FormBeginnings, _ console: any FormConsole) {
        self.beginnings = beginnings
        self.console = console
    }

    /// - Returns: `nil` if the person left.
    /// - Throws: `CANCELLED` if the form is no longer to be answered.
    func ask() async throws(GateError) -> FormBeginning? {
        var notes: [String] = []
        while true {
            let prompt = FormPrompt(
                lines: lines, notes: notes, isRepeated: !notes.isEmpty,
                request: localized("number, Return takes {number}", ["number": "\(beginnings.usual + 1)"]),
                choices: Dictionary(uniqueKeysWithValues: beginnings.all.indices.map { ($0 + 1, "\($0 + 1)") }))
            switch try FormFiller.line(await console.ask(prompt)) {
            case nil, .quit, .save: return nil
            case .on: return beginnings.all[beginnings.usual]
            case .answer(let text), .goto(let text):
                let number = Int(FormAnswerText.trimmed(text)) ?? 0
                if beginnings.all.indices.contains(number - 1) { return beginnings.all[number - 1] }
                notes = [
                    localized("Type a number from 1 to {count}; :quit leaves.", ["count": "\(beginnings.all.count)"])
                ]
            case .back, .skip, .clear, .take, .list, .help, .unknown:
                notes = [
                    localized("Type a number from 1 to {count}; :quit leaves.", ["count": "\(beginnings.all.count)"])
                ]
            }
        }
    }

    private var lines: [String] {
        let now = LocalTime.now()
        return [console.colours.bold(FormBeginningWords.question)]
            + beginnings.all.enumerated().map { index, beginning in
                "    \(index + 1)) \(FormBeginningWords.text(beginning, now: now, shown: VisibleText.line))"
            }
    }
}
