import GateModel
import Testing

@testable import GateCore

@Suite("Limits that are expressions")
struct MovingLimitTests {
    private static let form = CompiledForm(
        .of([
            .date("born", most: "today() - 18 years"),
            .date("begin", least: "today()"),
            .date("end", least: "%resource.item.where(linkId = 'begin').answer.value + 1 month"),
        ]))

    /// 2026-11-25, noon in UTC.
    private static let noon = WallTime(unixMilliseconds: 1_795_608_000_000)

    private static func messages(_ draft: inout FormDraft, _ path: String, _ text: String, now: LocalTime) throws
        -> String?
    {
        let date = try #require(FormDate(text))
        do throws(GateError) {
            _ = try draft.set(FormPath(path), to: [.date(date)], now: now)
            return nil
        } catch {
            return error.issues.first?.message ?? error.message
        }
    }

    @Test(
        "a limit moves with the day, by the device's time zone (F-78)",
        arguments: [
            ("born", "2008-11-25", 0, nil), ("born", "2008-11-26", 0, "'The born' has to be at most 2008-11-25."),
            ("born", "2008-11-26", 720, nil), ("born", "2008-11", 0, nil),
            ("begin", "2026-11-25", 0, nil), ("begin", "2026-11-25", 720, "'The begin' has to be at least 2026-11-26."),
            ("begin", "2026-11-24", 0, "'The begin' has to be at least 2026-11-25."),
        ] as [(String, String, Int, String?)])
    func day(path: String, date: String, minutes: Int, told: String?) throws {
        var draft = FormDraft.opened(Self.form)
        let now = LocalTime(Self.noon, minutesEastOfUTC: minutes)
        #expect(try Self.messages(&draft, path, date, now: now) == told)
        #expect(draft.values(at: FormPath(path))?.isEmpty == (told != nil))
    }

    @Test("a limit may follow another answer; without that answer there is no limit")
    func answer() throws {
        var draft = FormDraft.opened(Self.form)
        let now = LocalTime(Self.noon)
        #expect(try Self.messages(&draft, "end", "2026-01-01", now: now) == nil)
        #expect(try Self.messages(&draft, "begin", "2026-12-01", now: now) == nil)
        #expect(try Self.messages(&draft, "end", "2026-12-31", now: now) == "'The end' has to be at least 2027-01-01.")
        #expect(try Self.messages(&draft, "end", "2027-01-01", now: now) == nil)
        // The other answer moves the limit past this one, so that the draft can't be completed.
        #expect(try Self.messages(&draft, "begin", "2026-12-15", now: now) == nil)
        #expect(draft.issues(now: now).map(\.message) == ["'The end' has to be at least 2027-01-15."])
        // A month later both answers are outside their limits.
        let later = LocalTime(WallTime(unixMilliseconds: Self.noon.unixMilliseconds + 30 * 86_400_000))
        #expect(draft.issues(now: later).map(\.linkID) == ["begin", "end"])
    }

    @Test("limits also hold for whole responses and for suggestions")
    func others() throws {
        let now = LocalTime(Self.noon)
        var draft = FormDraft.opened(Self.form)
        let early = try #require(FormDate("2000-01-01"))
        #expect(throws: GateError.self) { try draft.suggest(FormPath("begin"), [.date(early)], now: now) }
        let response = QuestionnaireResponse(
            status: .inProgress,
            items: [QuestionnaireResponseItem(linkID: "begin", answers: [QuestionnaireResponseAnswer(.date(early))])])
        #expect(throws: GateError.self) { try draft.fill(from: response, now: now) }
        #expect(draft == FormDraft.opened(Self.form))
    }

    @Test("a limit of another type refuses the answer; a less exact limit is applied as far as it goes")
    func types() throws {
        let now = LocalTime(Self.noon)
        var draft = FormDraft.opened(
            CompiledForm(.of([.date("a", least: "'2020-01-01'"), .question("t", .time, most: "@T18:00")])))
        #expect(
            try Self.messages(&draft, "a", "2026-01-01", now: now)?.hasSuffix(
                "Date and String can't be compared with each other.") == true)
        func accepts(_ text: String) throws -> Bool {
            let time = try #require(FormTime(text))
            return (try? draft.set(FormPath("t"), to: [.time(time)], now: now)) != nil
        }
        #expect(try accepts("17:59:00"))
        #expect(try !accepts("23:00:00"))
    }

    @Test("a limit is evaluated once for a question, however many answers it has")
    func once() throws {
        var item = QuestionnaireItem.question("n", .integer)
        item.repeats = true
        // A thousand such evaluations take more steps than are allowed.
        let ten = "(0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9)"
        item.constraints.maximumExpression = "\(ten).select(\(ten).select(\(ten))).count()"
        let form = CompiledForm(.of([item]))
        var draft = FormDraft.opened(form)
        let values = (0..<1000).map { _ in FormValue.integer(1000) }
        _ = try draft.set(FormPath("n"), to: values, now: LocalTime(Self.noon))
        let response = QuestionnaireResponse(
            status: .completed,
            items: [
                QuestionnaireResponseItem(
                    linkID: "n",
                    answers: [QuestionnaireResponseAnswer(.integer(1000)), QuestionnaireResponseAnswer(.integer(1001))])
            ])
        let issues = ResponseValidator(form, now: LocalTime(Self.noon)).issues(of: response)
        #expect(issues.map(\.message) == ["'The n' has to be at most 1000."])
        #expect(issues.map(\.path) == ["QuestionnaireResponse.item[0].answer[1]"])
    }

    @Test("an edit that evaluates expressions is never called quick, since their cost is unknown beforehand")
    func costs() throws {
        var device = Device(
            configuration: .asking.with(.of([.date("born", most: "today()"), .question("a", .string)])))
        try device.openForm("form", as: .anna)
        func byteCount(_ kind: FormWork.Kind) throws -> Int {
            try device.state.formWork(
                kind, on: FormTarget(name: "form"), for: .anna, at: device.now, localTime: .epoch
            ).byteCount
        }
        let date = try #require(FormDate("2000-01-01"))
        #expect(try byteCount(.edit(.set(FormPath("born"), [.date(date)], attachments: [:]))) == .max)
        #expect(try byteCount(.edit(.suggest(FormPath("born"), [.date(date)], attachments: [:]))) == .max)
        #expect(try byteCount(.edit(.set(FormPath("a"), [.string("x")], attachments: [:]))) == 0)
        #expect(try byteCount(.keep(.completed)) == .max)
        #expect(try byteCount(.keep(.inProgress)) < 1000)
    }

    @Test("a limit that fails to evaluate refuses the answer, with the reason")
    func fault() throws {
        var draft = FormDraft.opened(CompiledForm(.of([.date("a", most: "today() + 'x'")])))
        let told = try Self.messages(&draft, "a", "2026-01-01", now: LocalTime(Self.noon))
        #expect(
            told?.hasPrefix("The limits of 'The a' can't be calculated from the other answers: ") == true)
    }
}

extension QuestionnaireItem {
    fileprivate static func date(_ linkID: String, least: String? = nil, most: String? = nil) -> QuestionnaireItem {
        question(linkID, .date, least: least, most: most)
    }

    fileprivate static func question(
        _ linkID: String, _ kind: Kind, least: String? = nil, most: String? = nil
    ) -> QuestionnaireItem {
        var item = QuestionnaireItem.question(linkID, kind)
        item.constraints.minimumExpression = least
        item.constraints.maximumExpression = most
        return item
    }
}
