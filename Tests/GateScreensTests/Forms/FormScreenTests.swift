import GateClient
import GateModel
import GateScreens
import Testing

@Suite("A form on the screen")
struct FormScreenTests {
    private static func oneSection(_ items: [QuestionnaireItem], _ answers: [QuestionnaireResponseItem]) -> FormOnScreen
    {
        FormOnScreen([.group("all", items)], [.group("all", answers)])
    }

    private static let two = [
        QuestionnaireItem.group("first", [.question("name", isRequired: true), .question("age", .integer)]),
        .group("second", [.question("born", .date)]),
    ]

    private static func two(
        name: FormValue? = nil, born: FormValue? = nil
    ) -> [QuestionnaireResponseItem] {
        [
            .group(
                "first",
                [
                    QuestionnaireResponseItem(
                        linkID: "name", answers: name.map { [QuestionnaireResponseAnswer($0)] } ?? []),
                    .answer("age"),
                ]),
            .group(
                "second",
                [
                    QuestionnaireResponseItem(
                        linkID: "born", answers: born.map { [QuestionnaireResponseAnswer($0)] } ?? [])
                ]),
        ]
    }

    private static let missingName = FormIssue(
        .error, .required, at: "QuestionnaireResponse.item[0].item[0]", linkID: "name", "'name' needs an answer.")

    // MARK: Pages

    @Test("each group is a section; Next and Back lead through the sections and to an overview at the end (S-09)")
    func sections() {
        var form = FormOnScreen(Self.two, Self.two())
        #expect(form.picture().heading == "first")
        #expect(form.picture().position == "Section 1 of 2")
        #expect(form.picture().back == "")
        #expect(form.does(.wentOn) == [])
        #expect(form.picture().heading == "second")
        #expect(form.picture().back == "Back")
        _ = form.does(.wentOn)
        #expect(form.picture().heading == "Overview")
        #expect(form.picture().next == "Complete")
        #expect(form.sections.map(\.title) == ["first", "second"])
        _ = form.does(.wentBack)
        #expect(form.picture().heading == "second")
        _ = form.does(.wentTo(0))
        #expect(form.picture().heading == "first")
        #expect(form.picture().steps.map(\.title) == ["first", "second", "Overview"])
    }

    @Test("disabled and hidden items are not shown, and items outside groups are sections of their own")
    func enabled() {
        let items = [
            QuestionnaireItem.question("loose"),
            .group("all", [.question("there"), .question("disabled"), .question("hidden", isHidden: true)]),
            .group("gone", [.question("of-it")]),
        ]
        var form = FormOnScreen(
            items, [.answer("loose"), .group("all", [.answer("there"), .answer("hidden", .string("secret"))])])
        #expect(form.picture().heading == "A test")
        _ = form.does(.wentOn)
        #expect(form.fields.map(\.label) == ["there"])
        _ = form.does(.wentOn)
        #expect(form.picture().heading == "Overview")
        // It is completed with the rest, so that it can be read here.
        #expect(form.sections.map(\.answers) == [[], ["hidden: secret"]])
    }

    @Test("when others disable the section on screen, the one before it is shown")
    func goneSection() {
        var form = FormOnScreen(Self.two, Self.two())
        _ = form.does(.wentOn)
        form.reads([.group("first", [.answer("name"), .answer("age")])], isOwn: false)
        #expect(form.picture().heading == "first")
    }

    // MARK: Answering

    @Test("a typed text is sent to the daemon as an answer, and stays shown until it is taken or refused")
    func typed() throws {
        var form = FormOnScreen(Self.two, Self.two())
        #expect(form.does(.typed("name", " Anna ")) == [.set("name", [.string("Anna")])])
        #expect(try form.field("name").control == .entry("Anna", .words))
        form.screen.changeTaken("name", cleared: [])
        form.reads(Self.two(name: .string("Anna")))
        #expect(form.does(.typed("name", "Anna")) == [])
        #expect(form.does(.typed("name", "")) == [.set("name", [])])
    }

