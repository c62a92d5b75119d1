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
            ("born", "2008-11-25", 0, nil), ("born", "2008-11-26", 0, "'The born' is 2008-11-25 at the most."),
            ("born", "2008-11-26", 720, nil), ("born", "2008-11", 0, nil),
            ("begin", "2026-11-25", 0, nil), ("begin", "2026-11-25", 720, "'The begin' is 2026-11-26 at the least."),
            ("begin", "2026-11-24", 0, "'The begin' is 2026-11-25 at the least."),
        ] as [(String, String, Int, String?)])
    func day(path: String, date: String, minutes: Int, told: String?) throws {
        var draft = FormDraft.opened(Self.form)
        let now = LocalTime(Self.noon, minutesEastOfUTC: minutes)
        #expect(try Self.messages(&draft, path, date, now: now) == told)
        #expect(draft.values(at: FormPath(path))?.isEmpty == (told != nil))
    }

    @Test("a limit moves with another answer; without that there is none")
    func answer() throws {
        var draft = FormDraft.opened(Self.form)
        let now = LocalTime(Self.noon)
        #expect(try Self.messages(&draft, "end", "2026-01-01", now: now) == nil)
        #expect(try Self.messages(&draft, "begin", "2026-12-01", now: now) == nil)
        #expect(try Self.messages(&draft, "end", "2026-12-31", now: now) == "'The end' is 2027-01-01 at the least.")
        #expect(try Self.messages(&draft, "end", "2027-01-01", now: now) == nil)
        // The other answer moves it behind this one, and then it can't be completed.
        #expect(try Self.messages(&draft, "begin", "2026-12-15", now: now) == nil)
        #expect(draft.issues(now: now).map(\.message) == ["'The end' is 2027-01-15 at the least."])
        // A day later there is another thing to be said.
        let later = LocalTime(WallTime(unixMilliseconds: Self.noon.unixMilliseconds + 30 * 86_400_000))
        #expect(draft.issues(now: later).map(\.linkID) == ["begin", "end"])
    }

    @Test("a response as a whole is held against them, and so is a suggestion")
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

    @Test("a limit that can't be found out refuses the answer, with the reason")
    func fault() throws {
        var draft = FormDraft.opened(CompiledForm(.of([.date("a", most: "today() + 'x'")])))
        let told = try Self.messages(&draft, "a", "2026-01-01", now: LocalTime(Self.noon))
        #expect(
            told?.hasPrefix("The limits of 'The a' can't be found out with the other answers as they are: ") == true)
    }
}

extension QuestionnaireItem {
    fileprivate static func date(_ linkID: String, least: String? = nil, most: String? = nil) -> QuestionnaireItem {
        var item = QuestionnaireItem.question(linkID, .date)
        item.constraints.minimumExpression = least
        item.constraints.maximumExpression = most
        return item
    }
}
