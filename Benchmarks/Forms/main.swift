import GateCore
import GateModel
import Glibc

// Measures the form engine: opening a large form, and giving it answers. Prints the rows of a table; with
// `--check` it ends with 1 where a target is missed.

/// A form of so many questions in groups of 20, a quarter of which hang on a condition, and some on a parent.
func form(itemCount: Int) -> Questionnaire {
    var groups: [QuestionnaireItem] = []
    var questions: [QuestionnaireItem] = []
    for index in 0..<itemCount {
        let linkID = "question-\(index)"
        let kind: QuestionnaireItem.Kind = index.isMultiple(of: 4) ? .boolean : .string
        var conditions: [QuestionnaireEnableCondition] = []
        if index % 4 == 1 {
            conditions = [
                QuestionnaireEnableCondition(
                    question: "question-\(index - 1)", comparison: .equal, answer: .boolean(true))
            ]
        }
        questions.append(
            QuestionnaireItem(
                linkID: linkID, kind: kind, text: "Question \(index)", enableWhen: conditions,
                isRequired: index % 8 == 2,
                initial: index.isMultiple(of: 4) ? [.boolean(index.isMultiple(of: 8))] : [],
                constraints: QuestionnaireItemConstraints(maximumLength: index.isMultiple(of: 4) ? nil : 100),
                parents: index % 8 == 3 ? ["question-\(index - 1)"] : []))
        if questions.count == 20 || index == itemCount - 1 {
            groups.append(
                QuestionnaireItem(
                    linkID: "group-\(groups.count)", kind: .group, text: "Group \(groups.count)", items: questions))
            questions = []
        }
    }
    return Questionnaire(name: "large", version: "1", title: "A large form", items: groups)
}

/// A form of so many questions, every fourth of which is there once the one of those before it is answered: a chain.
func chain(itemCount: Int) -> Questionnaire {
    let questions = (0..<itemCount).map { index in
        QuestionnaireItem(
            linkID: "question-\(index)", kind: .string, text: "Question \(index)",
            enableWhen: index > 0 && index.isMultiple(of: 4)
                ? [
                    QuestionnaireEnableCondition(
                        question: "question-\(index - 4)", comparison: .exists, answer: .boolean(true))
                ] : []
        )
    }
    return Questionnaire(name: "chain", version: "1", title: "A chain", items: questions)
}

/// A form of so many questions, every fourth of which is calculated: two of three from questions beside them, the others from the
/// calculated one before, so that they hang on one another in chains of 20; and one from all of them.
func calculatingForm(itemCount: Int) -> Questionnaire {
    func sees(_ index: Int) -> String { "%resource.item.where(linkId = 'question-\(index)').answer.value" }
    var questions = (0..<itemCount - 1).map { index in
        guard index.isMultiple(of: 4), index > 0 else {
            return QuestionnaireItem(
                linkID: "question-\(index)", kind: .integer, text: "Question \(index)", initial: [.integer(1)])
        }
        let last = index.isMultiple(of: 12) && !index.isMultiple(of: 240) ? sees(index - 12) : sees(index - 1)
        return QuestionnaireItem(
            linkID: "question-\(index)", kind: .integer, text: "Question \(index)", isReadOnly: true,
            expressions: QuestionnaireItemExpressions(calculated: "\(last) + \(sees(index - 2))"))
    }
    let sum =
        "%resource.item.where(linkId = 'question-4' or linkId = 'question-8' or linkId = 'question-12').answer.value.sum()"
    questions.append(
        QuestionnaireItem(
            linkID: "sum", kind: .integer, text: "The sum", isReadOnly: true,
            expressions: QuestionnaireItemExpressions(calculated: sum)))
    return Questionnaire(name: "calculating", version: "1", title: "A form that calculates", items: questions)
}

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

struct Measurement {
    /// The form is made ready, which happens when the policy is read, in seconds.
    var preparing = 0.0
    /// A draft of it is opened, in seconds.
    var opening = 0.0
    /// One answer, in seconds: a copy of the draft is kept, as the daemon does until the answer is durable.
    var answer = 0.0
    /// A switch that a question hangs on, to and fro.
    var toggling = 0.0
    /// What is wrong with the whole draft.
    var validation = 0.0
    /// One answer in a chain of conditions, on average over the whole chain.
    var answerInChain = 0.0
    /// A draft of a form that calculates is opened, in seconds.
    var openingCalculated = 0.0
    /// One answer that others follow from.
    var answerFollowed = 0.0
}