    @Test("a text that is not an answer is not sent, and stays with an error until it is corrected")
    func wrong() throws {
        var form = FormOnScreen(Self.two, Self.two())
        #expect(form.does(.typed("age", "twelve")) == [])
        #expect(try form.field("age").control == .entry("twelve", .number))
        #expect(try form.field("age").error.hasPrefix("'twelve' is no whole number"))
        #expect(form.does(.typed("age", "12")) == [.set("age", [.integer(12)])])
        #expect(try form.field("age").error == "")
    }

    @Test("an answer that the daemon refuses stays in its field with the reason")
    func refused() throws {
        var form = FormOnScreen(Self.two, Self.two())
        _ = form.does(.typed("age", "900"))
        form.screen.changeRefused("age", GateError(.invalidArgument, .badAnswer, "At most 120."))
        #expect(try form.field("age").control == .entry("900", .number))
        #expect(try form.field("age").error == "At most 120.")
        #expect(form.does(.typed("age", "")) == [])
        #expect(try form.field("age").control == .entry("", .number))
    }

    @Test("answers that were cleared by a change are named")
    func cleared() {
        var form = FormOnScreen(Self.two, Self.two())
        _ = form.does(.typed("name", "Tim"))
        form.screen.changeTaken("name", cleared: ["age"])
        #expect(form.picture().note == "Cleared, because it depends on this: age.")
    }

    @Test("an answer that is changed back while the change is sent is sent too")
    func changedBack() throws {
        var form = Self.oneSection([.question("q", .boolean)], [.answer("q", .boolean(false))])
        #expect(form.does(.answered("q", yes: true)) == [.set("q", [.boolean(true)])])
        #expect(form.does(.answered("q", yes: false)) == [.set("q", [.boolean(false)])])
        form.screen.changeTaken("q", cleared: [])
        form.reads([.group("all", [.answer("q", .boolean(true))])])
        #expect(try form.field("q").control == .yesNo(false))
        form.screen.changeTaken("q", cleared: [])
        form.reads([.group("all", [.answer("q", .boolean(false))])])
        #expect(form.does(.answered("q", yes: false)) == [])
    }

    @Test("options chosen during a change are added to it, also when its first part was taken")
    func oneAfterTheOther() throws {
        let options = ["a", "b", "c"].map { FormValue.coding(FormCoding(code: $0, display: $0)) }
        var form = Self.oneSection(
            [.question("q", .choice, repeats: true, options: options)], [.answer("q")])
        #expect(form.does(.chosen("q", 0, isOn: true)) == [.set("q", [options[0]])])
        #expect(form.does(.chosen("q", 1, isOn: true)) == [.set("q", Array(options[..<2]))])
        form.screen.changeTaken("q", cleared: [])
        form.reads([.group("all", [.answer("q", options[0])])])
        #expect(form.does(.chosen("q", 2, isOn: true)) == [.set("q", options)])
        // While a newer change is being sent, that one decides.
        form.screen.changeRefused("q", GateError(.invalidArgument, .badAnswer, "At most 2."))
        #expect(try form.field("q").error == "")
        form.screen.changeRefused("q", GateError(.invalidArgument, .badAnswer, "At most 2."))
        #expect(try form.field("q").error == "At most 2.")
    }

    @Test("a text that is not an answer stays while an earlier answer is sent and taken")
    func wrongMeanwhile() throws {
        var form = FormOnScreen(Self.two, Self.two())
        #expect(form.does(.typed("age", "12")) == [.set("age", [.integer(12)])])
        #expect(form.does(.typed("age", "12x")) == [])
        form.screen.changeTaken("age", cleared: [])
        #expect(try form.field("age").control == .entry("12x", .number))
        #expect(try form.field("age").error.hasPrefix("'12x' is no whole number"))
    }

