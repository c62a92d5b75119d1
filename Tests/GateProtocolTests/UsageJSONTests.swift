import GateModel
import GateProtocol
import Testing

@Suite("The JSON of `gatectl usage` (Z-06)")
struct UsageJSONTests {
    @Test("the JSON of the time that was used has the names that scripts read")
    func golden() throws {
        let day = try #require(CivilDate("2026-11-29"))
        let times = [
            UsedTime(
                person: "Mia", uid: 1002, subject: .allowance("games"), day: day, used: .seconds(2400),
                left: .seconds(1200), isToday: true, isRunning: true),
            UsedTime(
                person: "", uid: 1003, subject: .gatedAction("book.read"), day: day, used: .milliseconds(1), left: nil,
                isToday: false, isRunning: false),
        ]
        let text = try MessageJSON.text(of: ListUsageResponse(times, nextPageToken: ""))
        // More fields may follow in each entry.
        let entries = [
            #"{"person":"Mia","uid":1002,"allowance":"games","day":"2026-11-29","usedMilliseconds":"2400000","#
                + #""isLimited":true,"leftMilliseconds":"1200000","isToday":true,"isRunning":true"#,
            #"{"person":"","uid":1003,"gatedAction":"book.read","day":"2026-11-29","usedMilliseconds":"1","#
                + #""isLimited":false,"leftMilliseconds":"0","isToday":false,"isRunning":false"#,
        ]
        #expect(text.hasPrefix(#"{"times":["# + entries[0]) && text.contains(entries[1]))
        #expect(text.hasSuffix(#"],"nextPageToken":""}"#))
    }
}