func measure(itemCount: Int) throws -> Measurement {
    let questionnaire = form(itemCount: itemCount)
    var preparations: [Double] = []
    var openings: [Double] = []
    for _ in 0..<7 {
        var begin = now()
        let ready = CompiledForm(questionnaire)
        preparations.append(now() - begin)
        begin = now()
        let draft = FormDraft.opened(ready)
        openings.append(now() - begin)
        precondition(!draft.rows.isEmpty, "a form opens with its initial values")
    }
    var draft = FormDraft.opened(CompiledForm(questionnaire))
    var answers: [Double] = []
    var toggles: [Double] = []
    for round in 0..<400 {
        let index = (round * 37) % (itemCount / 8) * 8
        let kept = draft
        var begin = now()
        let change = try draft.set(FormPath("question-\(index + 2)"), to: [.string("answer \(round)")])
        answers.append(now() - begin)
        precondition(change.isChanged && kept.rows != draft.rows, "an answer changes a draft")
        let isOn = draft.values(at: FormPath("question-\(index)")) == [.boolean(true)]
        begin = now()
        _ = try draft.set(FormPath("question-\(index)"), to: [.boolean(!isOn)])
        toggles.append(now() - begin)
    }
    var validations: [Double] = []
    for _ in 0..<5 {
        let begin = now()
        precondition(
            draft.issues(now: LocalTime(WallTime(unixMilliseconds: 0))).allSatisfy { $0.severity == .error },
            "what is wrong is an error")
        validations.append(now() - begin)
    }
    return Measurement(
        preparing: median(preparations), opening: median(openings), answer: median(answers), toggling: median(toggles),
        validation: median(validations), answerInChain: try answerInChain(itemCount: itemCount),
        openingCalculated: openingCalculated(itemCount: itemCount),
        answerFollowed: try answerFollowed(itemCount: itemCount))
}

func openingCalculated(itemCount: Int) -> Double {
    let form = CompiledForm(calculatingForm(itemCount: itemCount))
    return median(
        (0..<7).map { _ in
            let begin = now()
            let draft = FormDraft.opened(form)
            let time = now() - begin
            precondition(draft.values(at: FormPath("question-12")) == [.integer(2)], "what is calculated is there")
            return time
        })
}

/// Answers all over the form, each followed by one calculated answer at least, and by a chain of up to 20.
func answerFollowed(itemCount: Int) throws -> Double {
    var draft = FormDraft.opened(CompiledForm(calculatingForm(itemCount: itemCount)))
    var times: [Double] = []
    for round in 0..<400 {
        let index = (round * 37) % (itemCount / 4 - 1) * 4 + 2
        let kept = draft
        let begin = now()
        let change = try draft.set(FormPath("question-\(index)"), to: [.integer(Int32(round + 2))])
        times.append(now() - begin)
        precondition(change.rows.count > 1 && kept.rows.count == draft.rows.count, "others follow")
    }
    return times.reduce(0, +) / Double(times.count)
}

func answerInChain(itemCount: Int) throws -> Double {
    var draft = FormDraft.opened(CompiledForm(chain(itemCount: itemCount)))
    let links = stride(from: 0, to: itemCount, by: 4)
    let begin = now()
    for index in links {
        let change = try draft.set(FormPath("question-\(index)"), to: [.string("answer")])
        precondition(change.isChanged, "the chain is gone through from its beginning")
    }
    return (now() - begin) / Double(itemCount / 4)
}

func rounded(_ number: Double, _ places: Int) -> String {
    let factor = (0..<places).reduce(1.0) { factor, _ in factor * 10 }
    let whole = Int((number * factor).rounded())
    guard places > 0 else { return "\(whole)" }
    let digits = String(whole % Int(factor))
    return "\(whole / Int(factor)).\(String(repeating: "0", count: places - digits.count))\(digits)"
}

let small = try measure(itemCount: 2_000)
let large = try measure(itemCount: 20_000)

/// Prints one row: what, with 2,000 items, with 20,000, how many times as long, and whether that meets its targets.
func isMet(
    _ what: String, _ part: (Measurement) -> Double, limit: Double?, limitText: String, hasGrowthTarget: Bool = true
) -> Bool {
    let ratio = part(large) / part(small)
    let isMet = part(small) <= limit ?? .infinity && (ratio <= 12 || !hasGrowthTarget)
    let unit = part(small) < 1e-3 ? ("µs", 1e6) : ("ms", 1e3)
    print(
        "| \(what) | \(rounded(part(small) * unit.1, 2)) \(unit.0) | \(rounded(part(large) * unit.1, 2)) \(unit.0) "
            + "| \(rounded(ratio, 1)) × | \(limitText)\(hasGrowthTarget ? "≤ 12 ×" : "") | \(isMet ? "met" : "not met") |"
    )
    return isMet
}

print("| a form of | 2,000 items, 500 conditions | 20,000 items, 5,000 conditions | growth | target | |")
print("|---|---|---|---|---|---|")
let met = [
    isMet(
        "is made ready, when the policy is read", \.preparing, limit: 50e-3, limitText: "≤ 50 ms",
        hasGrowthTarget: false),
    isMet("is opened", \.opening, limit: 50e-3, limitText: "≤ 50 ms, "),
    isMet("takes an answer", \.answer, limit: 1e-3, limitText: "≤ 1 ms, "),
    isMet("takes a switch that shows a question", \.toggling, limit: 1e-3, limitText: "≤ 1 ms, "),
    isMet("takes an answer in a chain of all its conditions", \.answerInChain, limit: 1e-3, limitText: "≤ 1 ms, "),
    isMet("is validated as a whole", \.validation, limit: nil, limitText: ""),
    isMet("with as many calculated answers is opened", \.openingCalculated, limit: 50e-3, limitText: "≤ 50 ms, "),
    isMet("takes an answer that calculated ones follow", \.answerFollowed, limit: 1e-3, limitText: "≤ 1 ms, "),
]
if met.contains(false), CommandLine.arguments.contains("--check") { exit(1) }