    @Test("input for a path that is unknown, read-only or not a question is ignored")
    func strangers() {
        var form = Self.oneSection(
            [.question("fixed", isReadOnly: true), .question("name")], [.answer("fixed"), .answer("name")])
        for path: FormPath in ["fixed", "all", "nothing", "name[3]/x"] { #expect(form.does(.typed(path, "x")) == []) }
    }

    // MARK: Others

    @Test("answers of others appear; in a field being edited they are reported, and the person's answer replaces them")
    func others() throws {
        var form = FormOnScreen(Self.two, Self.two())
        _ = form.does(.edited("name"))
        form.reads(Self.two(name: .string("Ben")), isOwn: false)
        #expect(try form.field("name").error == "Somebody else has answered meanwhile: Ben")
        #expect(form.picture().note == "Somebody else has answered meanwhile: Ben")
        #expect(form.does(.typed("name", "Anna")) == [.set("name", [.string("Anna")])])
        form.screen.changeTaken("name", cleared: [])
        form.reads(Self.two(name: .string("Anna")))
        #expect(try form.field("name").error == "")
    }

    @Test("a draft older than the one shown is ignored")
    func older() throws {
        var form = FormOnScreen(Self.two, Self.two(name: .string("new")))
        form.screen.draftRead(
            FormStanding(revision: 4, response: QuestionnaireResponse(status: .inProgress), issues: []), isOwn: false,
            at: FormOnScreen.start)
        #expect(try form.field("name").control == .entry("new", .words))
    }

    // MARK: What is missing

    @Test("missing answers are shown once the person has left the section, and wrong ones at once")
    func missing() throws {
        var form = FormOnScreen(Self.two, Self.two(), issues: [Self.missingName])
        #expect(try form.field("name").error == "")
        #expect(form.picture().steps.map(\.needsAttention) == [false, false, false])
        _ = form.does(.wentOn)
        #expect(form.picture().steps.map(\.needsAttention) == [true, false, false])
        #expect(form.picture().steps.first?.spoken == "first: something is missing")
        _ = form.does(.wentBack)
        #expect(try form.field("name").error == "This has to be answered.")
        let wrong = FormIssue(
            .error, .value, at: "QuestionnaireResponse.item[0].item[1]", linkID: "age", "At most 120.")
        var other = FormOnScreen(Self.two, Self.two(), issues: [wrong])
        #expect(try other.field("age").error == "At most 120.")
        _ = other.does(.wentTo(2))
        #expect(other.sections.map(\.problems) == [["age: At most 120."], []])
        #expect(other.picture().note == "1 answer is missing or wrong.")
        #expect(!other.picture(at: 50).takesNext)
    }

    @Test("on the overview, missing answers are mistakes only after something was answered")
    func untouched() throws {
        var form = FormOnScreen(Self.two, Self.two(), issues: [Self.missingName])
        _ = form.does(.wentTo(2))
        #expect(form.sections.map(\.missing) == [["name: This has to be answered."], []])
        #expect(form.sections.map(\.problems) == [[], []])
        form.reads(Self.two(name: .string("")), issues: [Self.missingName])
        #expect(form.sections.map(\.missing) == [[], []])
        #expect(form.sections.map(\.problems) == [["name: This has to be answered."], []])
    }

    @Test("a field whose parent field is empty takes nothing, and says why (F-37)")
    func parents() throws {
        var form = Self.oneSection(
            [.question("street", parents: ["city"]), .question("city", .string, "City")],
            [.answer("street"), .answer("city")])
        #expect(try !form.field("street").isSensitive)
        #expect(try form.field("street").hint == "Answer first: City")
        form.reads([.group("all", [.answer("street"), .answer("city", .string("Berlin"))])])
        #expect(try form.field("street").isSensitive)
        #expect(try form.field("street").hint == "")
    }

    // MARK: Completing

    @Test("the draft on screen is completed by its revision, a second after the overview appears (T-03, S-13)")
    func completed() {
        var form = FormOnScreen(Self.two, Self.two(name: .string("Anna")))
        #expect(form.does(.completed(revision: 5), at: 50) == [])
        _ = form.does(.wentTo(2), at: 10)
        #expect(form.picture(at: 10.9).takesNext == false)
        #expect(form.does(.completed(revision: 5), at: 10.9) == [])
        #expect(form.picture(at: 11).takesNext)
        #expect(form.picture(at: 11).forward == .completed(revision: 5))
        #expect(form.does(.completed(revision: 4), at: 11) == [])
        #expect(form.does(.completed(revision: 5), at: 11) == [.complete(revision: 5)])
        #expect(form.picture(at: 11).note == "One moment.")
        #expect(!form.picture(at: 11).isEditable)
        #expect(form.does(.completed(revision: 5), at: 12) == [])
    }

    @Test("a broken rule of the whole form is shown on the overview, and only an error prevents completing (F-79)")
    func rules() {
        func broken(_ severity: FormIssue.Severity) -> FormIssue {
            FormIssue(
                severity, .invariant, at: "QuestionnaireResponse", linkID: nil, "They don't fit.",
                parameters: ["rule": "invariant", "key": "fit"])
        }
        var form = FormOnScreen(Self.two, Self.two(name: .string("Anna")), issues: [broken(.error)])
        _ = form.does(.wentTo(2), at: 10)
        #expect(form.picture(at: 12).rows.first?.content == .heading("They don't fit."))
        #expect(form.picture(at: 12).note == "1 answer is missing or wrong.")
        #expect(form.does(.completed(revision: 5), at: 12) == [])
        form.reads(Self.two(name: .string("Eve")), issues: [broken(.warning)], at: 20)
        #expect(form.picture(at: 22).rows.first?.content == .text("They don't fit."))
        #expect(form.does(.completed(revision: 6), at: 22) == [.complete(revision: 6)])
    }

    @Test("after others have changed the draft, it can be completed only once it was shown for a second (T-03)")
    func changedMeanwhile() {
        var form = FormOnScreen(Self.two, Self.two(name: .string("Anna")))
        _ = form.does(.wentTo(2), at: 10)
        form.reads(Self.two(name: .string("Eve")), isOwn: false, at: 20)
        #expect(form.picture(at: 20.5).note == "Somebody else has changed this meanwhile. Look at it again.")
        #expect(form.does(.completed(revision: 5), at: 20.5) == [])
        #expect(form.does(.completed(revision: 6), at: 20.5) == [])
        #expect(form.sections.first?.answers == ["name: Eve"])
        #expect(form.does(.completed(revision: 6), at: 21) == [.complete(revision: 6)])
    }

    @Test("a form whose overview is its only page can be completed")
    func onlyOverview() {
        var form = FormOnScreen([.question("hidden", isHidden: true)], [.answer("hidden", .string("x"))])
        #expect(form.picture().heading == "Overview")
        #expect(!form.picture(at: 0.9).takesNext)
        #expect(form.does(.completed(revision: 5), at: 1) == [.complete(revision: 5)])
        var left = FormOnScreen(Self.two, Self.two())
        left.reads([], isOwn: false, at: 10)
        #expect(left.picture(at: 10).heading == "Overview")
        #expect(!left.picture(at: 10.9).takesNext)
        #expect(left.does(.completed(revision: 6), at: 11) == [.complete(revision: 6)])
    }

    @Test("a form that is refused can be mended, and what the daemon found stands at the fields")
    func notCompleted() throws {
        var form = FormOnScreen(Self.two, Self.two(name: .string("Anna")))
        _ = form.does(.wentTo(2))
        #expect(form.does(.completed(revision: 5), at: 2) == [.complete(revision: 5)])
        let place = ErrorIssue.Place.form(ErrorIssue.FormPlace(linkID: "name", expression: ""))
        form.screen.completionRefused(
            GateError(
                .failedPrecondition, .incomplete, "It is not complete.",
                issues: [ErrorIssue(place, kind: .value, "Another name.")]),
            at: FormOnScreen.seconds(3))
        #expect(form.picture(at: 3).note == "It is not complete.")
        #expect(form.picture(at: 3).isEditable)
        _ = form.does(.wentTo(0))
        #expect(try form.field("name").error == "Another name.")
    }
}
