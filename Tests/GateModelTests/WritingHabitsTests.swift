import GateModel
import Testing

/// How people write dates and decimal numbers.
@Suite("Dates and numbers as people write them (L-04)")
struct WritingHabitsTests {
    private let german = WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ",")
    private let american = WritingHabits(dateFormat: "%m/%d/%Y", decimalSeparator: ".")
    private let chinese = WritingHabits(dateFormat: "%Y年%m月%d日", decimalSeparator: ".")
    private let iso = WritingHabits(dateFormat: "%F", decimalSeparator: ".")

    @Test("dates and numbers are written and read in the person's format, and ISO's is always read")
    func bothWays() {
        for (habits, date) in [
            (german, "02.03.2015"), (american, "03/02/2015"), (chinese, "2015年03月02日"), (iso, "2015-03-02"),
        ] {
            #expect(habits.date(atStartOf: "2015-03-02") == date)
            #expect(habits.iso(dateAtStartOf: date) == "2015-03-02")
            #expect(habits.iso(dateAtStartOf: "2015-03-02") == "2015-03-02")
        }
        #expect(german.decimal("75.5 kW") == "75,5 kW")
        #expect(german.point(inDecimal: "75,5 kW") == "75.5 kW")
        #expect(german.point(inDecimal: "75.5") == "75.5")
        #expect(american.point(inDecimal: "75,5") == "75,5")
    }

    @Test("a short day or month is padded, and the time behind a date stays")
    func shortDays() {
        #expect(german.iso(dateAtStartOf: "2.3.2015") == "2015-03-02")
        #expect(german.iso(dateAtStartOf: "2.3.2015 18:30+01:00") == "2015-03-02 18:30+01:00")
        #expect(german.date(atStartOf: "2026-01-31 18:30 +01:00") == "31.01.2026 18:30 +01:00")
        #expect(chinese.iso(dateAtStartOf: "2015年3月2日") == "2015-03-02")
    }

    @Test("an incomplete date stays as typed, for the form to judge")
    func others() {
        for text in [
            "", "2015", "2015-03", "morgen", "2.3.15", "2.3", "1.2.3.2015", "٢.٣.2015", "68-05-01", "..", "100.3.2015",
        ] {
            #expect(german.iso(dateAtStartOf: text) == text)
        }
        for text in ["", "2015", "2015-03", "yesterday", "2015/03/02"] { #expect(german.date(atStartOf: text) == text) }
    }

    @Test("yes and no are understood in English and in the person's language, in upper or lower case")
    func yesAndNo() {
        for habits in [
            WritingHabits(yes: "ja", no: "nein"), WritingHabits(yes: "Ja", no: "Nein"),
            WritingHabits(yes: "JA", no: "NEIN"),
        ] {
            for text in ["y", "Y", "yes", "Yes", "ja", "Ja", "JA"] { #expect(habits.isYes(text) == true, "\(text)") }
            for text in ["n", "N", "no", "No", "nein", "Nein"] { #expect(habits.isYes(text) == false, "\(text)") }
            for text in ["", "j", "да", "maybe"] { #expect(habits.isYes(text) == nil, "\(text)") }
        }
    }

    @Test(
        "a date format with more or less than a date is ignored",
        arguments: ["%c", "%Y-%m", "%A %d %m %Y", "%", "%d%d%m%Y"])
    func formats(format: String) {
        #expect(WritingHabits(dateFormat: format, decimalSeparator: "").date(atStartOf: "2015-03-02") == "2015-03-02")
    }
}
