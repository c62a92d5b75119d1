import GateClient
import GateModel
import GateTexts

/// Asks a person for the answers of a form, item by item. Items that are disabled or hidden are skipped; a wrong answer
/// is explained at once and asked again. Before each question the draft is read again, since other clients may work on
/// it.
struct FormFiller: Sendable {
    let form: any FillableForm
    let console: any FormConsole

    enum Outcome: Hashable, Sendable {
        /// The form was completed; this response is kept.
        case completed(ResponseChange)
        /// A copy of the draft was kept as this response. The draft stays.
        case saved(ResponseChange)
        /// The person left. The draft stays.
        case left
    }

    enum Step: Hashable, Sendable {
        case on
        case back
        /// To the first question with this linkId, preferably an unanswered one; else to the group with it.
        case to(String)
        /// To this question, or to the first question in this group.
        case goto(FormPath)
        case end(Outcome)
    }

    /// - Throws: `CANCELLED` if nobody waits for the form any more; errors that another answer can't mend.
    func run() async throws(GateError) -> Outcome {
        var passed = introduction
        var position = 0
        var offered: Set<FormPath> = []
        while true {
            let draft = try await form.read()
            let walk = FormWalk(form.questionnaire, draft.response, pending: draft.pending)
            guard position < walk.stops.count else {
                switch try await FormEnding(form: form, console: console).ask(draft, after: passed) {
                case .on: break
                case .back: position = previous(in: walk, before: walk.stops.count) ?? 0
                case .to(let linkID): position = self.position(of: linkID, in: walk)
                case .goto(let path): position = walk.position(at: path) ?? walk.stops.count
                case .end(let outcome): return outcome
                }
                passed = []
                continue
            }
            let stop = walk.stops[position]
            let place = walk.partsPlace(at: position).flatMap { offered.insert($0.path).inserted ? $0 : nil }
            let parts = if let place { try await form.parts(of: place.definition) } else { [PartSummary]() }
            if !stop.asks { passed += lines(passing: stop, walk) }
            guard stop.asks || !parts.isEmpty else {
                position += 1
                continue
            }
            let asking = FormAsking(form: form, console: console, passed: passed)
            let step: Step
            if let place, !parts.isEmpty {
                if stop.asks { passed += lines(passing: stop, walk) }
                let question = FormPartsQuestion(form: form, console: console, passed: passed)
                switch try await question.ask(parts, into: place.path, takesSeveral: place.takesSeveral) {
                case .taken(let notes):
                    passed = notes
                    if !stop.asks { position += 1 }
                    continue
                case .left:
                    passed = []
                    if !stop.asks { position += 1 }
                    continue
                case .step(let elsewhere): step = elsewhere
                }
            } else {
                step = try await self.step(at: stop, asking)
            }
            passed = []
            switch step {
            case .on: position = try await self.position(after: stop, in: walk, at: position)
            case .back:
                if let previous = previous(in: walk, before: position) {
                    position = previous
                    passed = section(before: previous, in: walk)
                }
            case .to(let linkID): position = self.position(of: linkID, in: walk)
            case .goto(let path):
                position = walk.position(at: path) ?? position
                passed = section(before: position, in: walk)
            case .end(let outcome): return outcome
            }
        }
    }

    private func step(at stop: FormWalk.Stop, _ asking: FormAsking) async throws(GateError) -> Step {
        switch stop {
        case .question(let question): try await asking.ask(question.path, of: question.item)
        case .another(let another): try await asking.ask(another)
        case .section, .text: .on
        }
    }

    private var introduction: [String] {
        let questionnaire = form.questionnaire
        var lines = [console.colours.bold(VisibleText.line(questionnaire.titles.ofPerson))]
        if let description = questionnaire.descriptions?.ofPerson { lines.append(VisibleText.line(description)) }
        return lines + [console.colours.dim(localized("Return goes on, < goes back, :help says the rest.")), ""]
    }

    private func lines(passing stop: FormWalk.Stop, _ walk: FormWalk) -> [String] {
        switch stop {
        case .section(let section):
            ["", FormQuestionText.heading(of: section, locale: console.locale, colours: console.colours)]
        case .text(let item): [QuestionnaireText.name(of: item)]
        case .question(let question):
            FormQuestionText(question: question, questionCount: walk.questionCount, colours: console.colours).lines
        case .another: []
        }
    }

    // MARK: The way

    /// The position after the stop. If the answer removed it, the position after the nearest earlier stop that is left.
    private func position(
        after stop: FormWalk.Stop, in before: FormWalk, at position: Int
    ) async throws(GateError) -> Int {
        let walk = FormWalk(form.questionnaire, try await form.read().response)
        // If a group was added, its first question was just asked, so continue after that.
        if case .another(let another) = stop,
            let made = walk.stops.firstIndex(where: { $0.place == .question(another.first?.path ?? another.path) })
        {
            return made + 1
        }
        for earlier in before.stops[...position].reversed() {
            if let index = walk.index(of: earlier) { return index + 1 }
        }
        return 0
    }

    private func previous(in walk: FormWalk, before position: Int) -> Int? {
        walk.stops[..<min(position, walk.stops.count)].lastIndex { stop in
            switch stop {
            case .question: stop.asks
            case .section, .text, .another: false
            }
        }
    }

    /// The heading of the section around `position`, so that a person who jumps sees where they are.
    private func section(before position: Int, in walk: FormWalk) -> [String] {
        let section = walk.stops[..<position].last { stop in
            switch stop {
            case .section: true
            case .question, .text, .another: false
            }
        }
        return section.map { lines(passing: $0, walk) } ?? []
    }

    private func position(of linkID: String, in walk: FormWalk) -> Int {
        func index(_ isIt: (FormWalk.Question) -> Bool) -> Int? {
            walk.stops.firstIndex { stop in
                switch stop {
                case .question(let question): stop.asks && question.item.linkID == linkID && isIt(question)
                case .section, .text, .another: false
                }
            }
        }
        let group = walk.stops.firstIndex { stop in
            switch stop {
            case .section(let section): section.item.linkID == linkID
            case .question, .text, .another: false
            }
        }
        return index { $0.values.isEmpty } ?? index { _ in true } ?? group ?? 0
    }
}

extension FormWalk {
    /// The path of the item that a person names by the number of a question, by its path, or by the linkId of a
    /// question or group; `nil` if nothing can be answered there.
    func destination(_ text: String) -> FormPath? {
        if let number = Int(text), let question = questions.first(where: { $0.number == number }) {
            return position(at: question.path).map { _ in question.path }
        }
        guard let path = FormPath(text: text) else { return nil }
        let places = stops.compactMap(\.path)
        let named = places.first { $0 == path } ?? places.first { $0.isNamed(by: path) }
        return named.flatMap { position(at: $0) == nil ? nil : $0 }
    }

    /// The index of the stop that asks for the item, or for a group's first question. `nil` if nothing is asked there.
    func position(at path: FormPath) -> Int? {
        guard let start = stops.firstIndex(where: { $0.path == path }) else { return nil }
        guard case .section(let section) = stops[start] else { return stops[start].asks ? start : nil }
        return stops.indices[(start + 1)...].prefix { index in
            if case .section(let next) = stops[index] { next.depth > section.depth } else { true }
        }.first { stops[$0].asks }
    }
}

extension FormWalk.Stop {
    fileprivate var path: FormPath? {
        switch self {
        case .section(let section): section.path
        case .question(let question): question.path
        case .text, .another: nil
        }
    }
}
